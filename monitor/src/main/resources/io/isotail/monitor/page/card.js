// The card of one history: what it was promised, what was observed, and what keeps the checker
// from telling more. Every state has a word; colours only repeat it.
import { el, svg, count, counted, kept, percent, rate, seconds } from './dom.js';
import { captureTable, coverageWords } from './capture.js';
import { REASONS } from './words.js';

const MARKS = { pass: '✓', fail: '✗', undecided: '?', 'not-checked': '–' };

/** The worst that is to be told of a history: its rank, worst first, its colour, mark and words. */
export function stateOf(history) {
  const verdicts = Object.values(history.verdicts);
  if (history.failure) return { rank: 0, style: 'bad stopped', mark: '■', words: 'Checking stopped' };
  if (history.violated || verdicts.includes('fail')) return { rank: 1, style: 'bad', mark: '✗', words: 'Promise broken' };
  if (brokenEarlier(history)) return { rank: 2, style: 'warn', mark: '✗', words: 'Broken earlier' };
  if (isBlind(history)) return { rank: 3, style: 'bad', mark: '?', words: 'Blind: no reads are decided' };
  if (verdicts.includes('undecided')) return { rank: 3, style: 'warn', mark: '?', words: 'Partly undecided' };
  if (capturesNothing(history)) return { rank: 3, style: 'warn', mark: '?', words: 'Nothing captured' };
  if (!history.counts.transactions) return { rank: 4, style: 'idle', mark: '…', words: 'Nothing checked yet' };
  return { rank: 5, style: 'good', mark: '✓', words: 'Holds so far' };
}

/** Whether rows are read, and of none is told who wrote them. */
function isBlind({ counts, coverage }) {
  return counts.reads > 0 && coverage === 0;
}

/** Whether applications work on tables and nothing of it is seen. */
function capturesNothing({ counts, capture }) {
  return !counts.reads && capture?.notCaptured > 0 && !capture.captured;
}

/** Whether an anomaly was found that has left the window. */
function brokenEarlier(history) {
  return Object.values(history.anomalies).some((kinds) => Object.values(kinds).some((n) => n > 0));
}

/** A state that nobody can vouch for any more. */
function lastKnown(state) {
  const words = `Last known: ${state.words.toLowerCase()}`;
  return state.style === 'good' ? { ...state, style: 'idle', mark: '…', words } : { ...state, words };
}

/** A card that is brought up to date in place. */
export function card() {
  const state = kept(el('p', { class: 'state' }), ({ mark, words }) => [el('span', { 'aria-hidden': 'true' }, mark), words]);
  const name = kept(el('h3', {}), (id) => id);
  const by = kept(el('p', { class: 'muted checked-by' }), (monitor) => monitor && ['Checked by ', el('code', {}, monitor)]);
  const levels = kept(el('p', { class: 'levels-words' }), levelsWords);
  const notices = kept(el('ul', { class: 'notices' }), noticesOf);
  const verdicts = kept(el('ol', { class: 'verdicts', 'aria-label': 'Verdict for each level, the weakest first' }), ladderOf);
  const speed = kept(el('div', { class: 'rate' }), (rates) => [
    el('div', {}, el('strong', { class: 'figure' }, rate(rates.transactionsPerSecond)), ' transactions/s'),
    sparkline(rates.recentTransactions),
  ]);
  const figures = kept(el('dl', {}), figuresOf);
  const summary = kept(el('summary', {}), (reasons) => ['Undecided: ', reasons.map(([reason, n]) => `${reason} ${count(n)}`).join(', ')]);
  const over = kept(el('p', { class: 'over' }), overWords);
  const meanings = kept(el('dl', { class: 'meanings' }), (reasons) => reasons.map(([reason]) =>
    el('div', {}, el('dt', {}, reason), el('dd', {}, REASONS[reason] ?? 'A reason that this page does not know.'))));
  const undecided = el('details', { class: 'undecided', hidden: true }, summary.node, over.node, meanings.node);
  const notCaptured = captureTable();
  const node = el('article', {},
    el('header', {}, name.node, state.node), by.node, levels.node, notices.node, verdicts.node, speed.node, figures.node, undecided, notCaptured.node);

  return {
    node,
    /**
     * @param live whether it is still so: the monitor answers and reads
     * @param shared whether there are several monitors, so that it matters which one checks it
     */
    show(history, live, shared) {
      const now = live ? stateOf(history) : lastKnown(stateOf(history));
      const style = `card ${now.style}`;
      if (node.className !== style) node.className = style;
      state.show(now);
      name.show(history.history);
      by.show(shared ? history.instance : null);
      by.node.hidden = !shared;
      levels.show({ promise: history.promise, observed: history.observed, violated: history.violated, verdicts: history.verdicts, earlier: brokenEarlier(history) });
      notices.show({ failure: history.failure, shed: history.shed && history.checked, proxies: history.now.liveProxies, ...some(history.counts, ['lostRecords', 'silentProxies', 'badRecords']) });
      notices.node.hidden = notices.node.childElementCount === 0;
      verdicts.show({ verdicts: history.verdicts, levels: history.levels ?? {}, promise: history.promise });
      speed.show(history.rates);
      figures.show({ rates: history.rates.operationsPerSecond, coverage: coverageWords(history), counts: history.counts, now: history.now });
      notCaptured.show(history.capture);
      const reasons = doubtsOf(history.levels ?? {});
      undecided.hidden = reasons.length === 0;
      summary.show(reasons);
      over.show({ verdicts: history.verdicts, levels: history.levels ?? {}, speed: Math.round(history.rates.transactionsPerSecond) });
      meanings.show(reasons.map(([reason]) => [reason]));
    },
  };
}

