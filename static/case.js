// Keys of the page of a case: each opens the form that names it in data-key, or follows the link; r is for a remark.
// Nothing happens while somebody types, or holds a key that belongs to the browser.

const TYPING = "input, textarea, select, [contenteditable]";

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
    place.click();
    return;
  }
  place.open = true;
  place.querySelector("input:not([type=hidden]), textarea")?.focus();
});
