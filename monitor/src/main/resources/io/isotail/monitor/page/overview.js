// The overview: four answers, the anomalies over time, the incidents, a card for each history, the
// causes, how the monitor keeps up, the anomalies listed.
import { el, getJson, clock, count, counted, kept, seconds } from './dom.js';
import { anomalyList } from './anomaly-list.js';
import { answers } from './answers.js';
import { card, figure, stateOf } from './card.js';
import { causeList } from './causes.js';
import { incidentList } from './incidents.js';
import { LAGGING_SECONDS, isLive, lagWords, monitorsWords, notReading, worstLag } from './fleet.js';
import { filtersOf, select } from './filters.js';
import { timeline } from './timeline.js';
import { SCOPE, TERMS } from './words.js';

/** Ticks after which the timeline is asked for although no anomaly came: time passes. */
const TIMELINE_TICKS = 10;

export function overview(main) {
  document.title = 'isotail';
  const filters = filtersOf(location.search, () => Promise.all([load({ say: true }), causes.load(), incidents.load()]).catch(() => {})); // the next refresh tells
  const selects = { history: select('History', 'history', filters), level: select('Level', 'level', filters), kind: select('Anomaly', 'kind', filters) };
  const list = anomalyList(filters);
  const answered = answers();
  const incidents = incidentList(filters);
  let causesTold = null;
  const causes = causeList(filters, (told) => {
    causesTold = told;
    if (last) answered.show(last, causesTold);
  });
  const plot = timeline({ onRange: (range) => filters.set(range), onSpan: (span) => filters.set({ span, from: '', to: '' }) });
  const cards = cardGrid();
  const strip = kept(el('dl', { class: 'strip' }), stripOf);
  const tally = kept(el('span', { class: 'muted', id: 'tally' }), (words) => words);
  const found = kept(el('span', { class: 'muted', id: 'found' }), (words) => words);
  const chosen = kept(el('p', { class: 'narrowed' }), chosenOf);
  const known = { history: [], level: [], kind: [] };
  let last = null;
  let latest = null;
  let silent = false;
  let seen = null;
  let asked = '';
  let ticks = 0;
  let left = false;
  /** Where a link leads on this view, once there is something to lead to. */
  let toAnchor = location.hash === '#h-anomalies' ? location.hash : null;

  main.append(
    el('h1', { class: 'sr' }, 'Overview'),
    answered.node,
    plot.node,
    incidents.node,
    el('section', { 'aria-labelledby': 'h-histories' },
      el('div', { class: 'heading' }, el('h2', { id: 'h-histories' }, 'Histories ', tally.node)),
      cards.node, el('p', { class: 'muted scope' }, SCOPE), help()),
    causes.node,
    el('section', { 'aria-labelledby': 'h-monitor' }, el('h2', { id: 'h-monitor' }, 'The monitor'), strip.node),
    el('section', { 'aria-labelledby': 'h-anomalies' },
      el('div', { class: 'heading' },
        el('h2', { id: 'h-anomalies' }, 'Anomalies ', found.node),
        el('div', { class: 'filters' }, Object.values(selects).map((s) => s.label))),
      chosen.node, list.node));

  async function load(how) {
    for (const [name, box] of Object.entries(selects)) box.options(known[name]);
    const body = await list.load(how);
    if (!body || left) return;
    const query = filters.timelineQuery().toString();
    if (body.seen !== seen || query !== asked || ticks++ % TIMELINE_TICKS === 0) {
      const answer = await getJson(`/api/timeline?${query}`);
      if (left || query !== filters.timelineQuery().toString()) return;
      seen = body.seen;
      asked = query;
      latest = answer;
    }
    showRange();
  }

  function showRange() {
    const { from, to } = filters.values;
    if (latest && last) plot.show(latest, { from, to }, rowsOf(last));
    chosen.show({ from, to, cause: filters.values.cause, narrowed: filters.isNarrowed() });
    chosen.node.hidden = !filters.isNarrowed();
  }

  /** The histories of the chart, those in trouble first, each with whether its verdict is of now. */
  function rowsOf(status) {
    const behind = worstLag(status).seconds > LAGGING_SECONDS;
    return byTrouble(status.histories)
      .filter(({ history }) => !filters.values.history || filters.values.history === history)
      .map((h) => ({ history: h.history, promise: h.promise, track: h.track, markers: h.markers, live: !silent && !behind && !h.failure && isLive(status, h) }));
  }

  function chosenOf({ from, to, cause, narrowed }) {
    if (!narrowed) return null;
    const words = from || to ? `Listed: ${from ? `from ${readable(from)} ` : ''}${to ? `until ${readable(to)} ` : ''}` : 'The list is narrowed. ';
    return [
      words,
      cause && el('span', {}, 'Only proofs of ', el('a', { href: `/causes/${encodeURIComponent(cause)}`, 'data-link': true }, 'one cause'), '.'),
      cause && el('button', { type: 'button', class: 'button', id: 'any-cause', click: () => filters.set({ cause: '' }) }, 'Any cause'),
      (from || to) && el('button', { type: 'button', class: 'button', id: 'any-time', click: () => filters.set({ from: '', to: '' }) }, 'Any time'),
      el('button', { type: 'button', class: 'button', id: 'clear', click: () => filters.clear() }, 'Clear all filters'),
    ];
  }

  return {
    async refresh(status) {
      const { histories } = status;
      strip.show({ monitors: monitorsWords(status), allRead: notReading(status).length === 0, alone: status.instancesProblem, notShown: sum(status.instances.map((i) => i.notShown)), lag: worstLag(status), unpublished: status.unpublishedAnomalies, bad: status.badRecords, errors: status.kafkaErrors, phase: status.phase, ready: status.ready });
      last = status;
      silent = false;
      answered.show(status, causesTold);
      cards.show(status, (history) => isLive(status, history));
      tally.show(tallyOf(histories, histories.every((h) => isLive(status, h))));
      const counts = anomalyCounts(histories);
      found.show(counts.all ? `${count(counts.all)} distinct, ${count(counts.occurrences)} observed` : '');
      known.history = histories.map((h) => h.history);
      known.level = weakestFirst(counts.levels, histories);
      known.kind = [...counts.kinds].sort();
      list.checked = histories.length > 0;
      await Promise.all([load(), causes.load(), incidents.load()]);
      if (toAnchor) document.querySelector(toAnchor)?.scrollIntoView();
      toAnchor = null;
    },
    /** The monitor does not answer: nothing is known of how it is. */
    stale() {
      strip.show({ silent: true });
      answered.stale();
      silent = true;
      if (!last) return;
      showRange();
      cards.show(last, () => false);
      tally.show(tallyOf(last.histories, false));
    },
    escape() {
      if (filters.values.from || filters.values.to) filters.set({ from: '', to: '' });
    },
    leave() {
      left = true;
      list.leave();
      causes.leave();
      incidents.leave();
      plot.leave();
    },
  };
}

