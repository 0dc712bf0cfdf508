// The monitors that share the histories: which of them can be believed, and how they do together.
import { count, counted, seconds } from './dom.js';

/** They tell each other every two seconds; what is older is no longer how it stands. */
const FRESH_SECONDS = 6;
/** From here on the lag is told of; shorter ones come and go with every batch. */
export const LAGGING_SECONDS = 10;

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

/** The lag of the monitor that is furthest behind; its seconds are null if some monitor's is unknown. */
export function worstLag(status) {
  const lags = status.instances.map((i) => i.lag);
  return lags.find((lag) => lag.seconds === null) ?? lags.reduce((worst, lag) => (lag.seconds > worst.seconds ? lag : worst), status.lag);
}

/** As in "3.2 s, about 640 transactions". */
export function lagWords(lag) {
  return `${seconds(lag.seconds)}, about ${counted(lag.transactions, 'transaction')}`;
}

/** How many they are and how many of them read; null when there is one only. */
export function monitorsWords(status) {
  const all = status.instances.length;
  if (all < 2) return null;
  const away = notReading(status).length;
  return away ? `${count(all)}, ${count(away)} not reading the log` : `${count(all)}, all reading the log`;
}
