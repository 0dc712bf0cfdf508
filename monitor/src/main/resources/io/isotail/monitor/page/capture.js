// What applications did and nobody recorded: a table, worst first, with what to do about each.
import { el, count, counted, kept, percent } from './dom.js';
import { NOT_CAPTURED } from './capture-words.js';

/** What is told of coverage where no read was seen at all. */
export const NOTHING = 'nothing captured';

const COVERED = 0.99;
const NONE = { captured: 0, notCaptured: 0, readsNotCaptured: 0, worst: [] };

/** The share of reads that were decided, in words: its value, its colour, what it is of. */
export function coverageWords({ coverage, counts, capture = NONE }) {
  const all = counts.reads + capture.readsNotCaptured;
  if (!all) return { value: NOTHING, style: 'warn-text', hint: 'no read was recorded', foreign: 0 };
  const { readsForeign: foreign = 0, readsBeforeCapture: before = 0 } = counts;
  const missing = counts.reads - counts.readsDecided - foreign;
  const parts = [
    before > 0 && `${counted(before, 'read')} of what was written before capture began`,
    foreign > 0 && `${counted(foreign, 'read')} from writers that nobody captured`,
    missing > 0 && `${count(missing)} of ${counted(counts.reads, 'read')} undecided`,
    capture.readsNotCaptured > 0 && `${counted(capture.readsNotCaptured, 'read')} not captured`,
  ].filter(Boolean);
  return { value: percent(coverage), style: coverage < COVERED ? 'warn-text' : null, hint: parts.join(', ') || 'every read was decided', foreign: all ? foreign / all : 0 };
}

/** A table that can be unfolded; nothing where every statement is captured. */
export function captureTable() {
  const summary = kept(el('summary', {}), summaryOf);
  const body = kept(el('tbody', {}), (worst) => worst.map(row));
  const head = ['Statement', 'Service', 'Why', 'Times', 'Reads', 'What to do'];
  const node = el('details', { class: 'undecided not-captured', hidden: true }, summary.node,
    el('div', { class: 'scroll', tabindex: '0', role: 'region', 'aria-label': 'What is not captured, worst first' },
      el('table', {}, el('thead', {}, el('tr', {}, head.map((name) => el('th', { scope: 'col' }, name)))), body.node)));
  return {
    node,
    show(capture = NONE) {
      node.hidden = capture.worst.length === 0;
      summary.show({ notCaptured: capture.notCaptured, captured: capture.captured, reads: capture.readsNotCaptured });
      body.show(capture.worst);
    },
  };
}

function summaryOf({ notCaptured, captured, reads }) {
  const of = counted(captured + notCaptured, 'statement');
  return [`Not captured: ${count(notCaptured)} of ${of}`, reads > 0 && `, ${counted(reads, 'read')} of rows`];
}

function row({ service, statement, kind, reason, statements, reads }) {
  const { why, advice } = NOT_CAPTURED[reason] ?? { why: `${kind}: ${reason}`, advice: '' };
  return el('tr', {},
    el('td', {}, statement ? el('code', {}, statement) : el('span', { class: 'muted' }, 'other statements')),
    el('td', {}, service), el('td', { title: `${kind}: ${reason}` }, why),
    el('td', { class: 'number' }, count(statements)), el('td', { class: 'number' }, count(reads)), el('td', {}, advice));
}
