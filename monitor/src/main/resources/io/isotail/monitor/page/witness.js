// One anomaly: its sentence, its cycle as a graph, why each edge holds, and the transactions.
import Viz from './viz/viz.es.js';
import { el, getJson, count, time, title } from './dom.js';

const KINDS = {
  so: 'session order: earlier in the same session',
  wr: 'read dependency: the target read what the source wrote',
  ww: 'overwrite: the target overwrote what the source wrote',
  rw: 'anti-dependency: the target overwrote what the source read',
  co: 'commit order: inferred from a read',
  rt: 'real time: the source ended before the target began',
};

export function witness(main, id) {
  document.title = 'isotail: witness';
  const occurrences = el('span', {});
  const observed = (n) => (n === 1 ? 'once' : `${count(n)} times`);
  let left = false;
  const api = `/api/anomalies/${encodeURIComponent(id)}`;
  main.append(el('p', { class: 'muted' }, 'Loading…'));

  (async () => {
    try {
      const anomaly = await getJson(api);
      if (left) return;
      document.title = `${title(anomaly.anomaly)} · isotail`;
      occurrences.textContent = observed(anomaly.occurrences);
      const graph = el('div', { class: 'graph', id: 'graph', role: 'img', 'aria-label': `Graph of the witness. ${anomaly.explanation}` });
      main.replaceChildren(...page(anomaly, api, graph, occurrences));
      await draw(graph, api);
    } catch (error) {
      if (left) return;
      main.replaceChildren(back(), el('div', { class: 'notice' }, el('h1', {}, 'No such witness'), el('p', {}, error.message)));
    }
  })();

  let ticks = 0;
  return {
    async refresh() {
      if (++ticks % 5 === 0 && occurrences.isConnected) {
        occurrences.textContent = observed((await getJson(api)).occurrences);
      }
    },
    leave() { left = true; },
  };
}

function back() {
  return el('p', { class: 'crumbs' }, el('a', { href: '/', 'data-link': true }, '← All anomalies'));
}

function page(anomaly, api, graph, occurrences) {
  const kinds = [...new Set(anomaly.cycle.map((edge) => edge.kind))];
  const command = `deploy/isotail check --open ${anomaly.id}.jsonl`;
  return [
    back(),
    el('article', { class: 'witness' },
      el('p', { class: 'what' },
        el('span', { class: 'tag level bad-tag' }, `violates ${anomaly.level}`),
        anomaly.adya && el('span', { class: 'tag' }, `Adya: ${anomaly.adya}`)),
      el('h1', {}, title(anomaly.anomaly)),
      el('p', { class: 'lead', id: 'explanation' }, anomaly.explanation),
      el('dl', { class: 'facts' },
        fact('History', anomaly.history),
        fact('Table', anomaly.table),
        fact('Service', anomaly.service),
        fact('Committed', anomaly.committedAt && time(anomaly.committedAt)),
        fact('Logged', anomaly.foundAt && time(anomaly.foundAt)),
        fact('Observed', occurrences),
        fact('Log offset', count(anomaly.offset)),
        fact('Id', el('code', {}, anomaly.id))),
      anomaly.evidence && el('p', { class: 'alert' }, anomaly.evidence)),
    el('section', { 'aria-labelledby': 'h-graph' },
      el('div', { class: 'heading' },
        el('h2', { id: 'h-graph' }, anomaly.cycle.length ? 'The cycle' : 'The read'),
        el('div', { class: 'actions' },
          el('a', { class: 'button', href: `${api}/dot`, download: `${anomaly.id}.dot` }, 'DOT'),
          el('button', { type: 'button', class: 'button', click: () => saveSvg(graph, anomaly.id) }, 'SVG'))),
      graph,
      el('ul', { class: 'legend' },
        kinds.map((kind) => el('li', { class: kind }, el('b', {}, kind), ` ${KINDS[kind]}`)),
        el('li', { class: 'context' }, el('b', {}, '┄'), ' leads up to it'))),
    anomaly.cycle.length > 0 && el('section', { 'aria-labelledby': 'h-why' },
      el('h2', { id: 'h-why' }, 'Why each edge holds'),
      el('ol', { class: 'why' }, anomaly.cycle.map((edge) =>
        el('li', { class: edge.kind },
          el('code', {}, edge.from), ' → ', el('code', {}, edge.to),
          el('b', { class: 'kind' }, edge.key ? `${edge.kind} ${edge.key}` : edge.kind),
          el('span', {}, edge.because))))),
    anomaly.transactions.length > 0 && el('section', { 'aria-labelledby': 'h-transactions' },
      el('h2', { id: 'h-transactions' }, 'Transactions'),
      el('div', { class: 'transactions' }, anomaly.transactions.map(transaction))),
    anomaly.capsule.length > 0 && el('section', { 'aria-labelledby': 'h-check' },
      el('h2', { id: 'h-check' }, 'Check it again'),
      el('p', {}, 'The capsule holds only these transactions. A checker that reads it as an open history finds the same violation.'),
      el('div', { class: 'command' },
        el('code', { id: 'command' }, command),
        copyButton(command),
        el('a', { class: 'button primary', href: `${api}/capsule.jsonl`, download: `${anomaly.id}.jsonl` }, 'Download capsule'))),
  ].filter(Boolean);
}

