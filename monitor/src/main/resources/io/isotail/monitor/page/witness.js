// One anomaly: its sentence, its cycle as a graph, why each edge holds, and the transactions.
import { el, getJson, count, counted, kept, title, withCode, zonedTime } from './dom.js';
import { copyButton } from './copy.js';
import { drawGraph } from './graph.js';
import { lanes } from './lanes.js';
import { capsuleFile, hasHashedKeys, reproduction, resolution } from './reproduce.js';
import { linkTraces, traceOf } from './trace.js';
import { ANOMALIES, EDGES } from './words.js';

/** Ticks between two looks at how often it was observed. */
const LOOK_TICKS = 5;
/** Where the explanation goes on to the next case. */
const CASES = /(?<=\.) (?=(?:Other orders fail|No order of commits is|If|Always:?|The proof has) )/;

/** The witness of the anomaly `id`, or why there is none. `go` leads to another view. */
export function witness(main, id, go) {
  document.title = 'isotail: witness';
  const api = `/api/anomalies/${encodeURIComponent(id)}`;
  const list = location.search.length > 1 ? `/${location.search}` : '/';
  const occurrences = el('span', {});
  const held = kept(el('dl', { class: 'held', id: 'held' }), heldOf);
  const advice = kept(el('p', { class: 'first-advice', id: 'first-advice', hidden: true }), adviceOf);
  const gone = el('p', { class: 'alert', hidden: true }, 'This anomaly is not kept by the monitor any more: neither memory nor the anomalies topic has it. What is shown stays until you leave the page; the capsule and the DOT file cannot be loaded any more.');
  let state = 'loading';
  let shown = null;
  let last = null;
  let left = false;
  let ticks = 0;
  main.append(back(list), el('p', { class: 'muted' }, 'Loading…'));
  load();

  async function load() {
    state = 'loading';
    try {
      const anomaly = await getJson(api);
      if (left) return;
      state = 'shown';
      shown = anomaly;
      document.title = `${title(anomaly.anomaly)} · isotail`;
      observe(anomaly);
      held.show({ level: anomaly.level, ranAt: ranAt(anomaly) });
      const graph = el('div', { class: 'graph', id: 'graph', tabindex: '0', role: 'region', 'aria-label': 'Graph, scrolls sideways' }, el('p', { class: 'empty' }, 'Drawing…'));
      main.replaceChildren(...page(anomaly, { api, graph, occurrences, held, advice, gone, list }));
      if (last) tell();
      advise(anomaly).catch(() => {}); // without it the page is no less true
      await drawGraph(graph, `${api}/cycle.svg`, `Graph of the witness. ${anomaly.explanation}`);
    } catch (error) {
      if (left) return;
      state = error.status === 404 ? 'none' : 'failed';
      main.replaceChildren(back(list), state === 'none' ? missing(id, error, list) : failed(error));
    }
  }

  async function advise({ cause }) {
    if (!cause) return;
    const { causes: [found] } = await getJson(`/api/causes?${new URLSearchParams({ cause, limit: 1 })}`);
    if (!found?.advice.length) return;
    advice.show({ first: found.advice[0], cause, query: list === '/' ? '' : list.slice(1) });
    advice.node.hidden = false;
  }

  /** What the monitor's state adds. */
  function tell() {
    held.show(promiseOf(last, shown));
    linkTraces(main, last.traceUrlTemplate);
  }

  function observe({ occurrences: n }) {
    occurrences.textContent = n === 1 ? 'once' : `${count(n)} times`;
  }

  return {
    async refresh(status) {
      last = status;
      if (state === 'failed') await load();
      if (state === 'shown') tell();
      if (state !== 'shown' || !gone.hidden || ++ticks % LOOK_TICKS !== 0) return;
      try {
        observe(await getJson(api));
      } catch (error) {
        if (error.status !== 404) throw error;
        gone.hidden = false;
      }
    },
    escape() { go(list); },
    leave() { left = true; },
  };
}

function back(list) {
  return el('p', { class: 'crumbs' }, el('a', { href: list, 'data-link': true }, list === '/' ? '← All anomalies' : '← Back to the filtered list'));
}

function missing(id, error, list) {
  return el('div', { class: 'notice' },
    el('h1', {}, 'This anomaly is not kept here'),
    el('p', {}, 'Nothing is known of ', el('code', {}, id), '. Either it was never found, or it is so old that the anomalies topic has deleted it.'),
    el('p', { class: 'muted' }, `The monitor says: ${error.message}.`),
    el('p', {}, el('a', { href: list, 'data-link': true, class: 'button primary' }, 'To the anomalies that are kept')));
}

