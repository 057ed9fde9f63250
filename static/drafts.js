/* What is being written in a form: the server keeps a draft of it, on all devices, until it is sent. */

const PAUSE = 1200, AGAIN = 10_000;
const drafts = new Map();

function written(form) {
  const data = new URLSearchParams(new FormData(form));
  data.delete("csrfmiddlewaretoken");
  data.delete("draft");
  return data.toString();
}

function tell(form, text) {
  const place = form.querySelector("[data-kept]");
  if (place.textContent !== text) place.textContent = text;
}

/* Whoever signs in anew, in another tab too, has another token. */
function renew(form) {
  const token = document.cookie.match(/(?:^|; )csrftoken=(\w+)/)?.[1];
  if (token) form.elements.csrfmiddlewaretoken.value = token;
}

function later(form, pause) {
  const draft = drafts.get(form);
  clearTimeout(draft.timer);
  draft.timer = setTimeout(() => save(form), pause);
}

async function save(form, { keepalive = false } = {}) {
  const draft = drafts.get(form), now = written(form);
  clearTimeout(draft.timer);
  if (draft.over || now === draft.kept || (draft.asking && !keepalive)) return;
  const asking = draft.asking = new AbortController();
  const [address] = form.querySelector("[data-keep]").formAction.split("#");
  renew(form);
  const body = new FormData(form);
  draft.unanswered.forEach((earlier) => body.append("before", earlier));
  draft.unanswered = [...new Set([...draft.unanswered, now])].slice(-8); /* each may be what the server has by now */
  try {
    const answer = await fetch(address, {
      method: "POST", body, keepalive, headers: { Accept: "application/json" }, signal: asking.signal,
    });
    const { draft: number, code, detail } = await answer.json();
    if (draft.asking !== asking) return; /* a later one has overtaken it */
    if (answer.ok) {
      form.elements.draft.value = number;
      draft.kept = now;
      draft.unanswered = [];
      tell(form, number ? "Draft kept, on all your devices." : "");
    } else {
      draft.over = code === "saved_elsewhere";
      tell(form, draft.over ? `${detail} Reload to see it, or press Keep draft to keep these words.` : `Not kept: ${detail}`);
    }
  } catch {
    if (asking.signal.aborted || draft.asking !== asking) return;
    tell(form, "Not kept yet: the site does not answer, or you are signed out. Your words stay here; it is tried again.");
    later(form, AGAIN);
  } finally {
    if (draft.asking === asking) draft.asking = null;
  }
  if (draft.kept === now && written(form) !== now) later(form, PAUSE);
}

function leave() {
  for (const form of drafts.keys()) save(form, { keepalive: true });
}

for (const { form } of document.querySelectorAll("[data-keep]")) {
  const refused = form.closest(".seat, .filling").querySelector(".refusal"); /* that is kept by nobody yet */
  drafts.set(form, { kept: refused ? null : written(form), timer: null, asking: null, over: false, unanswered: [] });
  form.addEventListener("input", () => later(form, PAUSE));
  form.addEventListener("submit", (event) => {
    const draft = drafts.get(form);
    clearTimeout(draft.timer);
    renew(form);
    if (event.submitter?.matches("[data-keep]") && !draft.over) {
      event.preventDefault();
      save(form);
    } else { /* what is said or given, or sent anew, overtakes what is being kept */
      draft.over = true;
      draft.asking?.abort();
    }
  });
}
addEventListener("pagehide", leave);
document.addEventListener("visibilitychange", () => {
  if (document.hidden) leave();
});
