// The page of a case. Keys: each opens the form that names it in data-key, or follows the link; r is for a remark;
// nothing happens while somebody types, or holds a key that belongs to the browser, and no link is followed while words
// wait in a form. Whoever speaks to the browser switches them off, for this browser. Previews: beside a form that is
// open stands what the action would change as it is filled in; the server draws it, and the values alone are said.

const TYPING = "input, textarea, select, [contenteditable]";

// What comes back with a refusal was typed, too, although it is there from the beginning.
function waits(field) {
  if (field.matches("textarea")) return field.value.trim();
  if (field.matches("select")) {
    const options = [...field.options], chosen = options.find((option) => option.defaultSelected) ?? options[0];
    return field.selectedOptions[0] !== chosen;
  }
  return field.value !== field.defaultValue || field.checked !== field.defaultChecked;
}

const OFF = "moot-keys-off";
const keys = document.querySelector("[data-keys]");
let off = false;
try { off = localStorage.getItem(OFF) !== null; } catch { /* nothing is kept in this browser */ }

function switchKeys() {
  keys.textContent = `Switch them ${off ? "on" : "off"}`;
  try { if (off) localStorage.setItem(OFF, ""); else localStorage.removeItem(OFF); } catch { /* until the page is left */ }
}

keys.hidden = false;
keys.addEventListener("click", () => {
  off = !off;
  switchKeys();
});
switchKeys();

document.addEventListener("keydown", (event) => {
  if (off || event.ctrlKey || event.metaKey || event.altKey || event.target.closest(TYPING)) return;
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
    if (![...document.querySelectorAll("#content textarea, #content select, #content input:not([type=hidden])")].some(waits)) place.click();
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

function say(form) {
  const consequences = [...beside(form).querySelectorAll(".preview")].map((look) => {
    const rows = [...look.querySelectorAll("tbody tr")].map(({ cells }) => [...cells].map((cell) => cell.textContent));
    const changes = rows.filter(([, now, then]) => now !== then).map(([what, now, then]) => `${what}: ${then}, now ${now}.`);
    const follows = [...look.querySelectorAll("p.follows, .follows li")].map((sentence) => sentence.textContent.trim());
    return [`${look.querySelector("h2").textContent}:`, ...changes, ...follows].join(" ");
  });
  const refusals = [...beside(form).querySelectorAll(".errornote")].map((refusal) => refusal.textContent.trim());
  const words = [...refusals, ...consequences].join(" "), status = form.parentElement.querySelector("[data-said]");
  if (status.textContent !== words) status.textContent = words;
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
    say(form);
  } catch (error) {
    if (error.name === "AbortError") return;
    beside(form).textContent = LOST;
    form.parentElement.querySelector("[data-said]").textContent = LOST;
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
