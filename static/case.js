// The page of a case. Keys: each opens the form that names it in data-key, or follows the link; r is for a remark;
// nothing happens while somebody types, or holds a key that belongs to the browser, and no link is followed while words
// wait in a form. Previews: beside a form that is open stands what the action would change as it is filled in; the
// server draws it.

const TYPING = "input, textarea, select, [contenteditable]";

// What comes back with a refusal was typed, too, although it is there from the beginning.
const waits = (field) => (field.matches("textarea") ? field.value.trim() : field.value !== field.defaultValue);

document.addEventListener("keydown", (event) => {
  if (event.ctrlKey || event.metaKey || event.altKey || event.target.closest(TYPING)) return;
  if (event.key === "r") {
    const remark = document.getElementById("id_text");
    if (!remark) return;
    event.preventDefault();
    remark.focus();
    return;
  }
  if (!/^[a-z]$/.test(event.key)) return;
  const place = document.querySelector(`[data-key="${event.key}"]`);
  if (!place) return;
  event.preventDefault();
  if (place.matches("a")) {
    if (![...document.querySelectorAll("#content textarea, #content input:not([type=hidden])")].some(waits)) place.click();
    return;
  }
  place.open = true;
  place.querySelector("input:not([type=hidden]), textarea")?.focus();
});

const PAUSE_MS = 300;
const LOST = "What this would change could not be read. \u201cPreview\u201d asks again, on a page of its own.";
const timers = new WeakMap();
const asking = new WeakMap();

function beside(form) {
  return form.parentElement.querySelector(".form-preview");
}

async function preview(form) {
  asking.get(form)?.abort();
  const request = new AbortController();
  asking.set(form, request);
  const body = new FormData(form);
  body.set("_preview", "1");
  body.set("_part", "1");
  try {
    const answer = await fetch(form.getAttribute("action"), { method: "POST", body, signal: request.signal });
    if (!answer.ok || answer.redirected) throw new Error(`preview: ${answer.status}`);
    const drawn = new DOMParser().parseFromString(await answer.text(), "text/html");
    beside(form).replaceChildren(...drawn.body.childNodes);
  } catch (error) {
    if (error.name === "AbortError") return;
    beside(form).textContent = LOST;
  }
  beside(form).removeAttribute("aria-busy");
}

function ask(form, pause) {
  clearTimeout(timers.get(form));
  beside(form).setAttribute("aria-busy", "true");
  timers.set(form, setTimeout(() => preview(form), pause));
}

document.addEventListener("input", (event) => {
  const form = event.target.closest("form[data-previews]");
  if (form && !["reason", "note"].includes(event.target.name)) ask(form, PAUSE_MS);
});

document.addEventListener("toggle", (event) => {
  const form = event.target.open && event.target.querySelector("form[data-previews]");
  if (form) ask(form, 0);
}, true);
