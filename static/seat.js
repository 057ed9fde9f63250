/* A seat: the length of what is being written, which turn it is for, and whose turn it is in the tab. */

const page = document.querySelector("main[data-debate]");

function retitle() {
  const awaited = [...page.querySelectorAll(".awaited [data-speaker]")].map(({ dataset }) => dataset.speaker);
  const judges = [...page.querySelectorAll("[data-judges]")].some(({ dataset }) => awaited.includes(dataset.judges));
  const whose = judges || page.querySelector(".seat-now") ? "Your turn" : page.querySelector(".awaited").dataset.tab;
  const turn = whose ? `${whose} · ` : "";
  if (document.title !== turn + page.dataset.title) document.title = turn + page.dataset.title;
}

function count(words) {
  const place = words.form.querySelector("[data-count]");
  const many = [...words.value.trim()].length;
  place.hidden = false;
  place.textContent = `${many} so far.`;
  place.classList.toggle("over", many > Number(words.dataset.most));
}

for (const words of page.querySelectorAll(".seat form textarea")) {
  if (words.value) count(words);
  words.addEventListener("input", () => count(words));
}

/* What is written is for the turn that the page says. */
function aim() {
  for (const { form } of page.querySelectorAll(".seat [name=awaited]")) {
    form.elements.awaited.value = form.closest(".seat").querySelector("[data-awaited]").dataset.awaited;
  }
}

document.addEventListener("moot:drawn", retitle);
document.addEventListener("moot:drawn", aim);
