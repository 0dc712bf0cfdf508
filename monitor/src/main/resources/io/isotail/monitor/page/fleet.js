// The monitors that share the histories: which of them can be believed, and how they do together.
import { count } from './dom.js';

/** They tell each other every two seconds; what is older is no longer how it stands. */
const FRESH_SECONDS = 6;

/** Whether somebody reads and checks this history now. */
export function isLive(status, history) {
  const by = status.instances.find((i) => i.instance === history.instance);
  return Boolean(by?.ready && by.ageSeconds < FRESH_SECONDS);
}

/** The monitors that do not read the log, and why. */
export function notReading(status) {
  return status.instances.filter((i) => !i.ready || i.ageSeconds >= FRESH_SECONDS)
    .map((i) => ({ self: i.self, name: i.instance, why: i.ageSeconds >= FRESH_SECONDS ? 'it has fallen silent' : i.problem ?? i.phase }));
}

/** The lag of the monitor that is furthest behind. */
export function worstLag(status) {
  return status.instances.map((i) => i.lag).reduce((worst, lag) => (lag.seconds > worst.seconds ? lag : worst), status.lag);
}

/** How many they are and how many of them read; null when there is one only. */
export function monitorsWords(status) {
  const all = status.instances.length;
  if (all < 2) return null;
  const away = notReading(status).length;
  return away ? `${count(all)}, ${count(away)} not reading the log` : `${count(all)}, all reading the log`;
}
