// The four questions that somebody comes with, each answered in a line, in this order: is anything
// broken now, by which causes, how much is seen, is the monitor well.
import { el, ago, count, counted, kept, percent, seconds } from './dom.js';
import { stateOf } from './card.js';
import { LAGGING_SECONDS, isLive, notReading, worstLag } from './fleet.js';
import { isLong } from './health.js';

/** More histories than these are counted, not named. */
const MOST_NAMED = 3;
const COVERED = 0.99;

/** The four lines. */
export function answers() {
  const body = kept(el('dl', { class: 'answers', id: 'answers' }), linesOf);
  let told = null;
  return {
    node: body.node,
    /** @param causes what is known of them, null before they have been asked for */
    show(status, causes) {
      told = { broken: brokenNow(status), causes, seen: seenNow(status), well: wellness(status) };
      body.show(told);
    },
    /** The monitor does not answer. */
    stale() {
      const unknown = { style: 'bad-text', words: 'Not known: the monitor does not answer' };
      body.show({ broken: unknown, causes: told?.causes ?? null, seen: told?.seen ? lastKnown(told.seen) : null, well: { style: 'bad-text', words: 'No: it does not answer' } });
    },
  };
}

function linesOf({ broken, causes, seen, well }) {
  const answer = (question, { style, words } = { words: '…' }) => el('div', {}, el('dt', {}, question), el('dd', { class: style }, words));
  return [
    answer('Is anything broken now?', broken),
    answer('Which causes?', causes ? causeWords(causes, broken.yes) : undefined),
    answer('How much is seen?', seen ?? undefined),
    answer('Is the monitor well?', well),
  ];
}

function brokenNow(status) {
  const { histories } = status;
  if (!histories.length) return { style: 'warn-text', words: 'Nothing is checked yet' };
  const live = histories.filter((h) => isLive(status, h) && !h.failure);
  const unknown = histories.filter((h) => !live.includes(h));
  const broken = live.filter((h) => stateOf(h).rank === 1);
  const earlier = live.filter((h) => stateOf(h).rank === 2);
  const unsure = unknown.length ? `; not known of ${names(unknown)}, which is not read now` : '';
  if (broken.length) return { yes: true, style: 'bad-text', words: `Yes: ${names(broken)}${unsure}` };
  const before = unknown.filter((h) => stateOf({ ...h, failure: null }).rank === 1);
  if (!live.length) return { style: 'bad-text', words: `Not known of ${names(unknown)}, which is not read now${before.length ? `; broken when it was read last: ${names(before)}` : ''}` };
  if (earlier.length) return { style: 'warn-text', words: `Not now; ${names(earlier)} ${earlier.length === 1 ? 'was' : 'were'} earlier${unsure}` };
  const checking = live.filter((h) => h.counts.transactions > 0);
  if (!checking.length) return { style: 'warn-text', words: `Nothing is checked yet${unsure}` };
  const doubted = live.filter((h) => stateOf(h).rank === 3);
  const doubts = doubted.length ? `; in doubt: ${names(doubted)}` : '';
  return { style: unknown.length || doubts ? 'warn-text' : 'good-text', words: `No: what was checked holds${doubts}${unsure}` };
}

function causeWords({ matching, narrowed, last, decided }, broken) {
  if (narrowed) return { words: `${counted(matching, 'cause matches', 'causes match')} the filters` };
  if (!matching) return { words: broken ? 'None named yet: see the anomalies below' : 'None known' };
  const seenTo = decided ? `; somebody sees to ${count(decided)}` : '';
  return { words: [el('a', { href: '#h-causes', click: toCauses }, counted(matching, 'cause')), ', which struck last ', ago(last), seenTo] };
}

function toCauses(event) {
  event.preventDefault(); // the address belongs to the filters
  document.getElementById('causes')?.scrollIntoView();
}

function seenNow(status) {
  const seen = seenOf(status.histories);
  return !status.histories.length || status.histories.some((h) => isLive(status, h)) ? seen : lastKnown(seen);
}

function lastKnown({ words }) {
  return { style: 'warn-text', words: words.startsWith('Last known') ? words : `Last known: ${words}` };
}

function seenOf(histories) {
  const seen = histories.filter((h) => h.counts.reads + (h.capture?.readsNotCaptured ?? 0) > 0);
  const blind = histories.filter((h) => !seen.includes(h));
  const missed = histories.reduce((all, h) => all + (h.capture?.notCaptured ?? 0), 0);
  const nothing = blind.length ? `no read of ${names(blind)}` : null;
  const statements = missed ? `${counted(missed, 'statement')} not captured` : null;
  if (!seen.length) return { style: histories.length ? 'warn-text' : null, words: [nothing ?? 'Nothing yet', statements].filter(Boolean).join('; ') };
  const worst = seen.reduce((a, b) => (b.coverage < a.coverage ? b : a));
  if (worst.coverage === 0) return { style: 'bad-text', words: `Blind: no read of ${names(seen.filter((h) => h.coverage === 0))} is decided` };
  const share = seen.length === 1 ? `${percent(worst.coverage)} of the reads` : `${percent(worst.coverage)} of the reads of ${worst.history}, no less elsewhere`;
  return { style: worst.coverage < COVERED || nothing || statements ? 'warn-text' : 'good-text', words: [share, nothing, statements].filter(Boolean).join('; ') };
}

function wellness(status) {
  const away = notReading(status);
  const stopped = status.histories.filter((h) => h.failure);
  const lag = worstLag(status);
  if (!status.ready) return { style: status.phase === 'connecting' && !isLong(status) ? 'warn-text' : 'bad-text', words: `No: ${status.phase === 'running' ? 'it does not read the log' : status.phase === 'connecting' ? 'it has no connection to the log' : status.phase}` };
  if (stopped.length) return { style: 'bad-text', words: `No: checking stopped of ${names(stopped)}` };
  if (away.length) return { style: 'warn-text', words: `Not all: ${count(away.length)} of ${counted(status.instances.length, 'monitor')} do not read` };
  if (lag.seconds === null) return { style: 'warn-text', words: 'It reads the log; how far behind is not known yet' };
  if (lag.seconds > LAGGING_SECONDS) return { style: 'warn-text', words: `It is behind by ${seconds(lag.seconds)}` };
  return { style: 'good-text', words: 'Yes: it reads the log and keeps up' };
}

function names(histories) {
  return histories.length > MOST_NAMED ? `${count(histories.length)} histories` : histories.map((h) => h.history).join(', ');
}
