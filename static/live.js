/* Keeps the page of a debate up to date while it is open. Why it is made so: docs/explanation/live-page.md */

const page = document.querySelector("main[data-debate]");
const within = (selector, place = page) => [...place.querySelectorAll(selector)];
const named = (attribute, value) => `[${attribute}="${CSS.escape(value)}"]`;

/* -- where this page stands: everything up to `seq` of the log `epoch` is shown ------------------------------------ */

const standOf = ({ dataset: { seq, epoch, erasures } }) => ({ seq: Number(seq), epoch, erasures: Number(erasures) });
const stand = standOf(page);
/* The log is another one, or words of it were erased: what is shown is to be drawn anew, all of it. */
const isOther = ({ epoch, erasures }) => epoch !== stand.epoch || erasures > stand.erasures;
const drawn = new Map(); /* part -> the seq as of which the server drew it, where that is later than the page */
const stale = new Map(); /* part -> the seq of the newest event that it does not show yet, and since when it waits */

const recent = []; /* events that move something at once: a drawing may be older than they are */
const RECENT = 500;
let anew = null; /* the parts that these events move again */

const drawnAt = (part) => drawn.get(part.dataset.part) ?? Number(page.dataset.seq);

function outdated(place, seq) {
  const part = place.closest("[data-part]");
  return seq > drawnAt(part) && (!anew || anew.has(part.dataset.part));
}

function take({ through, events }) {
  for (const event of events) {
    if (event.seq <= stand.seq) continue;
    stand.seq = event.seq;
    stir(event);
    move(event);
    if (MOVES[event.type] && recent.push(event) > RECENT) recent.shift();
    attempt(announce, event);
  }
  stand.seq = Math.max(stand.seq, through);
}

/* -- parts: what an event makes out of date is drawn anew by the server, and comes by the line --------------------- */

const UNANSWERED = 30_000; /* how long an answer may take: what is asked for meanwhile waits for it */
const ANYWAY = 30_000, LOOK = 100, AT_THE_TOP = 50, AT_A_TIME = 200; /* as many parts as the server takes; the others are asked for */
const [SOON, LATE, EVERY] = [150, 3000, 1000].map((wait) => wait * (1 + Math.random())); /* not all pages at once */
let asked = 0, failed = 0, timer = null, asking = false, looking = null;
let abandoned = 0; /* how often what was under way came to be of a line that is gone, or from before words were erased */
let promised = null; /* the parts that the line brings when they change; none of them while there is no line */

function stir({ seq, type, data }) {
  for (const part of within("[data-part]")) {
    const { stirredBy, about, aboutRound, part: name } = part.dataset;
    const stirs = stirredBy.split(" ").some((one) => (one.endsWith(":") ? type.startsWith(one) : type === one));
    const elsewhere = (about && data.criterion && data.criterion !== about)
      || (aboutRound && data.round !== undefined && String(data.round) !== aboutRound);
    if (stirs && !elsewhere && outdated(part, seq)) outdate(name, seq);
  }
  redraw();
}

function outdate(name, seq) { stale.set(name, { seq, since: stale.get(name)?.since ?? Date.now() }); }

const folded = (part) => "whenOpen" in part.dataset && part.closest("details:not([open])") !== null;
const awaited = (part) => stale.has(part.dataset.part) && !folded(part);
const names = (parts) => parts.map((part) => part.dataset.part);

/* The parts that somebody looks at, and as of which event each was drawn. */
function looked() {
  const parts = document.hidden ? [] : within("[data-part]").filter((part) => part.dataset.stirredBy && !folded(part));
  return Object.fromEntries(parts.slice(0, AT_A_TIME).map((part) => [part.dataset.part, drawnAt(part)]));
}

function promise(parts) {
  promised = new Set(parts);
  for (const due of stale.values()) due.since = Date.now();
}

function look() {
  looking ??= setTimeout(() => {
    looking = null;
    line?.look?.();
    redraw();
  }, LOOK);
}

/* What the line has not brought for a while, or does not bring, is asked for. */
function redraw() {
  clearTimeout(timer);
  if (asking || !promised || document.hidden) return;
  const next = asked + Math.min(LONGEST, EVERY * 2 ** failed);
  const due = ({ dataset: { part } }) => (
    Math.max(next, stale.get(part).since + (promised.has(part) ? LATE : SOON)) - Date.now());
  const parts = within("[data-part]").filter(awaited), wait = Math.min(...parts.map(due));
  if (wait <= 0) draw(names(parts).slice(0, AT_A_TIME)).catch(() => null).then(redraw);
  else if (parts.length) timer = setTimeout(redraw, wait);
}

