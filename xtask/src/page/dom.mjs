// As much of a document as the scripts of the pages need to be tested without a browser.

class FakeNode {
  constructor() {
    this.childNodes = [];
    this.parent = null;
  }

  get textContent() {
    return this.childNodes.map((child) => child.textContent).join("");
  }

  set textContent(text) {
    this.replaceChildren(...(text === "" ? [] : [String(text)]));
  }

  append(...nodes) {
    for (const node of nodes) this.childNodes.push(this.adopted(node));
  }

  prepend(...nodes) {
    this.childNodes.unshift(...nodes.map((node) => this.adopted(node)));
  }

  replaceChildren(...nodes) {
    for (const child of this.childNodes) child.parent = null;
    this.childNodes = [];
    this.append(...nodes);
  }

  adopted(node) {
    const child = node instanceof FakeNode ? node : new FakeText(String(node));
    child.remove();
    child.parent = this;
    return child;
  }

  remove() {
    if (this.parent) this.parent.childNodes = this.parent.childNodes.filter((child) => child !== this);
    this.parent = null;
  }

  get children() {
    return this.childNodes.filter((child) => child instanceof FakeElement);
  }

  get firstChild() {
    return this.childNodes[0] ?? null;
  }

  contains(node) {
    return node === this || this.childNodes.some((child) => child.contains(node));
  }

  /** All elements of this name below this node. */
  all(name) {
    return this.children.flatMap((child) => [...(child.name === name ? [child] : []), ...child.all(name)]);
  }

  /** Elements by name, class or id; nothing else is understood. */
  querySelectorAll(selector) {
    const fits = (element) =>
      selector.startsWith(".") ? (element.getAttribute("class") ?? "").split(" ").includes(selector.slice(1))
        : selector.startsWith("#") ? element.getAttribute("id") === selector.slice(1)
          : element.name === selector;
    return this.children.flatMap((child) => [...(fits(child) ? [child] : []), ...child.querySelectorAll(selector)]);
  }

  querySelector(selector) {
    return this.querySelectorAll(selector)[0] ?? null;
  }
}

class FakeText extends FakeNode {
  constructor(text) {
    super();
    this.text = text;
  }

  get textContent() {
    return this.text;
  }
}

class FakeElement extends FakeNode {
  constructor(name) {
    super();
    this.name = name;
    this.attributes = new Map();
    this.listeners = new Map();
    this.dataset = {};
    this.style = {};
    this.value = "";
    this.hidden = false;
    this.scrollTop = this.offsetHeight = this.clientHeight = 0;
  }

  setAttribute(name, value) {
    this.attributes.set(name, String(value));
    if (name === "value") this.value = String(value);
  }

  getAttribute(name) {
    return this.attributes.get(name) ?? null;
  }

  removeAttribute(name) {
    this.attributes.delete(name);
  }

  addEventListener(type, listener) {
    this.listeners.set(type, [...(this.listeners.get(type) ?? []), listener]);
  }

  /** Calls the listeners of an event, as if somebody had caused it. */
  dispatch(type, event = {}) {
    for (const listener of this.listeners.get(type) ?? []) listener({ target: this, preventDefault() {}, ...event });
  }

  getContext() {
    return { measureText: (text) => ({ width: 7 * Array.from(text).length }) };
  }

  focus() {}
}

/** A window with an empty document. */
export function fakeWindow() {
  const root = new FakeElement("html");
  root.clientWidth = 1024;
  const document = {
    documentElement: root,
    body: new FakeElement("body"),
    activeElement: null,
    createElement: (name) => new FakeElement(name),
    createElementNS: (_, name) => new FakeElement(name),
    createTextNode: (text) => new FakeText(text),
    getElementById: () => null,
    addEventListener() {},
  };
  class ResizeObserver {
    observe() {}
  }
  return {
    document,
    Node: FakeNode,
    ResizeObserver,
    AbortController,
    TextDecoder,
    TextDecoderStream,
    performance,
    setTimeout,
    clearTimeout,
    requestAnimationFrame: (callback) => setTimeout(callback),
    getComputedStyle: () => ({ fontFamily: "sans-serif" }),
    console,
  };
}
