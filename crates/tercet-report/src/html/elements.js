"use strict";
// Elements of the page. Texts of files go into the page only through here, as text nodes.

const SVG = "http://www.w3.org/2000/svg";

/** An element with attributes (those that are functions are listeners, null ones are left out) and children. */
function element(name, attributes = {}, ...children) {
  return filled(document.createElement(name), attributes, children);
}

/** The same for drawings. */
function drawn(name, attributes = {}, ...children) {
  return filled(document.createElementNS(SVG, name), attributes, children);
}

function filled(node, attributes, children) {
  for (const [key, value] of Object.entries(attributes)) {
    if (typeof value === "function") node.addEventListener(key, value);
    else if (value === true) node.setAttribute(key, "");
    else if (value !== null && value !== undefined && value !== false) node.setAttribute(key, value);
  }
  for (const child of children.flat(Infinity)) {
    if (child !== null && child !== undefined) node.append(child instanceof Node ? child : visible(String(child)));
  }
  return node;
}

/**
 * A text whose control characters can be seen: codes of terminals, and those that reverse the direction of what
 * follows.
 */
function visible(text) {
  return text.replace(/[\u0000-\u001f\u007f-\u009f\u2028-\u202e\u2066-\u2069\ufeff\ufffe\uffff]/g, (character) => {
    return `⟨U+${character.charCodeAt(0).toString(16).toUpperCase().padStart(4, "0")}⟩`;
  });
}

/** A list of choices with its label. `choose` gets the index of the choice. */
function chooser(label, choices, chosen, choose) {
  const select = element(
    "select",
    { change: () => choose(Number(select.value)) },
    choices.map((choice, i) => element("option", { value: i, selected: i === chosen }, choice)),
  );
  return element("label", { class: "field" }, element("span", {}, label), select);
}

/** A section of the page with a heading that can be linked to. */
function section(id, title, ...children) {
  return element(
    "section",
    { id, "aria-labelledby": `${id}-title` },
    element("h2", { id: `${id}-title` }, title),
    children,
  );
}

/** A part that is drawn anew whenever one of its choices changes. `draw` gets `redraw`, and returns nodes. */
function changing(draw) {
  const place = element("div");
  const redraw = () => place.replaceChildren(...[draw()].flat().filter(Boolean));
  redraw();
  return [place, redraw];
}

/** Says something to people who do not see the page. */
function announce(text) {
  const place = document.getElementById("announcements");
  if (place) place.textContent = text;
}

/** Puts a text on the clipboard, and says on the button, which is then called `label` again, whether that worked. */
async function copy(text, button, label) {
  let copied = true;
  try {
    await navigator.clipboard.writeText(text);
  } catch {
    copied = copyBySelection(text);
  }
  button.textContent = copied ? "Copied" : "Not copied";
  announce(button.textContent);
  setTimeout(() => (button.textContent = label), 1200);
}

/** For browsers that keep the clipboard from pages of files; whether it worked. */
function copyBySelection(text) {
  const field = element("textarea", { class: "unseen", "aria-hidden": "true", tabindex: "-1" });
  field.value = text;
  document.body.append(field);
  field.select();
  const copied = document.execCommand("copy");
  field.remove();
  return copied;
}

function copyButton(label, text) {
  const button = element("button", { type: "button", class: "quiet", click: () => copy(text(), button, label) }, label);
  return button;
}