/* What changes without an event, such as when a draft is to start; and who asks is taken to look, where that is awaited. */
function askAnyway() {
  names(within("[data-asked-for]")).filter((name) => !stale.has(name)).forEach((name) => outdate(name, 0));
  redraw();
}

async function draw(wanted, { since, force = false } = {}) {
  const query = new URLSearchParams(wanted.map((name) => ["of", name]));
  const { epoch, erasures } = stand, before = abandoned;
  if (since) Object.entries({ since, epoch, erasures }).forEach(([name, value]) => query.set(name, value));
  asked = Date.now();
  asking = true;
  failed += 1; /* until there is an answer */
  try {
    const response = await fetch(`${page.dataset.parts}?${query}`, { cache: "no-store", signal: AbortSignal.timeout(UNANSWERED) });
    if (response.status === 404) return over("This debate cannot be read any longer.");
    if (!response.ok) throw new Error(`parts: ${response.status}`);
    const { body } = response.status === 204 ? {} : parsed(await response.text());
    if (body && !body.dataset.epoch) throw new Error("parts: no answer of this site"); /* of a proxy that asks to sign in */
    if (abandoned > before) throw new Error("parts: not wanted any longer");
    failed = 0;
    return body ? place(body, wanted, force) : null;
  } finally { asking = false; }
}

const parsed = (html) => new DOMParser().parseFromString(html, "text/html");

function place(body, wanted, force) {
  const missing = new Set(wanted), placed = new Set(), kept = inSight();
  const part = ({ dataset }) => page.querySelector(named("data-part", dataset.part));
  const brought = within("[data-part]", body).filter(part), seen = new Set(brought.map(part).filter(isSeen));
  for (const fresh of brought) {
    const name = fresh.dataset.part, seq = Number(fresh.closest("[data-drawn-at]").dataset.drawnAt);
    const old = part(fresh);
    missing.delete(name);
    if (!force && seq < drawnAt(old)) continue;
    const before = old.querySelector("details.comes-late");
    morph(old, document.adoptNode(fresh));
    const come = old.querySelector("details.comes-late");
    if (come && !before) come.open = !seen.has(old);
    drawn.set(name, seq);
    placed.add(name);
    const due = stale.get(name);
    if (force || !due || due.seq <= seq) stale.delete(name); /* another log counts anew */
    else due.since = Date.now();
  }
  missing.forEach((name) => stale.delete(name));
  if (force) {
    recent.length = 0;
    document.head.querySelectorAll("meta[property], meta[name=description]").forEach((old) => old.remove());
  }
  entitle();
  anew = placed;
  recent.forEach(move);
  anew = null;
  document.dispatchEvent(new Event("moot:drawn"));
  if (kept) scrollBy({ top: kept.now() - kept.top, behavior: "instant" });
  stay();
  if (connection() === "live") show("live");
  if (body.dataset.now) setClock(body.dataset.now); /* what comes by the line has none */
  return standOf(body);
}

/* A title that was changed or erased is gone from the tab, too. */
function entitle() {
  const title = `${page.querySelector(".heading h1").textContent} \u00b7 Moot`;
  if (title !== page.dataset.title) page.dataset.title = document.title = title;
}

/* What comes as a whole is folded where somebody looks, so that nothing below it moves, and open elsewhere. */
function isSeen(element) {
  const { top, bottom } = element.getBoundingClientRect();
  return bottom > page.querySelector(".bar").getBoundingClientRect().bottom && top < innerHeight;
}

/* The first section, chapter or row that begins in sight of whoever has scrolled, and where: it stays there when what
   is above it grows. At the top of the page nothing is scrolled; what is there keeps its height. */
function inSight() {
  const from = page.querySelector(".bar").getBoundingClientRect().bottom;
  if (scrollY < AT_THE_TOP) return null;
  for (const element of page.querySelectorAll(":scope > section, .top > *, details.chapter, table.board tbody tr")) {
    const { top, height } = element.getBoundingClientRect();
    if (height && top >= from && top < innerHeight) return { top, now: placeOf(element) };
  }
  return null;
}