function fact(name, value) {
  return value && el('div', {}, el('dt', {}, name), el('dd', {}, value));
}

function transaction(t) {
  const place = [t.service, t.instance, t.databaseHost, t.backendPid ? `pid ${t.backendPid}` : null].filter(Boolean);
  return el('article', { class: 'transaction' },
    el('header', {},
      el('h3', {}, t.name),
      el('span', { class: `tag ${t.outcome === 'committed' ? '' : 'warn-tag'}` }, t.outcome),
      t.level && el('span', { class: 'tag' }, t.level),
      el('span', { class: 'muted' }, place.join(' · ')),
      el('span', { class: 'muted offset' }, `offset ${count(t.offset)}`)),
    el('table', {},
      el('thead', {}, el('tr', {}, ['Operation', 'Table', 'Statement'].map((h) => el('th', { scope: 'col' }, h)))),
      el('tbody', {}, t.operations.map((o) => el('tr', { class: o.undone ? 'undone' : null },
        el('td', {}, el('code', { class: `op ${o.kind}` }, o.text)),
        el('td', {}, o.table ?? ''),
        el('td', {}, el('code', { class: 'sql' }, o.statement)))))));
}

function copyButton(text) {
  const button = el('button', { type: 'button', class: 'button', click: async () => {
    try {
      await navigator.clipboard.writeText(text);
      button.textContent = 'Copied';
    } catch {
      getSelection().selectAllChildren(document.getElementById('command'));
      button.textContent = 'Press Ctrl-C';
    }
    setTimeout(() => { button.textContent = 'Copy'; }, 2000);
  } }, 'Copy');
  return button;
}

let viz = null;

async function draw(graph, api) {
  try {
    const response = await fetch(`${api}/dot`);
    viz ??= new Viz({ worker: new Worker('/assets/viz/lite.render.js') });
    const text = await viz.renderString(await response.text(), { engine: 'dot', format: 'svg' });
    const drawing = new DOMParser().parseFromString(text, 'image/svg+xml').documentElement;
    graph.replaceChildren(document.importNode(drawing, true));
  } catch (error) {
    viz = null;
    graph.replaceChildren(el('p', { class: 'empty' }, `The graph could not be drawn (${error.message}); the edges are listed below.`));
  }
}

function saveSvg(graph, id) {
  const drawing = graph.querySelector('svg');
  if (!drawing) return;
  const url = URL.createObjectURL(new Blob([new XMLSerializer().serializeToString(drawing)], { type: 'image/svg+xml' }));
  el('a', { href: url, download: `${id}.svg` }).click();
  setTimeout(() => URL.revokeObjectURL(url), 1000);
}
