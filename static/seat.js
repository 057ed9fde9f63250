/* A seat: the length of what is being written, the draft that the server keeps, and whose turn it is in the tab. */

const page = document.querySelector("main[data-debate]");
const PAUSE = 1200, AGAIN = 10_000;
const drafts = new WeakMap();

/* -- whose turn it is ---------------------------------------------------------------------------------------------- */

function retitle() {
  const speaker = page.querySelector(".awaited:not([hidden]) [data-speaker]")?.textContent;
  const turn = page.querySelector(".seat-now") ? "Your turn · " : speaker ? `${speaker} to speak · ` : "";
  if (document.title !== turn + page.dataset.title) document.title = turn + page.dataset.title;
}

/* -- what is being written ----------------------------------------------------------------------------------------- */

function count(words) {
  const place = words.form.querySelector("[data-count]");
  const many = [...words.value.trim()].length;
  place.hidden = false;
  place.textContent = `${many} so far.`;
  place.classList.toggle("over", many > Number(words.dataset.most));
}

function tell(form, text) {
  const place = form.querySelector("[data-kept]");
  if (place.textContent !== text) place.textContent = text;
}

function later(form, pause) {
  const draft = drafts.get(form);
  clearTimeout(draft.timer);
  draft.timer = setTimeout(() => save(form), pause);
}

async function save(form, { keepalive = false } = {}) {
  const draft = drafts.get(form), text = form.elements.text.value;
  clearTimeout(draft.timer);
  if (draft.asking || draft.over || text === draft.kept) return;
  draft.asking = new AbortController();
  const [address] = form.querySelector("[data-keep]").formAction.split("#");
  const body = new URLSearchParams(new FormData(form));
  try {
    const answer = await fetch(address, {
      method: "POST", body, keepalive, headers: { Accept: "application/json" }, signal: draft.asking.signal,
    });
    const { draft: number, code, detail } = await answer.json();
    if (answer.ok) {
      form.elements.draft.value = number;
      draft.kept = text;
      tell(form, text ? "Draft kept, on all your devices." : "");
    } else {
      draft.over = code === "saved_elsewhere";
      tell(form, draft.over ? `${detail} Reload to see it, or press Keep draft to keep these words.` : `Not kept: ${detail}`);
    }
  } catch {
    if (draft.asking.signal.aborted) return;
    tell(form, "Not kept yet: the site does not answer, or you are signed out. Your words stay in this box; it is tried again.");
    later(form, AGAIN);
  } finally {
    draft.asking = null;
  }
  if (draft.kept === text && form.elements.text.value !== text) later(form, PAUSE);
}

for (const form of page.querySelectorAll(".seat form")) {
  const words = form.elements.text;
  const kept = form.querySelector(".refusal") ? null : words.value; /* what was refused is kept by nobody yet */
  drafts.set(form, { kept, timer: null, asking: null, over: false });
  if (words.value) count(words);
  words.addEventListener("input", () => {
    count(words);
    later(form, PAUSE);
  });
  form.addEventListener("submit", (event) => {
    const draft = drafts.get(form);
    clearTimeout(draft.timer);
    if (event.submitter?.matches("[data-keep]") && !draft.over) {
      event.preventDefault();
      save(form);
    } else { /* what is said, or sent anew, overtakes what is being kept */
      draft.over = true;
      draft.asking?.abort();
    }
  });
}
addEventListener("pagehide", () => page.querySelectorAll(".seat form").forEach((form) => save(form, { keepalive: true })));
document.addEventListener("visibilitychange", () => {
  if (document.hidden) page.querySelectorAll(".seat form").forEach((form) => save(form, { keepalive: true }));
});
document.addEventListener("moot:drawn", retitle);