const byTrouble = (histories) => [...histories].sort((a, b) => stateOf(a).rank - stateOf(b).rank || (a.history < b.history ? -1 : 1));

const sum = (numbers) => numbers.reduce((all, n) => all + n, 0);

function readable(iso) {
  const at = new Date(iso);
  return Number.isNaN(at.getTime()) ? iso : clock(at);
}

/** The cards, those in trouble first; each is made once and then brought up to date. */
function cardGrid() {
  const node = el('div', { class: 'cards' });
  const present = new Map();
  const empty = kept(el('div', { class: 'empty-state' }), waiting);
  let order = '';
  return {
    node,
    show(status, live) {
      const histories = byTrouble(status.histories);
      for (const id of present.keys()) if (!histories.some((h) => h.history === id)) present.delete(id);
      for (const history of histories) {
        if (!present.has(history.history)) present.set(history.history, card());
        present.get(history.history).show(history, live(history), status.instances.length > 1);
      }
      empty.show({ ready: status.ready });
      const next = JSON.stringify(histories.map((h) => h.history));
      if (next === order) return;
      order = next;
      node.replaceChildren(...(histories.length ? histories.map((h) => present.get(h.history).node) : [empty.node]));
    },
  };
}

function waiting({ ready }) {
  return [
    el('p', {}, el('strong', {}, 'No history yet.'), ' A history appears with its first record.'),
    el('p', {}, 'What to do next:'),
    el('ol', {},
      !ready && el('li', {}, 'The monitor does not read the log at this time; why is said above. See that the broker runs, at the address that the monitor has as ', el('code', {}, 'kafka.bootstrap'), '.'),
      el('li', {}, 'Put isotail’s driver in front of an application’s own and change its URL: ', el('code', {}, 'jdbc:isotail:postgresql://HOST/DATABASE?isotail.kafka=HOST:9092&isotail.history=NAME')),
      el('li', {}, 'Start it. Its first transaction makes the history appear here; nothing needs to be reloaded.'),
      el('li', {}, 'Still nothing? Compare the broker and the topic of the driver with the monitor’s ', el('code', {}, 'kafka.bootstrap'), ' and ', el('code', {}, 'kafka.events-topic'), '; the application’s log has a line from isotail when it cannot send.')),
    el('p', {}, 'To see the page at work without an application: ', el('code', {}, 'deploy/isotail demo'), '.'),
  ];
}