/** What speaks against a pass now, the most frequent reason first; at each level it may count anew. */
function doubtsOf(levels) {
  const most = {};
  for (const { doubts } of Object.values(levels)) {
    for (const [reason, n] of Object.entries(doubts)) most[reason] = Math.max(n, most[reason] ?? 0);
  }
  return Object.entries(most).sort(([, a], [, b]) => b - a);
}

/** When what is in doubt will have left the window, if nothing new comes. */
function overWords({ verdicts, levels, speed }) {
  const after = Math.max(0, ...Object.entries(verdicts).filter(([, verdict]) => verdict === 'undecided').map(([level]) => levels[level]?.overAfterTransactions ?? 0));
  if (!after) return null;
  const about = speed > 0 ? `, in about ${seconds(after / speed)}` : '';
  return `If nothing new comes, this is over after ${counted(after, 'more transaction')}${about}.`;
}

function some(object, names) {
  return Object.fromEntries(names.map((name) => [name, object[name]]));
}

function levelsWords({ promise, observed, violated, verdicts, earlier }) {
  const all = Object.keys(verdicts);
  const undecided = all.filter((level) => verdicts[level] === 'undecided');
  const failing = all.filter((level) => verdicts[level] === 'fail');
  const strong = (words, style) => el('strong', { class: style }, words);
  const seen = observed ?? (violated === all[0] ? `less than ${violated}` : 'no level checked in full');
  const stronger = failing.length > 1 ? ', and so were the stronger levels' : '';
  const because = violated
    ? `: ${violated} was violated${stronger}.`
    : earlier
      ? ': a level was violated earlier, and no more within the window.'
      : undecided.length
        ? `: nothing was seen violated, but ${undecided.join(', ')} could not be checked in full.`
        : observed ? ': no checked level was violated.' : '.';
  return ['Promised ', strong(promise ?? 'by transaction'), ' · observed ', strong(seen, violated ? 'bad-text' : null), because];
}

/** A step for each level, from the weakest to the strongest, and one mark at what is promised. */
function ladderOf({ verdicts, levels, promise }) {
  return Object.entries(verdicts).map(([level, verdict]) =>
    el('li', { class: `${verdict}${level === promise ? ' promised' : ''}`, title: [`${level}: ${verdict}`, levelDetails(verdict, levels[level])].filter(Boolean).join('; ') },
      el('span', { class: 'step', 'aria-hidden': 'true' }, MARKS[verdict]),
      el('span', { class: 'name' }, level, el('span', { class: 'sr' }, ` ${verdict}${level === promise ? ', promised' : ''}`))));
}

