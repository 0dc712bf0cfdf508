// The transactions of a witness side by side: a lane for each session, time going down.
import { READS, conflicts } from './conflicts.js';
import { el, count, counted, nanos, zone } from './dom.js';

/** So many pixels the whole time takes at least; text makes it longer. */
const TIME_PX = 220;
/** Before this, in ns since 1970, a number is no time of day, but a count of somebody's own. */
const FIRST_NS = 1e17;
const VERBS = { read: 'reads', write: 'writes', delete: 'deletes', opaque: 'writes', listed: 'lists' };
const ENDS = { committed: 'commit', aborted: 'rollback', unknown: 'outcome unknown' };
/** More than these are counted, not named. */
const MOST_NAMED = 3;

/** A section with the lanes of this anomaly; null if it has no transactions to show. */
export function lanes(anomaly, heading = 'What ran beside what') {
  if (!anomaly.transactions?.length) return null;
  const spans = spansOf(anomaly);
  const timed = spans.every((span) => span.beginUs !== null && (span.endUs === null || span.endUs >= span.beginUs));
  const lines = timed ? linesOf(spans) : inOrder(spans);
  const culprits = new Set(anomaly.cycle.flatMap(({ from, to }) => [from, to]));
  // Who is on no edge may still be the reader that an edge is inferred from.
  for (const span of spans) span.aside = culprits.size > 0 && !culprits.has(span.t.name) && !span.t.operations.some((o) => READS.includes(o.kind));
  const ordered = [...spans].sort((a, b) => a.from - b.from || a.to - b.to);
  // Those who break the promise stand first; who only set the rows up stands behind them.
  const lanesUsed = intoLanes([...ordered.filter((s) => !s.aside), ...ordered.filter((s) => s.aside)]);
  const grid = el('div', { class: 'lanes' },
    lines.map((line, i) => place(el('div', { class: 'instant', 'aria-hidden': 'true' }, line.words), { '--from': i + 1 })),
    el('ol', { role: 'list' }, ordered.map((span) => place(box(span, spans, timed), { '--lane': span.lane + 2, '--from': span.from, '--to': span.to }))));
  place(grid, { '--lanes': lanesUsed, '--rows': rowsOf(lines) });
  grid.append(conflicts(grid, anomaly.cycle));
  return el('section', { 'aria-labelledby': 'h-lanes', id: 'lanes' },
    el('h2', { id: 'h-lanes' }, heading),
    notes(anomaly, spans, timed).map((words) => el('p', { class: 'muted lane-note' }, words)),
    anomaly.cycle.some(({ kind }) => kind === 'rw') && el('p', { class: 'muted lane-note arrow-note' }, 'The dashed arrow leads from a read to the write that it missed.'),
    el('div', { class: 'lanes-box', tabindex: '0', role: 'region', 'aria-label': `${counted(spans.length, 'transaction')} in ${counted(lanesUsed, 'lane')}, scrolls sideways` }, grid));
}

/** Each transaction with its times; only a capsule has them, in the same order. */
function spansOf({ transactions, capsule }) {
  const parallel = capsule?.length === transactions.length;
  return transactions.map((t, i) => {
    const { begin, end, clock } = parallel ? capsule[i] : {};
    return { t, beginUs: micros(begin), endUs: micros(end), clock: clock ?? null };
  });
}

/** Nanoseconds as microseconds, which numbers here hold exactly for any time of day; null for none. */
function micros(ns) {
  if (typeof ns !== 'number' || !Number.isFinite(ns)) return null;
  return ns >= FIRST_NS ? Math.round(ns / 1e3) : ns / 1e3;
}

/** The lines across all lanes, one for each instant; tells every span between which two it lies. */
function linesOf(spans) {
  const lines = new Map();
  // At one instant what ends comes before what begins; what takes no time ends after it began.
  const add = (us, phase, span, edge) => {
    const key = `${us} ${phase}`;
    if (!lines.has(key)) lines.set(key, { us, phase, edges: [] });
    lines.get(key).edges.push([span, edge]);
  };
  for (const span of spans) {
    add(span.beginUs, 1, span, 'from');
    add(span.endUs ?? Infinity, span.endUs === span.beginUs ? 2 : 0, span, 'to');
  }
  const all = [...lines.values()].sort((a, b) => a.us - b.us || a.phase - b.phase);
  all.forEach((line, i) => {
    for (const [span, edge] of line.edges) span[edge] = i + 1;
    line.words = i === 0 ? timeOfDay(line.us) : line.us === Infinity ? 'end not known' : `+${nanos((line.us - all[0].us) * 1e3)}`;
  });
  return all;
}

/** Without times: one below the other, as the log has them. */
function inOrder(spans) {
  const byLog = [...spans].sort((a, b) => a.t.offset - b.t.offset);
  byLog.forEach((span, i) => { Object.assign(span, { from: i + 1, to: i + 2 }); });
  return byLog.map((span) => ({ us: 0, words: `offset ${count(span.t.offset)}` }));
}

