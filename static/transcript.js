/* What was said, refined in place: the same search, filter and "open all" that the form asks the server for. */

const place = () => document.querySelector("[data-transcript]");
const form = () => document.querySelector("[data-filter]");
const all = (selector, root = document) => [...root.querySelectorAll(selector)];
const asked = () => Object.fromEntries([...new FormData(form())].map(([name, value]) => [name, value.trim()]));
const FIELDS = ["q", "speaker", "criterion", "kind"];

const asSearched = (text) => text.toLowerCase().replace(/\s+/g, " ").trim();

const admits = ({ q = "", speaker = "", criterion = "", kind = "" }, item) =>
  (!kind || item.dataset.said === kind)
  && (!speaker || item.dataset.speaker === speaker)
  && (!criterion || item.dataset.aboutCriterion === criterion)
  && asSearched(all(".rendered, [data-spoken]", item).map((words) => words.textContent).join(" ")).includes(asSearched(q));

function refine({ unfolds = false } = {}) {
  if (!form()) return;
  const wanted = asked(), active = FIELDS.some((name) => wanted[name]);
  const items = all("[data-said]", place());
  items.forEach((item) => { item.hidden = active && !admits(wanted, item); });
  place().classList.toggle("filtered", active);
  if (active && unfolds) unfold(true);
  const words = document.querySelector("[data-filtered]"), shown = items.filter((item) => !item.hidden).length;
  words.ariaLive = unfolds ? "polite" : "off"; /* of what is said meanwhile the page's own voice tells */
  words.hidden = !active;
  const told = `${shown} of ${items.length} are shown.`;
  const slot = words.querySelector("[data-slot=filtered]");
  if (slot.textContent !== told) slot.textContent = told;
}

function keepAddress() {
  const query = new URLSearchParams(FIELDS.map((name) => [name, asked()[name] ?? ""]).filter(([, value]) => value));
  const { pathname } = new URL(form().action); /* not that of a turn that was refused */
  history.replaceState(history.state, "", `${pathname}${query.size ? `?${query}` : ""}${location.hash}`);
}

/* An address that asks for a name which was erased asks for what stands for it. */
function renameAddress() {
  const sought = new URLSearchParams(location.search).get("speaker");
  if (form() && sought && sought !== asked().speaker) keepAddress();
}

function unfold(open) {
  all("details.chapter", place()).forEach((chapter) => { chapter.open = open; });
  name();
}

const folded = () => all("details.chapter", place()).some((chapter) => !chapter.open);

function name() {
  const button = form()?.querySelector("[data-unfold]");
  if (button) button.textContent = folded() ? "Open all" : "Close all";
}

function reset() {
  FIELDS.forEach((field) => { if (form().elements[field]) form().elements[field].value = ""; });
  refine();
  keepAddress();
}

/* What an address points to is opened, and shown even where it was filtered away. */
function point() {
  const target = location.hash && document.getElementById(decodeURIComponent(location.hash.slice(1)));
  if (!target || !place()?.contains(target)) return;
  if (target.closest("[data-said][hidden]")) reset();
  for (let one = target.closest("details"); one; one = one.parentElement.closest("details")) one.open = true;
  target.scrollIntoView();
}

document.addEventListener("input", ({ target }) => {
  if (target.form !== form()) return;
  refine({ unfolds: true });
  keepAddress();
});
document.addEventListener("submit", (event) => {
  if (event.target !== form()) return;
  event.preventDefault();
  if (event.submitter?.matches("[data-unfold]")) return unfold(folded());
  refine({ unfolds: true });
  keepAddress();
});
document.addEventListener("click", (event) => {
  if (!event.target.closest("[data-everything]")) return;
  event.preventDefault();
  reset();
  form().elements.q.focus();
});
document.addEventListener("toggle", name, { capture: true });
document.addEventListener("moot:drawn", () => { refine(); name(); renameAddress(); });
addEventListener("hashchange", point);

refine();
name();
point();