function failed(error) {
  return el('div', { class: 'notice' },
    el('h1', {}, 'The anomaly could not be loaded'),
    el('p', {}, `${error.message}. It is tried again every second.`));
}

function page(anomaly, { api, graph, occurrences, held, advice, gone, list }) {
  const kinds = [...new Set(anomaly.cycle.map((edge) => edge.kind))];
  const [lead, ...cases] = anomaly.explanation.split(CASES);
  const alike = new URLSearchParams({ history: anomaly.history, level: anomaly.level, kind: anomaly.anomaly });
  return [
    back(list),
    el('article', { class: 'witness' },
      el('p', { class: 'what' },
        el('span', { class: 'tag level' }, `violates ${anomaly.level}`),
        anomaly.adya && el('span', { class: 'tag' }, `Adya: ${anomaly.adya}`)),
      el('h1', {}, title(anomaly.anomaly)),
      ANOMALIES[anomaly.anomaly] && el('p', { class: 'muted meaning' }, ANOMALIES[anomaly.anomaly]),
      gone,
      el('div', { id: 'explanation' },
        el('p', { class: 'lead' }, lead),
        cases.length > 0 && el('ul', { class: 'cases' }, cases.map((words) => el('li', {}, words)))),
      held.node,
      advice.node,
      el('dl', { class: 'facts' },
        fact('History', el('a', { href: `/?${new URLSearchParams({ history: anomaly.history })}`, 'data-link': true }, anomaly.history)),
        fact('Table', anomaly.table),
        fact('Service', anomaly.service),
        fact('Committed', anomaly.committedAt && zonedTime(anomaly.committedAt)),
        fact('Logged', anomaly.foundAt && zonedTime(anomaly.foundAt)),
        fact('Observed', occurrences),
        fact('Log offset', count(anomaly.offset)),
        fact('Id', el('code', {}, anomaly.id)),
        fact('Cause', anomaly.cause && el('a', { href: `/causes/${encodeURIComponent(anomaly.cause)}`, 'data-link': true, id: 'cause' }, 'what to do about it')),
        fact('Others like it', el('a', { href: `/?${alike}`, 'data-link': true, id: 'alike' }, 'list them'))),
      anomaly.evidence && el('p', { class: 'evidence' }, el('strong', {}, 'Evidence: '), anomaly.evidence)),
    lanes(anomaly),
    el('section', { 'aria-labelledby': 'h-graph' },
      el('div', { class: 'heading' },
        el('h2', { id: 'h-graph' }, anomaly.cycle.length ? 'The cycle' : 'The read'),
        el('div', { class: 'actions' },
          el('a', { class: 'button', href: `${api}/dot`, download: `${anomaly.id}.dot` }, 'Save as DOT'),
          el('a', { class: 'button', id: 'save-svg', href: `${api}/svg`, download: `${anomaly.id}.svg` }, 'Save as SVG'))),
      graph,
      el('ul', { class: 'legend' },
        kinds.map((kind) => el('li', { class: kind }, el('b', {}, kind), ` ${EDGES[kind] ?? ''}`)),
        el('li', { class: 'context' }, el('b', {}, '┄'), ' leads up to it'))),
    anomaly.cycle.length > 0 && el('section', { 'aria-labelledby': 'h-why' },
      el('h2', { id: 'h-why' }, 'Why each edge holds'),
      el('ol', { class: 'why' }, anomaly.cycle.map((edge) =>
        el('li', { class: edge.kind },
          el('code', {}, edge.from), ' → ', el('code', {}, edge.to),
          el('b', { class: 'kind' }, edge.key ? `${edge.kind} ${edge.key}` : edge.kind),
          el('span', {}, edge.because))))),
    again(anomaly, api),
    rows(anomaly),
    anomaly.transactions?.length > 0 && el('section', { 'aria-labelledby': 'h-transactions' },
      el('h2', { id: 'h-transactions' }, 'Transactions, cut to the operations that matter'),
      el('div', { class: 'transactions' }, anomaly.transactions.map(transaction))),
  ].filter(Boolean);
}

function fact(name, value) {
  return value && el('div', {}, el('dt', {}, name), el('dd', {}, value));
}

