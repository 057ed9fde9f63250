/* What is being written in a form: the server keeps a draft of it, on all devices, until it is sent. */

const PAUSE = 1200, AGAIN = 10_000, SOON = 5_000, LATE = 30_000;
const ROOM = 60_000; /* bytes that a browser surely sends for a page that is left: all such requests share 64 KiB */
const AWAY = new Set([502, 503, 504]);
const drafts = new Map();

function written(form) {
  const data = new URLSearchParams(new FormData(form));
  data.delete("csrfmiddlewaretoken");
  data.delete("draft");
  data.delete("awaited");
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
  draft.sent = false; /* what was sent has led nowhere, or more is written since */
  draft.timer = setTimeout(() => save(form), pause);
}

function bytes(body) {
  return [...body].reduce((sum, [name, text]) => sum + new Blob([name, text]).size + 200, 0);
}

/* Says, where it ends so, that the site is away, or that nothing answers: then drafts alone may not get through. */
async function save(form, { keepalive = false } = {}) {
  const draft = drafts.get(form), now = written(form);
  clearTimeout(draft.timer);
  if (draft.elsewhere || draft.sent || now === draft.kept || (draft.asking && !keepalive)) return;
  const asking = draft.asking = {};
  const [address] = form.querySelector("[data-keep]").formAction.split("#");
  renew(form);
  const body = new FormData(form);
  const outlives = keepalive && bytes(body) <= ROOM;
  let left = ROOM - bytes(body), whole = true;
  for (const earlier of draft.unanswered.toReversed()) {
    left -= bytes([["before", earlier]]);
    if (left >= 0 || !outlives) body.append("before", earlier);
    else whole = false;
  }
  draft.unanswered = [...new Set([...draft.unanswered, now])].slice(-8); /* each may be what the server has by now */
  let answer = null;
  try {
    answer = await fetch(address, {
      method: "POST", body, keepalive: outlives, headers: { Accept: "application/json" },
      signal: AbortSignal.timeout(LATE),
    });
    if (AWAY.has(answer.status)) throw new Error("away"); /* whatever a proxy says in its place */
    const { draft: number, code, detail } = await answer.json();
    if (draft.asking !== asking) return; /* a later one has overtaken it */
    if (answer.ok) {
      form.elements.draft.value = number;
      draft.kept = now;
      draft.unanswered = [];
      tell(form, number ? "Draft kept, on all your devices." : "");
    } else if (code === "saved_elsewhere" && !whole) later(form, PAUSE); /* it may be what this page sent before */
    else {
      draft.elsewhere = code === "saved_elsewhere";
      if (draft.elsewhere) form.dataset.elsewhere = number;
      tell(form, draft.elsewhere ? `${detail} Reload to see it, or press Keep draft to keep these words.` : `Not kept: ${detail}`);
    }
  } catch {
    if (draft.asking !== asking) return;
    tell(form, "Not kept yet: the site does not answer, or you are signed out. Your words stay here; it is tried again.");
    later(form, AGAIN);
    return answer ? AWAY.has(answer.status) && "away" : "silent";
  } finally {
    if (draft.asking === asking) draft.asking = null;
  }
  if (!draft.elsewhere && written(form) !== now) later(form, PAUSE); /* what was refused may be mended by now */
}

/* Whether the site answers where the form goes, although no draft gets through. */
function answers({ action }) {
  return fetch(action, { method: "HEAD", signal: AbortSignal.timeout(SOON) }).then(({ status }) => !AWAY.has(status), () => false);
}

/* Says or gives what is written, once a draft of it is kept: what is sent may come to nothing. Where the site does not
   answer the page stays, for the browser's own, which says so, would take the words along. */
async function send(form, button) {
  const draft = drafts.get(form);
  if (draft.sending) return;
  draft.sending = true;
  const why = await Promise.race([save(form, { keepalive: true }), new Promise((done) => setTimeout(done, PAUSE))]);
  const stays = why === "away" || (why === "silent" && !(await answers(form)));
  draft.sending = false;
  if (stays) return tell(form, "Not sent: the site does not answer. Your words stay here; send them once it does.");
  clearTimeout(draft.timer);
  draft.sent = true;
  setTimeout(() => form.requestSubmit(button)); /* while an event says that a form is sent, it is sent no second time */
}

function leave() {
  for (const form of drafts.keys()) save(form, { keepalive: true });
}

for (const form of new Set([...document.querySelectorAll("[data-keep]")].map((button) => button.form))) {
  const refused = form.closest(".seat, .filling").querySelector(".refusal"); /* that is kept by nobody yet */
  drafts.set(form, {
    kept: refused ? null : written(form), timer: null, asking: null, sending: false, unanswered: [],
    sent: false, /* what is written was said or given: no draft of it is kept */
    elsewhere: "elsewhere" in form.dataset, /* another device has a newer one: only who presses the button keeps this */
  });
  form.addEventListener("input", () => later(form, PAUSE));
  form.addEventListener("submit", (event) => {
    const draft = drafts.get(form), keeps = event.submitter?.matches("[data-keep]");
    clearTimeout(draft.timer);
    renew(form);
    if (keeps && !event.submitter.matches(".first") && "elsewhere" in form.dataset) { /* the page said that another draft is newer */
      form.elements.draft.value = form.dataset.elsewhere || form.elements.draft.value;
      delete form.dataset.elsewhere;
      draft.elsewhere = false;
    }
    if (draft.elsewhere || (draft.sent && !keeps)) return; /* as a form is sent without a script */
    if (!keeps && written(form) === draft.kept) {
      draft.sent = true;
      return;
    }
    event.preventDefault();
    draft.sent = false;
    if (keeps) save(form);
    else send(form, event.submitter);
  });
}
addEventListener("pagehide", leave);
addEventListener("pageshow", () => {
  for (const draft of drafts.values()) draft.sent = false;
});
document.addEventListener("visibilitychange", () => {
  if (document.hidden) leave();
});
