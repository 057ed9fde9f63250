/* A ballot: quotes are taken from what is marked in the subject, and what is written is kept while it is written. */

const form = document.querySelector("form[data-ballot]");
const subject = document.querySelector("#subject");
const PAUSE = 1200, AGAIN = 10_000;
let timer, asking = null, over = false, kept = form && written();

function written() {
  const data = new URLSearchParams(new FormData(form));
  data.delete("csrfmiddlewaretoken");
  data.delete("draft");
  return data.toString();
}

function tell(text) {
  form.querySelector("[data-kept]").textContent = text;
}

function later(pause) {
  clearTimeout(timer);
  timer = setTimeout(save, pause);
}

async function save({ keepalive = false } = {}) {
  clearTimeout(timer);
  const now = written();
  if (asking || over || now === kept) return;
  asking = new AbortController();
  const body = new URLSearchParams(new FormData(form));
  try {
    const answer = await fetch(location.href, {
      method: "POST", body, keepalive, headers: { Accept: "application/json" }, signal: asking.signal,
    });
    const { draft, code, detail } = await answer.json();
    if (answer.ok) {
      form.elements.draft.value = draft;
      kept = now;
      tell("Draft kept, on all your devices.");
    } else {
      over = code === "saved_elsewhere";
      tell(over ? `${detail} Reload to see it, or press Keep draft to keep these words.` : `Not kept: ${detail}`);
    }
  } catch {
    if (asking.signal.aborted) return;
    tell("Not kept yet: the site does not answer, or you are signed out. It is tried again.");
    later(AGAIN);
  } finally {
    asking = null;
  }
  if (kept === now && written() !== now) later(PAUSE);
}

function quote(button) {
  const words = subject.value.slice(subject.selectionStart, subject.selectionEnd).trim();
  const place = document.getElementById(button.dataset.quote);
  if (!words) {
    tell("Mark the words that you want to quote first.");
    subject.focus();
    return;
  }
  place.value = place.value.trim() ? `${place.value.trimEnd()}\n\n${words}` : words;
  place.focus();
  later(PAUSE);
}

if (form) {
  for (const button of form.querySelectorAll("[data-quote]")) {
    button.hidden = false;
    button.addEventListener("click", () => quote(button));
  }
  form.addEventListener("input", () => later(PAUSE));
  form.addEventListener("submit", () => { /* what is given overtakes what is being kept */
    clearTimeout(timer);
    over = true;
    asking?.abort();
  });
  addEventListener("pagehide", () => save({ keepalive: true }));
}