/* Tells where an element has come to be; of a row, its place in the table, for another may stand there by then. */
function placeOf(element) {
  const rows = element.parentElement, nth = [...rows.children].indexOf(element);
  return () => (element.localName === "tr" ? rows.children[nth] ?? rows : element).getBoundingClientRect().top;
}

const LEFT = new Set(["open", "selected"]);

/* Makes one element like another and leaves alone what is alike: focus, selection, scrolling, what is open or chosen.
   A sentence that says something else is another one as a whole: none of its words walks to a new place. */
function morph(old, fresh) {
  for (const { name } of [...old.attributes]) {
    if (!fresh.hasAttribute(name) && !LEFT.has(name)) old.removeAttribute(name);
  }
  for (const { name, value } of fresh.attributes) {
    if (old.getAttribute(name) !== value && !LEFT.has(name)) old.setAttribute(name, value);
  }
  if (old.hasAttribute("data-sentence") && old.innerHTML !== fresh.innerHTML) return old.replaceChildren(...fresh.childNodes);
  const pairs = paired(old, fresh);
  const nodes = pairs.map(([node, twin]) => (isLike(twin, node) ? twin : node)), stays = new Set(nodes);
  [...old.childNodes].forEach((node) => { if (!stays.has(node)) node.remove(); });
  order(old, nodes);
  pairs.forEach(([node, twin]) => { if (stays.has(twin) && node.nodeType === Node.ELEMENT_NODE) morph(twin, node); });
}

/* What is about somebody or something stays about them, wherever it now stands; the rest is known by its place among
   others of its name. */
const KEYS = ["id", "data-turn", "data-participant", "data-criterion", "data-round", "data-twin"];

function keyOf(node) {
  const name = KEYS.find((key) => node.hasAttribute?.(key));
  return name ? `${node.nodeName} ${name} ${node.getAttribute(name)}` : node.nodeName;
}

/* The children of a drawing, each with its twin on the page where there is one. */
function paired(old, fresh) {
  const twins = new Map();
  for (const node of old.childNodes) {
    const key = keyOf(node);
    if (!twins.has(key)) twins.set(key, []);
    twins.get(key).push(node);
  }
  return [...fresh.childNodes].map((node) => [node, twins.get(keyOf(node))?.shift()]);
}

/* Other words are not the same ones elsewhere. */
const isLike = (twin, node) => twin && (node.nodeType === Node.ELEMENT_NODE || twin.nodeValue === node.nodeValue);

/* Brings nodes into an order and moves none that has the focus: what moves loses it. */
function order(place, nodes) {
  let next = place.firstChild;
  for (const node of nodes) {
    while (next && next !== node && node.contains(document.activeElement)) {
      const other = next;
      next = next.nextSibling;
      place.append(other);
    }
    if (node === next) next = next.nextSibling;
    else place.insertBefore(node, next);
  }
}

/* -- what moves at once, before the server has drawn it ------------------------------------------------------------ */

const MOVES = {
  "score:updated": moveStep, "criterion:score-updated": moveFinal, "turn:added": say, "verdict:issued": say,
  "state:changed": moveState,
};
const MICRO = 1_000_000n;

function move(event) { attempt(MOVES[event.type], event); }

/* What cannot be read of one event, for a server may be newer than this page, hinders no other. */
function attempt(act, event) {
  try {
    act?.(event);
  } catch (error) {
    console.error(error);
  }
}

function micro(text) {
  const [, sign, whole, part = ""] = /^(-?)(\d+)(?:\.(\d{1,6}))?$/.exec(text);
  const size = BigInt(whole) * MICRO + BigInt(part.padEnd(6, "0"));
  return sign ? -size : size;
}

function places(value) {
  const size = ((value < 0n ? -value : value) + 5000n) / 10000n;
  return `${size / 100n}.${String(size % 100n).padStart(2, "0")}`;
}

const score = (text) => places(micro(text));
const signOf = (value) => (value >= 5000n ? "+" : value <= -5000n ? "\u2212" : "");
const signed = (value) => signOf(value) + places(value);
const direction = (value) => (value > 0n ? "up" : value < 0n ? "down" : "level");

function made(tag, className, text) {
  const element = document.createElement(tag);
  element.className = className;
  element.textContent = text;
  return element;
}

function flash(element) {
  element.classList.add("moved");
  setTimeout(() => element.classList.remove("moved"), 2500);
}

