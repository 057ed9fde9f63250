/* A ballot: quotes are taken from what is marked in the subject. */

const subject = document.querySelector("#subject");

function tell(button, words) {
  const place = button.form.querySelector("[data-kept]");
  if (place.textContent !== words) place.textContent = words;
}

function quote(button) {
  const words = subject.value.slice(subject.selectionStart, subject.selectionEnd).trim();
  const place = document.getElementById(button.dataset.quote);
  if (!words) {
    tell(button, "Mark the words that you want to quote first.");
    subject.focus();
    return;
  }
  place.value = place.value.trim() ? `${place.value.trimEnd()}\n\n${words}` : words;
  place.focus();
  place.dispatchEvent(new Event("input", { bubbles: true }));
}

for (const button of document.querySelectorAll("[data-quote]")) {
  button.hidden = false;
  button.addEventListener("click", () => quote(button));
}