function stripOf({ silent, monitors, allRead, alone, notShown, lag, unpublished, bad, errors, phase, ready }) {
  if (silent) return [figure('Monitor', 'no answer', 'bad-text'), figure('Lag', 'unknown', 'bad-text'), figure('The rest', 'from its last answer')];
  const reading = ready ? 'reading the log' : phase === 'running' ? 'not reading the log' : phase;
  return [
    monitors
      ? figure('Monitors', monitors, allRead ? null : 'warn-text', 'monitors that share the histories')
      : figure('Monitor', reading, ready ? null : phase === 'connecting' ? 'warn-text' : 'bad-text', 'what the monitor is doing'),
    figure('Lag', lag.seconds === null ? 'unknown' : lag.records ? lagWords(lag) : 'none', lag.seconds > 10 || !ready ? 'warn-text' : null, monitors ? 'how long the oldest transaction waits to be checked, and about how many wait, of the monitor that is furthest behind' : 'how long the oldest transaction waits to be checked, and about how many wait, of all histories'),
    alone && figure('Other monitors', 'unknown', 'warn-text', alone),
    notShown > 0 && figure('Not shown', counted(notShown, 'history', 'histories'), 'warn-text', 'too many to be told to the other monitors; the page of the monitor that checks them shows them'),
    unpublished > 0 && figure('To be published', counted(unpublished, 'anomaly', 'anomalies'), 'warn-text', 'found, and not on the anomalies topic yet'),
    bad > 0 && figure('Bad records', count(bad), 'warn-text', 'records that could not be decoded or belong to no history that is checked'),
    errors > 0 && figure('Broker errors', count(errors), 'warn-text', 'requests to the broker that failed'),
  ];
}

function tallyOf(histories, live) {
  const tally = new Map();
  for (const history of [...histories].sort((a, b) => stateOf(a).rank - stateOf(b).rank)) {
    const { words } = stateOf(history);
    tally.set(words, (tally.get(words) ?? 0) + 1);
  }
  const words = [...tally].map(([state, n]) => `${count(n)} ${state.toLowerCase()}`).join(', ');
  return words && !live ? `last known: ${words}` : words;
}

function help() {
  return el('details', { class: 'help' },
    el('summary', {}, 'What do promised, observed and the other words mean?'),
    el('dl', {}, TERMS.map(([term, meaning]) => el('div', {}, el('dt', {}, term), el('dd', {}, meaning)))));
}

/** The levels with anomalies, in the order in which a history's verdicts name them. */
function weakestFirst(levels, histories) {
  const checked = histories.map((history) => Object.keys(history.verdicts)).sort((a, b) => b.length - a.length)[0] ?? [];
  return [...new Set([...checked, ...levels])].filter((level) => levels.has(level));
}

function anomalyCounts(histories) {
  const found = { all: 0, occurrences: 0, levels: new Set(), kinds: new Set() };
  for (const history of histories) {
    found.occurrences += history.counts.occurrences;
    for (const [level, kinds] of Object.entries(history.anomalies)) {
      for (const [kind, number] of Object.entries(kinds)) {
        if (!number) continue;
        found.all += number;
        found.levels.add(level);
        found.kinds.add(kind);
      }
    }
  }
  return found;
}