function moveStep({ seq, data }) {
  const row = page.querySelector(`tr${named("data-criterion", data.criterion ?? "")}`);
  if (!row || "overridden" in row.dataset) return;
  const cell = row.querySelector(named("data-round", String(data.round))), now = score(data.currentScore);
  if (cell && outdated(row, seq) && cell.textContent !== now) {
    cell.textContent = now;
    flash(cell);
  }
  const curves = within(`g${named("data-criterion", data.criterion)}`);
  curves.filter((curve) => outdated(curve, seq)).forEach((curve) => moveCurve(curve, data.round, data.currentScore));
}

function moveState({ seq, data }) {
  const whose = named("data-participant", data.participant);
  const shown = { stance: signed(micro(data.stance)), conviction: score(data.conviction) };
  for (const [measure, now] of Object.entries(shown)) {
    const place = page.querySelector(
      `tr${whose} ${named("data-round", String(data.round))} ${named("data-slot", measure)}`,
    );
    if (place && outdated(place, seq) && place.textContent !== now) {
      place.textContent = now;
      flash(place);
    }
    const curves = within(`g${whose}${named("data-measure", measure)}`);
    curves.filter((curve) => outdated(curve, seq)).forEach((curve) => moveCurve(curve, data.round, data[measure]));
  }
}

function moveFinal({ seq, data }) {
  const now = score(data.after);
  for (const place of within(`${named("data-criterion", data.criterion)} [data-final]`)) {
    if (!outdated(place, seq) || place.querySelector("strong")?.textContent === now) continue;
    const start = place.closest("[data-start]");
    if (!start) continue; /* drawn before its account was opened; the part is drawn anew */
    const moved = micro(data.after) - micro(start.dataset.start);
    const delta = made("span", `delta ${direction(moved)}`, signed(moved));
    place.replaceChildren(made("strong", "", now), " ", delta);
    flash(place);
  }
}

function moveCurve(curve, round, value) {
  const { stops, low, high, top, bottom } = curve.ownerSVGElement.dataset;
  const y = bottom - ((bottom - top) * (value - low)) / (high - low);
  let dot = curve.querySelector(named("data-stop", String(round)));
  if (!dot) {
    dot = curve.querySelector("circle").cloneNode();
    dot.dataset.stop = round;
    curve.querySelector("text").before(dot);
  }
  dot.setAttribute("cx", stops.split(" ")[round]);
  dot.setAttribute("cy", y.toFixed(1));
  const dots = within("circle", curve).sort((one, other) => one.dataset.stop - other.dataset.stop);
  const points = dots.map((one) => `${one.getAttribute("cx")},${one.getAttribute("cy")}`);
  curve.querySelector("polyline").setAttribute("points", points.join(" "));
  curve.querySelector("text").setAttribute("y", y.toFixed(1));
}

/* -- the latest words, and following them -------------------------------------------------------------------------- */

const MOST_WORDS = 200;
const follow = page.querySelector("[data-follow]");
const feed = () => page.querySelector(".feed");
const following = () => follow.getAttribute("aria-pressed") === "true";

function say({ seq, data }) {
  const list = feed()?.querySelector("ol");
  if (!list || data.kind === "synthesis" || !outdated(list, seq)) return;
  if (list.querySelector(named("data-seq", String(seq)))) return;
  const words = page.querySelector("[data-part=latest] template");
  const item = words.content.firstElementChild.cloneNode(true);
  const put = (slot, text) => { item.querySelector(named("data-slot", slot)).textContent = text; };
  item.dataset.seq = seq;
  item.classList.add(`fell-${data.kind ?? "verdict"}`);
  put("who", data.winner ? `${words.dataset[data.winner]} ${signed(micro(data.adjustment))}` : data.speaker);
  put("where", spot(data, words.dataset));
  put("words", data.text || data.reasoning || words.dataset.erased);
  list.append(item);
  while (list.children.length > MOST_WORDS) list.firstElementChild.remove();
  list.closest("[data-part]").hidden = false;
  stay();
}

function spot({ criterion, round }, { openings }) {
  if (!criterion) return "";
  if (openings === undefined) return `${criterion} \u00b7 round ${round}`;
  return round ? `exchange ${round}` : openings;
}

let followed = null; /* the speech to whose beginning was scrolled: whoever reads on in it is left there */

const speech = () => feed()?.querySelector("li:last-child");

