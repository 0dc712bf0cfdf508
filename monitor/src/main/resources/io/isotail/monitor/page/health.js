// Whether the monitor answers, reads and keeps up: one word at the top, sentences below it.
import { el, announce, clock, kept, seconds } from './dom.js';
import { LAGGING_SECONDS, lagWords, notReading, worstLag } from './fleet.js';

const banner = document.getElementById('banner');

/** After so long a connection that is not there is no start any more. */
const STARTING_MS = 60_000;
const openedMs = Date.now();
let answeredMs = null;
let words = null;

const badge = kept(document.getElementById('health'), ([state, word]) => [
  el('span', { class: `dot ${state}`, 'aria-hidden': 'true' }),
  el('span', {}, word),
]);
const lines = kept(banner, (problems) => problems.map((p) => el('li', { class: p.state }, el('strong', {}, p.name), p.text)));

/** Shows the monitor's state as it just told it. */
export function showStatus(status, viewError) {
  answeredMs = Date.now();
  const problems = problemsOf(status);
  if (viewError) {
    problems.push({ state: 'warn', word: 'incomplete', name: 'Incomplete', text: `: a part of this page could not be loaded (${viewError.message}).` });
  }
  show(problems);
}

/** Shows that it did not tell anything. */
export function showNoAnswer(error) {
  if (error.status) {
    show([{ state: 'bad', word: 'refused', name: 'Refused', text: `: the monitor answers, but not with its state: ${error.message}` }]);
    return;
  }
  const sinceMs = answeredMs ?? openedMs;
  const ago = seconds(Math.round((Date.now() - sinceMs) / 1000));
  const old = answeredMs ? 'What is shown is from then.' : 'It has not answered since this page was opened.';
  show([{ state: 'bad', word: 'no answer', name: 'No answer from the monitor', text: ` since ${clock(new Date(sinceMs))} (${ago} ago). ${old} It is asked again every second.` }]);
}

/** Whether the monitor has been without its log for so long that somebody has to look. */
export function isLong(status) {
  return status.phase === 'connecting' && Date.now() - status.phaseSinceMs > STARTING_MS;
}

function problemsOf(status) {
  const problems = [];
  const stopped = status.histories.filter((h) => h.failure).map((h) => h.history);
  if (status.phase === 'stopped') {
    problems.push({ state: 'bad', word: 'stopped', name: 'Stopped', text: `: ${status.problem ?? 'the monitor is ending'}. Nothing is checked any more.` });
  } else if (status.phase === 'connecting') {
    const problem = status.problem ?? 'the log is not open yet';
    problems.push(isLong(status)
      ? { state: 'bad', word: 'no connection', name: 'No connection to the log', text: ` since ${clock(new Date(status.phaseSinceMs))}: ${problem}. Nothing is checked until then.` }
      : { state: 'warn', word: 'connecting', name: 'Connecting', text: `: ${problem}. Nothing is checked until then.` });
  } else if (!status.ready) {
    problems.push({ state: 'bad', word: 'not reading', name: 'Not reading the log', text: `: ${status.problem}. It goes on where it stopped once that is over; the cards show how it was before.` });
  }
  for (const { self, name, why } of notReading(status)) {
    if (!self) problems.push({ state: 'warn', word: 'one not reading', name: 'Another monitor does not read the log', text: `: ${name} (${why}). The cards of its histories show how it was before.` });
  }
  if (stopped.length) {
    problems.push({ state: 'bad', word: 'history stopped', name: 'Checking has stopped', text: ` of ${stopped.join(', ')}. Other histories go on.` });
  }
  const lag = worstLag(status);
  if (lag.seconds > LAGGING_SECONDS) {
    problems.push({ state: 'warn', word: 'behind', name: 'Behind', text: ` by ${lagWords(lag)}: the cards show how it was then, and an anomaly is found that much later.` });
  }
  return problems;
}

function show(problems) {
  const [first] = problems;
  badge.show(first ? [first.state, first.word] : ['good', 'live']);
  lines.show(problems.map(({ state, name, text }) => ({ state, name, text })));
  banner.hidden = problems.length === 0;
  const now = problems.map((p) => p.name).join(', ');
  // Numbers in the sentences change all the time; only what is new or over is worth hearing.
  if (now !== words && (words !== null || now)) announce(now ? `Monitor: ${now}` : 'Monitor: live again');
  words = now;
}
