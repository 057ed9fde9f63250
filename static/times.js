/* Times of day as the reader's clock has them: in the zone of their profile, or else that of this browser. */

const zone = known(document.documentElement.dataset.zone || undefined) ?? known();
const WORDS = { day: "numeric", month: "short", year: "numeric", hour: "2-digit", minute: "2-digit", hourCycle: "h23", timeZone: zone, timeZoneName: "short" };

function known(zone) {
  try {
    return Intl.DateTimeFormat("en-GB", { timeZone: zone }).resolvedOptions().timeZone;
  } catch {
    return undefined;
  }
}

function written(moment, seconds) {
  const format = new Intl.DateTimeFormat("en-GB", seconds ? { ...WORDS, second: "2-digit" } : WORDS);
  const { day, month, year, hour, minute, second, timeZoneName } = Object.fromEntries(
    format.formatToParts(moment).map(({ type, value }) => [type, value]),
  );
  return `${day} ${month.slice(0, 3)} ${year}, ${hour}:${minute}${seconds ? `:${second}` : ""} ${timeZoneName}`;
}

function localise() {
  for (const time of document.querySelectorAll("time[data-written]")) {
    const words = written(new Date(time.dateTime), time.dataset.written === "seconds");
    if (time.textContent !== words) time.textContent = words;
  }
}

localise();
document.addEventListener("moot:drawn", localise);
