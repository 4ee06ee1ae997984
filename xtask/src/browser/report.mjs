// What the checks of reports share: opening one, and choosing in it as a person would.

/** Opens a report and waits until it is drawn. */
export async function open(browser, report) {
  await browser.open(report);
  await browser.wait("the report is drawn", () => document.querySelector("#signatures"));
}

/** Chooses an entry of a list by the list's label and the entry's text. */
export function choose(browser, section, label, entry) {
  return browser.script((section, label, entry) => {
    const fields = [...document.querySelectorAll(`#${section} .field, header .field`)];
    const select = fields.find((field) => field.firstChild.textContent === label).querySelector("select");
    select.value = [...select.options].find((option) => option.textContent === entry).value;
    select.dispatchEvent(new Event("change", { bubbles: true }));
  }, section, label, entry);
}

/** The name of a report's file, for messages. */
export const nameOf = (report) => report.split("/").pop();