/* How far the list is scrolled where the newest speech begins at its top, or ends at its end where it is short. */
function beginning() {
  const list = feed(), last = speech();
  const top = last.getBoundingClientRect().top - list.getBoundingClientRect().top - list.clientTop + list.scrollTop;
  return Math.min(top, list.scrollHeight - list.clientHeight);
}

function stay() {
  follow.hidden = !feed() || feed().closest("[data-part]").hidden;
  const newest = speech();
  if (!newest || !following() || newest.dataset.seq === followed) return;
  followed = newest.dataset.seq;
  feed().scrollTop = beginning();
}

function press(button, on) { button.setAttribute("aria-pressed", String(on)); }

/* -- one polite voice ---------------------------------------------------------------------------------------------- */

const QUIET = 3000, YOURS = "It is your turn. "; /* it has a deadline: nothing else is said in its place */
const voice = page.querySelector("[data-announcer]");
const mute = page.querySelector("[data-mute]");
const muted = () => mute.getAttribute("aria-pressed") === "true";
const SAID = {
  started: "The debate has begun.", paused: "The debate is paused.", resumed: "The debate goes on.", concluding: "The debate comes to its end.",
  concluded: "The debate is concluded.", failed: "The debate has failed.", cancelled: "The debate is cancelled.", rerun: "A part is played again.",
};
let told = 0, news = 0, newest = "", turn = "", speaking = null;

function announce({ type, data }) {
  news += 1;
  if (type === "criterion:score-updated") newest = `${data.criterion} now ${score(data.after)}.`;
  const own = ["data-seat", "data-judges"].map((seat) => named(seat, data.participant ?? "")).join();
  if (type === "turn:awaited" && page.querySelector(own)) turn = YOURS;
  if (type === "participant:surrendered") {
    const name = page.querySelector(`tr${named("data-participant", data.participant)} [data-name]`);
    if (name) newest = `${name.textContent} gives up.`;
  }
  if (type.startsWith("debate:")) newest = SAID[type.slice("debate:".length)] ?? newest;
  speak();
}

/* The turns and judgements that are awaited of whoever looks, by their ids. */
function ownTurns() {
  const judges = within("[data-judges]").map(({ dataset }) => named("data-judge", dataset.judges));
  return within([".seat-now", ...judges].join()).map(({ dataset }) => dataset.awaited);
}

/* Tells of what came without its events. */
function missed(turns) {
  if (ownTurns().some((id) => !turns.includes(id))) turn = YOURS;
  else newest = "The page was updated.";
  speak();
}

function speak() {
  if (muted()) [turn, news, newest] = ["", 0, ""];
  if (speaking || muted()) return;
  speaking = setTimeout(() => {
    speaking = null;
    told = Date.now();
    voice.textContent = `${turn}${news ? `${news} update${news === 1 ? "" : "s"}. ` : ""}${newest}`;
    [turn, news, newest] = ["", 0, ""];
  }, Math.max(300, told + QUIET - Date.now()));
}

/* -- time that is left --------------------------------------------------------------------------------------------- */

let ahead; /* how far the server's clock is ahead of this one: told anew, for a page may come from the browser's cache */

function setClock(now) { ahead = Date.parse(now) - Date.now(); }

function left(seconds) {
  const [days, hours, minutes] = [seconds / 86400, (seconds % 86400) / 3600, (seconds % 3600) / 60].map(Math.floor);
  if (days) return `${days} d ${hours} h`;
  if (hours) return `${hours} h ${minutes} min`;
  return minutes > 1 ? `${minutes} min` : `${seconds} s`;
}

function tick() {
  for (const timer of within("[data-until]")) {
    const now = left(Math.max(0, Math.floor((Date.parse(timer.dataset.until) - Date.now() - ahead) / 1000)));
    if (timer.textContent !== now) timer.textContent = now;
  }
}

/* -- the line to the server: a socket, else server-sent events, else asking ---------------------------------------- */

const FIRST = 100, LONGEST = 10_000, ASKING = 5000, SOCKET_AGAIN = 60_000, SELDOM = 960_000, GREETING = 15_000;
const FOR_GOOD = new Set([4400, 4403, 4404]);
const WAYS = [socket, stream, ask];
const WORDS = {
  connecting: "Connecting",
  live: "Live updates on",
  early: "Connected, and not begun yet",
  lost: "Connection lost, trying again",
  asking: "Asking for news every few seconds",
  over: "No longer connected.",
};
const RELEASED = "There is a new release of this site.";
let way = 0, fruitless = 0, tries = 0, line = null, retry = null, watch = null, turnedAt = 0, patience = SOCKET_AGAIN;
let thanking = null, owed = 0; /* what was applied and not acknowledged: since when, and how much */