function again(anomaly, api) {
  const heading = el('h2', { id: 'h-check' }, 'Check it again');
  if (!anomaly.capsule.length) {
    return el('section', { 'aria-labelledby': 'h-check' }, heading,
      el('p', {}, 'There is no capsule to check: ', anomaly.evidence ? 'it is not shown by a few transactions, but by the whole log, as the evidence says.' : 'the transactions were too large to be published.'));
  }
  const command = el('code', { id: 'command' }, reproduction(anomaly, location.origin));
  return el('section', { 'aria-labelledby': 'h-check' }, heading,
    el('p', {}, `The capsule holds ${counted(anomaly.capsule.length, 'transaction')}, which violate ${anomaly.level} by themselves. Run from isotail’s folder, this loads it, finds the same violation and exits with 1:`),
    el('div', { class: 'command' }, command,
      el('div', { class: 'actions' },
        copyButton(command, 'the command'),
        el('a', { class: 'button primary', href: `${api}/capsule.jsonl`, download: capsuleFile(anomaly.id) }, 'Download capsule'))),
    el('p', { class: 'muted caption' }, 'With ', el('code', {}, '--judge'), ' in place of ', el('code', {}, '--open'), ' the file is judged from the definitions, by code that shares nothing with the checker. Does the monitor ask for a password? Add ', el('code', {}, '-u USER'), ' to curl; for a certificate of your own ', el('code', {}, '--cacert FILE'), '.'));
}

/** How the rows behind hashed keys are told; null where the keys are in clear. */
function rows(anomaly) {
  if (!hasHashedKeys(anomaly)) return null;
  const command = el('code', { id: 'resolve' }, resolution(anomaly, location.origin));
  return el('section', { 'aria-labelledby': 'h-rows' },
    el('h2', { id: 'h-rows' }, 'Which rows'),
    el('p', {}, 'The applications send keys as hashes. Run this where their settings, with ', el('code', {}, 'isotail.key'), ', may be; it only reads, and tells each row:'),
    el('div', { class: 'command' }, command, el('div', { class: 'actions' }, copyButton(command, 'the command that tells the rows'))),
    el('p', { class: 'muted caption' }, 'It scans the table: prefer a replica, and put the name of your database in place of ', el('code', {}, 'DATABASE'), '.'));
}

/** The level that was promised, beside the one that is broken. */
function heldOf({ promise, observed, level, ranAt: at }) {
  return [
    fact('Promised', promise ?? '…'),
    fact('Broken', el('span', { class: 'bad-text' }, level)),
    fact('Ran at', at),
    fact('Holds now', observed),
  ];
}

function promiseOf(status, anomaly) {
  const history = status.histories.find((h) => h.history === anomaly.history);
  const promise = history ? history.promise ?? 'to each transaction what it ran at' : 'not known: no monitor checks this history now';
  return { promise, observed: history && (history.observed ?? 'no level for sure'), level: anomaly.level, ranAt: ranAt(anomaly) };
}

function ranAt(anomaly) {
  return [...new Set((anomaly.transactions ?? []).map((t) => t.level).filter(Boolean))].join(', ');
}

function adviceOf({ first, cause, query }) {
  return [el('strong', {}, 'First thing to do: '), withCode(first.what), el('span', { class: 'muted' }, ` It costs: ${first.cost}. `),
    el('a', { href: `/causes/${encodeURIComponent(cause)}${query}`, 'data-link': true, class: 'all-advice' }, 'All advice'),
    el('span', { class: 'muted' }, '; step by step: the runbook IsotailAnomaly.')];
}

function transaction(t) {
  const place = [t.service, t.instance, t.databaseHost, t.backendPid ? `pid ${t.backendPid}` : null].filter(Boolean);
  const origin = [
    t.applicationVersion ?? (t.application !== t.service ? t.application : null),
    t.endpoint && el('code', {}, t.endpoint),
    t.trace && traceOf(t.trace),
  ].filter(Boolean);
  return el('article', { class: 'transaction' },
    el('header', {},
      el('h3', {}, t.name),
      el('span', { class: `tag ${t.outcome === 'committed' ? '' : 'warn-tag'}` }, t.outcome),
      t.level && el('span', { class: 'tag' }, t.level),
      el('span', { class: 'muted' }, place.join(' · ')),
      origin.length > 0 && el('span', { class: 'muted origin' }, origin.flatMap((part, i) => (i ? [' · ', part] : [part]))),
      el('span', { class: 'muted offset' }, `offset ${count(t.offset)}`)),
    el('div', { class: 'scroll', tabindex: '0', role: 'region', 'aria-label': `Operations of ${t.name}, scroll sideways` },
      el('table', {},
        el('thead', {}, el('tr', {}, ['Operation', 'Table', 'Statement'].map((h) => el('th', { scope: 'col' }, h)))),
        el('tbody', {}, t.operations.map((o) => el('tr', { class: o.undone ? 'undone' : null },
          el('td', {}, el('code', { class: `op ${o.kind}` }, o.text)),
          el('td', {}, o.table ?? ''),
          el('td', {}, el('code', { class: 'sql' }, o.statement ?? ''))))))));
}