/** Why a verdict is no pass, or since when it is one. */
function levelDetails(verdict, level) {
  if (!level) return null;
  const doubts = Object.entries(level.doubts).map(([reason, n]) => `${reason} ${count(n)}`).join(', ');
  if (verdict === 'not-checked') return `${count(level.promised)} of ${count(level.of)} transactions checked, ${count(level.of - level.promised)} not promised this level`;
  if (verdict === 'undecided') return doubts;
  if (verdict === 'pass' && level.since.appendTimeMs) return `holds since ${new Date(level.since.appendTimeMs).toISOString()}`;
  return null;
}

function noticesOf({ failure, shed, proxies, lostRecords, silentProxies, badRecords }) {
  const notice = (style, words, text) => el('li', { class: style }, el('strong', {}, `${words}: `), text);
  return [
    failure && notice('bad', 'Stopped', [failure, '. What is shown below is from before; since then nobody watches this history. See the runbook IsotailHistoryQuarantined.']),
    shed && notice('warn', 'Levels shed', `only levels up to ${shed} are checked for now, to keep up. What was promised more is undecided. See the runbook IsotailLevelsShed.`),
    lostRecords > 0 && notice('warn', 'Gap', `${counted(lostRecords, 'record')} lost. What depends on them is undecided, and an anomaly among them goes unseen.`),
    silentProxies > 0 && notice('warn', 'Silent', `${counted(silentProxies, 'proxy', 'proxies')} fell silent without a goodbye: what they committed last may be missing. Live now: ${count(proxies)}.`),
    badRecords > 0 && notice('warn', 'Bad records', `${counted(badRecords, 'record')} made no sense and were skipped.`),
  ].filter(Boolean);
}

function figuresOf({ rates, coverage, counts, now }) {
  return [
    figure('Coverage', coverage.value, coverage.style, coverage.hint),
    coverage.foreign > 0 && figure('Foreign', percent(coverage.foreign), null, 'reads from writers that nobody captured; not part of the coverage'),
    figure('Committed', count(counts.transactions), null, 'transactions checked'),
    figure('Events/s', rate(rates), null, 'operations a second'),
    figure('Window', count(now.windowTransactions), null, counts.edgesDropped ? `transactions in the window; it is what verdicts speak of: ${counted(counts.edgesDropped, 'edge')} led out of it` : 'transactions in the window, which verdicts speak of'),
    figure('Waiting', count(now.pendingTransactions), null, 'transactions that wait for a predecessor or a writer'),
    figure('Sessions', count(now.liveSessions), null, 'sessions with a transaction in the window or waiting'),
    figure('Live proxies', count(now.liveProxies), null, 'proxies that send heartbeats'),
    figure('Lost records', count(counts.lostRecords), counts.lostRecords ? 'warn-text' : null, 'records known to be lost'),
  ];
}

/** A name and a value, with a hint as tooltip. */
export function figure(name, value, style, hint) {
  return el('div', { title: hint }, el('dt', {}, name), el('dd', { class: style }, value));
}

function sparkline(values) {
  const width = 180;
  const height = 36;
  const most = Math.max(1, ...values);
  const step = width / 59;
  const points = values.map((v, i) => {
    const x = width - (values.length - 1 - i) * step;
    return `${x.toFixed(1)},${(height - 2 - (v / most) * (height - 4)).toFixed(1)}`;
  });
  const drawing = svg('svg', { class: 'spark', viewBox: `0 0 ${width} ${height}`, role: 'img', 'aria-label': `transactions a second over the last minute, at most ${count(most)}`, preserveAspectRatio: 'none' });
  if (points.length > 1) {
    const first = points[0].split(',')[0];
    drawing.append(svg('polygon', { points: `${first},${height} ${points.join(' ')} ${width},${height}` }));
    drawing.append(svg('polyline', { points: points.join(' ') }));
  }
  return drawing;
}