const connection = () => page.querySelector("[data-connection]").dataset.connection;
const early = () => page.querySelector(".heading .status-draft, .heading .status-scheduled") !== null;

function show(state, words = WORDS[state === "live" && early() ? "early" : state]) {
  const place = page.querySelector("[data-connection]");
  const before = place.dataset.connection;
  place.dataset.connection = state;
  place.querySelector("[data-slot=connection]").textContent = words;
  place.querySelector("[data-slot=reload]").hidden = state !== "over";
  if (before === state || (before !== "lost" && !["lost", "over"].includes(state))) return;
  newest = { lost: "Connection lost.", over: words }[state] ?? "Connected again.";
  speak();
}

function hang() {
  promised = null;
  abandoned += 1;
  [watch, retry, thanking].forEach(clearTimeout);
  line?.close();
  [line, thanking, owed] = [null, null, 0];
}

function over(words) {
  hang();
  show("over", words);
}

function connect() {
  if (line || connection() === "over") return;
  clearTimeout(retry);
  line = WAYS[way]();
}

/* Waits a random time under a limit that doubles, so that all who were cut off at once do not come back at once. */
function again(wait) {
  const limit = Math.min(LONGEST, 2 * FIRST * 2 ** tries);
  tries += 1;
  retry = setTimeout(connect, wait ?? FIRST + Math.random() * (limit - FIRST));
}

/* A line that never greets while the site itself answers is blocked on its way: two of these, and the next is taken.
   What such a line has not brought is asked for; where the page only asks, nothing is lost by it. */
async function lost(mine, { greeted, wait }) {
  if (line !== mine) return;
  const asks = !greeted && connection() === "asking";
  hang();
  if (wait === undefined && !asks) show("lost");
  line = { close() {} };
  const holding = line;
  const answers = !greeted && (await catchUp().then(() => true, () => false));
  if (line !== holding) return;
  line = null;
  if (asks && !answers) show("lost");
  fruitless = answers ? fruitless + 1 : 0;
  if (fruitless > 1) [way, fruitless, turnedAt] = [Math.min(way + 1, WAYS.length - 1), 0, Date.now()];
  again(wait);
}

/* Has the server draw the whole page, and goes on from there. What is folded is drawn when somebody opens it. */
async function catchUp({ force = false } = {}) {
  if (force) abandoned += 1;
  const turns = ownTurns(), all = within(`[data-part]${force ? "" : ":not([data-when-erased])"}`);
  const later = all.filter((part) => !force && folded(part)), now = all.filter((part) => !later.includes(part));
  if (!force) later.push(...now.splice(AT_A_TIME));
  const at = await draw(names(now.splice(0, AT_A_TIME)), force ? { force } : { since: stand.seq });
  if (!at) return;
  if (!force && isOther(at)) return catchUp({ force: true });
  while (now.length) await draw(names(now.splice(0, AT_A_TIME)), { force });
  names(later).forEach((name) => outdate(name, at.seq));
  if (at.seq > stand.seq) missed(turns);
  if (force || at.seq > stand.seq) Object.assign(stand, at);
  redraw();
}

async function resync() {
  hang();
  const holding = (line = { close() {} });
  await catchUp({ force: true }).catch(() => show("lost"));
  if (line !== holding) return;
  line = null;
  again();
}

function hear(mine, message, state) {
  clearTimeout(watch);
  if (message.type === "hello") state.quiet = message.heartbeat * 2500;
  watch = setTimeout(() => lost(mine, state), state.quiet);
  if (message.type === "hello" && message.schema > Number(page.dataset.schema)) return over(RELEASED);
  if (message.type === "bye") state.wait = message.retry;
  if (message.type === "resync" || (message.type === "hello" && (message.after !== stand.seq || isOther(message)))) {
    return resync();
  }
  if (message.type === "hello") {
    [state.greeted, tries, fruitless, patience] = [true, 0, 0, SOCKET_AGAIN];
    promise(state.shows);
    setClock(message.now);
    show("live");
    redraw();
  }
  if (message.events) take(message);
  if (message.parts) bring(message.parts);
}