/** Gives each span its session's lane, or a new one if that is taken; returns how many there are. */
function intoLanes(ordered) {
  const ends = [];
  for (const span of ordered) {
    const session = `${span.t.session} ${span.t.instance}`;
    let lane = ends.findIndex((l) => l.session === session && (l.to <= span.from || span.to <= l.from));
    if (lane < 0) lane = ends.push({ session, from: span.from, to: span.to }) - 1;
    ends[lane].from = Math.min(ends[lane].from, span.from);
    ends[lane].to = Math.max(ends[lane].to, span.to);
    span.lane = lane;
  }
  return ends.length;
}

/** Rows are as high as the time between two lines is long, and never cut what stands in them. */
function rowsOf(lines) {
  const known = lines.filter((line) => line.us !== Infinity);
  const allUs = known.at(-1).us - known[0].us;
  return lines.map((line, i) => {
    const nextUs = lines[i + 1]?.us;
    const share = allUs > 0 && Number.isFinite(nextUs) ? (nextUs - line.us) / allUs : 0;
    return `minmax(${Math.round(share * TIME_PX)}px, auto)`;
  }).join(' ');
}

function box(span, spans, timed) {
  const { t } = span;
  const beside = timed ? spans.filter((other) => other !== span && other.from < span.to && span.from < other.to) : [];
  return el('li', { class: `lane-box${span.aside ? ' aside' : ''}`, 'data-transaction': t.name },
    el('h3', {}, t.name, el('span', { class: 'muted' }, ` ${[t.service, t.backendPid ? `pid ${t.backendPid}` : null].filter(Boolean).join(' · ')}`)),
    el('p', { class: 'moment' }, el('b', {}, 'begin'), timed && ` ${timeOfDay(span.beginUs)}`),
    el('ol', {}, t.operations.map((o) => el('li', { class: o.undone ? 'undone' : null, 'data-kind': o.kind, 'data-key': o.key },
      `${VERBS[o.kind] ?? o.kind} `, el('code', { class: `op ${o.kind}` }, assignment(o)),
      o.statement && el('code', { class: 'sql' }, o.statement)))),
    el('p', { class: 'moment end' }, el('b', {}, ENDS[t.outcome] ?? t.outcome), endWords(span, timed)),
    beside.length > 0 && el('p', { class: 'muted beside' }, `ran beside ${beside.length > MOST_NAMED ? `${count(beside.length)} others` : beside.map((other) => other.t.name).join(', ')}`));
}

/** The row and its version as the explanation writes them: account[7]=4, account#44cce85862c40973=4. */
function assignment({ kind, table, key, text }) {
  const words = text.slice(2); // without the letter of the kind
  if (!table || kind === 'opaque') return words;
  return words.startsWith(`${key}=`) ? `${table}[${key}]${words.slice(key.length)}` : `${table}#${words}`;
}

function endWords({ beginUs, endUs }, timed) {
  if (!timed) return null;
  if (endUs === null) return ', when is not known';
  return ` ${timeOfDay(endUs)}, after ${nanos((endUs - beginUs) * 1e3)}`;
}

function notes(anomaly, spans, timed) {
  const clocks = new Set(spans.map((span) => span.clock)).size;
  if (!timed) {
    const without = spans.filter((span) => span.beginUs === null).length;
    const who = without === spans.length ? 'These transactions have no times' : `${counted(without, 'transaction has', 'transactions have')} no times that fit together`;
    return [`${who}: they stand in the order of the log, one below the other. Whether they ran at the same time is not known.`];
  }
  const apart = anomaly.clockUncertainty ? `They are taken to be at most ${anomaly.clockUncertainty} apart` : 'How far they are apart is not known';
  const firstUs = Math.min(...spans.map((span) => span.beginUs));
  const local = spans.every((span) => span.beginUs >= FIRST_NS / 1e3);
  return [
    `Begin and commit are when the application’s clock says. ${local ? `They began on ${new Date(firstUs / 1e3).toLocaleDateString('en-CA')}, time zone ${zone(new Date(firstUs / 1e3))}. ` : ''}When each statement in between ran is not recorded: within a transaction they stand in their order, across lanes only begin and commit compare.`,
    clocks > 1 && `${count(clocks)} clocks told these times. ${apart}: between lanes the order may have been another.`,
  ].filter(Boolean);
}

/** The clock with microseconds, in the browser's zone. */
function timeOfDay(us) {
  if (us < FIRST_NS / 1e3) return `${count(us * 1e3)} ns`;
  return `${new Date(Math.floor(us / 1e3)).toLocaleTimeString('en-GB')}.${String(us % 1e6).padStart(6, '0')}`;
}

/** Sets what the style sheet computes with. */
function place(node, properties) {
  for (const [name, value] of Object.entries(properties)) node.style.setProperty(name, value);
  return node;
}