function bring(parts) {
  const html = parts.map(({ seq, html: drawing }) => `<div data-drawn-at="${seq}">${drawing}</div>`);
  place(parsed(html.join("")).body, parts.map(({ name }) => name));
}

function where(path, state, scheme = (one) => one) {
  const url = new URL(path, location.href), parts = Object.entries(looked());
  state.shows = parts.map(([name]) => name);
  url.protocol = scheme(url.protocol);
  const shows = parts.map((part) => part.join(":"));
  url.search = new URLSearchParams({ after: stand.seq, epoch: stand.epoch, shows });
  return url;
}

/* A page that asks does so as often while it tries a line. */
const patient = () => ({ quiet: connection() === "asking" ? ASKING : GREETING });

function socket() {
  const state = patient();
  const mine = new WebSocket(where(page.dataset.socket, state, (one) => one.replace("http", "ws")));
  watch = setTimeout(() => lost(mine, state), state.quiet);
  mine.onmessage = ({ data }) => {
    if (line !== mine) return;
    const message = JSON.parse(data);
    if (message.type === "hello") state.due = message.ack;
    hear(mine, message, state);
    if (message.events || message.parts) thank(mine, data.length, state.due);
  };
  mine.look = () => {
    if (mine.readyState !== WebSocket.OPEN) return; /* until then what is opened is asked for */
    const shows = looked(), parts = Object.keys(shows);
    if (!promised || (parts.length === promised.size && parts.every((part) => promised.has(part)))) return;
    promise(parts);
    mine.send(JSON.stringify({ shows }));
  };
  mine.onclose = ({ code }) => {
    if (line === mine && FOR_GOOD.has(code)) over();
    else lost(mine, state);
  };
  return mine;
}

/* Tells the server how far this page has come, so that it sends more: twice as often as it asks for. */
function thank(mine, length, due) {
  owed += length;
  if (owed >= due.bytes / 2) tell(mine);
  else thanking ??= setTimeout(tell, due.seconds * 500, mine);
}

function tell(mine) {
  clearTimeout(thanking);
  [thanking, owed] = [null, 0];
  if (mine.readyState === WebSocket.OPEN) mine.send(JSON.stringify({ ack: stand.seq }));
}

function stream() {
  const state = patient();
  const mine = new EventSource(where(page.dataset.stream, state));
  watch = setTimeout(() => lost(mine, state), state.quiet);
  const listen = ({ data }) => { if (line === mine && data) hear(mine, JSON.parse(data), state); };
  ["hello", "message", "parts", "heartbeat", "bye", "resync"].forEach((type) => mine.addEventListener(type, listen));
  mine.onerror = () => lost(mine, state);
  return mine;
}

function ask() {
  const mine = { close() {} };
  (document.hidden ? Promise.resolve() : catchUp()).then(() => {
    if (line !== mine) return;
    line = null;
    promise([]);
    if (!document.hidden) show("asking"); /* else nobody was asked */
    redraw();
    tries = 0;
    if (Date.now() - turnedAt > patience) [way, patience] = [0, Math.min(SELDOM, 2 * patience)];
    again(ASKING * (1 + Math.random() / 2));
  }, () => lost(mine, { greeted: true }));
  return mine;
}

/* -- beginning ----------------------------------------------------------------------------------------------------- */

follow.addEventListener("click", () => {
  press(follow, !following());
  followed = null;
  stay();
});
mute.addEventListener("click", () => {
  press(mute, !muted());
  [turn, news, newest] = ["", 0, ""];
  clearTimeout(speaking); /* what was about to be said, too */
  [speaking, voice.textContent] = [null, ""];
});
page.addEventListener("scroll", ({ target }) => {
  if (target === feed() && beginning() - target.scrollTop > 40) press(follow, false);
}, { capture: true, passive: true });
new ResizeObserver(([bar]) => {
  document.documentElement.style.setProperty("--bar-height", `${bar.target.offsetHeight}px`);
}).observe(page.querySelector(".bar"));
setInterval(tick, 1000);
setInterval(askAnyway, ANYWAY);
page.addEventListener("toggle", look, { capture: true });
document.addEventListener("visibilitychange", () => {
  look();
  if (!document.hidden) connect();
});
addEventListener("online", connect);
addEventListener("pagehide", hang);
addEventListener("pageshow", ({ persisted }) => { if (persisted) connect(); });

page.querySelector(".controls").hidden = false;
setClock(page.dataset.now);
press(follow, true);
stay();
show("connecting");
connect();
