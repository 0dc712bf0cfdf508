// The overview: a card for each history, and the anomalies, newest first.
import { el, svg, getJson, count, rate, percent, seconds, time, title } from './dom.js';

const MARKS = { pass: '✓', fail: '✗', undecided: '?' };
const LIST_LIMIT = 100;

export function overview(main) {
  document.title = 'isotail';
  const cards = el('div', { class: 'cards' });
  const asked = new URLSearchParams(location.search);
  const filters = Object.fromEntries(['history', 'level', 'kind'].map((name) => [name, asked.get(name) ?? '']));
  const selects = {
    history: select('History', 'history', filters, load),
    level: select('Level', 'level', filters, load),
    kind: select('Anomaly', 'kind', filters, load),
  };
  const total = el('span', { class: 'muted' });
  const rows = el('ul', { class: 'anomalies', id: 'anomalies' });
  main.append(
    el('section', { 'aria-labelledby': 'h-histories' }, el('h2', { id: 'h-histories' }, 'Histories'), cards),
    el('section', { 'aria-labelledby': 'h-anomalies' },
      el('div', { class: 'heading' },
        el('h2', { id: 'h-anomalies' }, 'Anomalies ', total),
        el('div', { class: 'filters' }, Object.values(selects).map((s) => s.label))),
      rows));
  let shown = '';
  let left = false;

  async function load() {
    const query = new URLSearchParams({ limit: String(LIST_LIMIT) });
    for (const [name, value] of Object.entries(filters)) if (value) query.set(name, value);
    const body = await getJson(`/api/anomalies?${query}`);
    if (left) return;
    const key = JSON.stringify([query.toString(), body]);
    if (key === shown) return;
    shown = key;
    const focused = document.activeElement?.closest?.('#anomalies a')?.getAttribute('href');
    rows.replaceChildren(...(body.anomalies.length ? body.anomalies.map(row) : [nothing(filters)]));
    if (focused) rows.querySelector(`a[href="${CSS.escape(focused)}"]`)?.focus({ preventScroll: true });
  }

  return {
    async refresh(status) {
      const histories = status.histories;
      cards.replaceChildren(...(histories.length ? histories.map((h) => card(h, status.lag)) : [waiting()]));
      const counts = anomalyCounts(histories);
      total.textContent = counts.all ? `${count(counts.all)} distinct, ${count(counts.occurrences)} observed` : '';
      selects.history.options(histories.map((h) => h.history));
      selects.level.options([...counts.levels]);
      selects.kind.options([...counts.kinds].sort());
      await load();
    },
    leave() { left = true; },
  };
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

function select(words, name, filters, changed) {
  const box = el('select', { name, change: () => { filters[name] = box.value; remember(filters); changed(); } });
  let present = null;
  fill([]);

  function fill(values) {
    const all = filters[name] && !values.includes(filters[name]) ? [...values, filters[name]] : values;
    box.replaceChildren(el('option', { value: '' }, 'all'), ...all.map((v) => el('option', { value: v }, v)));
    box.value = filters[name];
  }

  return {
    label: el('label', {}, el('span', {}, words), box),
    options(values) {
      const key = values.join('\n');
      if (key === present) return;
      present = key;
      fill(values);
    },
  };
}

/** Keeps the filters in the address, so that a link or a reload shows the same list. */
function remember(filters) {
  const query = new URLSearchParams(Object.entries(filters).filter(([, value]) => value));
  history.replaceState(null, '', query.size ? `/?${query}` : '/');
}

function waiting() {
  return el('p', { class: 'empty' }, 'No history yet. A history appears with its first record: start an application with the isotail driver.');
}

function nothing(filters) {
  const filtered = Object.values(filters).some(Boolean);
  return el('li', { class: 'empty' }, filtered ? 'None matches the filters.' : 'None found.');
}

function card(history, lag) {
  const failing = Object.values(history.verdicts).includes('fail');
  const state = history.failure || failing ? 'bad' : Object.values(history.verdicts).includes('undecided') ? 'warn' : 'good';
  const undecided = Object.entries(history.undecided);
  return el('article', { class: `card ${state}` },
    el('header', {},
      el('h3', {}, history.history),
      el('p', { class: 'levels-words' },
        'promised ', el('strong', {}, history.promise ?? 'by transaction'),
        ' · observed ', el('strong', { class: failing ? 'bad-text' : null }, history.observed ?? `below ${Object.keys(history.verdicts)[0] ?? 'all'}`))),
    history.failure && el('p', { class: 'alert', role: 'alert' }, history.failure),
    el('ul', { class: 'verdicts', 'aria-label': 'Verdict for each level' },
      Object.entries(history.verdicts).map(([level, verdict]) =>
        el('li', { class: verdict, title: `${level}: ${verdict}` },
          el('span', { 'aria-hidden': 'true' }, MARKS[verdict]), level, el('span', { class: 'sr' }, ` ${verdict}`)))),
    el('div', { class: 'rate' },
      el('div', {}, el('strong', { class: 'figure' }, rate(history.rates.transactionsPerSecond)), ' transactions/s'),
      sparkline(history.rates.recentTransactions)),
    el('dl', {},
      figure('Events/s', rate(history.rates.operationsPerSecond)),
      figure('Coverage', percent(history.coverage), history.coverage < 0.99 ? 'warn-text' : null,
        'Share of the reads whose writer was decided'),
      figure('Lag', lag.records ? seconds(lag.seconds) : 'none', lag.seconds > 10 ? 'warn-text' : null, `${count(lag.records)} records of all histories wait to be checked`),
      figure('Committed', count(history.counts.transactions)),
      figure('Window', count(history.now.windowTransactions), null, 'Transactions in the window'),
      figure('Waiting', count(history.now.pendingTransactions), null, 'Transactions that wait for a predecessor or a writer'),
      figure('Sessions', count(history.now.liveSessions)),
      figure('Lost records', count(history.counts.lostRecords), history.counts.lostRecords ? 'warn-text' : null)),
    undecided.length > 0 && el('p', { class: 'undecided' }, 'Undecided: ',
      undecided.map(([reason, n], i) => [i ? ', ' : '', `${reason} ${count(n)}`])));
}

function figure(name, value, style, hint) {
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
  const drawing = svg('svg', { class: 'spark', viewBox: `0 0 ${width} ${height}`, role: 'img', 'aria-label': `transactions a second over the last minute, at most ${most}`, preserveAspectRatio: 'none' });
  if (points.length > 1) {
    const first = points[0].split(',')[0];
    drawing.append(svg('polygon', { points: `${first},${height} ${points.join(' ')} ${width},${height}` }));
    drawing.append(svg('polyline', { points: points.join(' ') }));
  }
  return drawing;
}

function row(anomaly) {
  return el('li', {},
    el('a', { href: `/anomalies/${encodeURIComponent(anomaly.id)}`, 'data-link': true, 'data-id': anomaly.id },
      el('span', { class: 'when' }, time(anomaly.committedAt ?? anomaly.foundAt)),
      el('span', { class: 'what' },
        el('strong', {}, title(anomaly.anomaly)),
        anomaly.adya && el('span', { class: 'tag' }, anomaly.adya),
        el('span', { class: 'tag level' }, anomaly.level)),
      el('span', { class: 'sentence' }, anomaly.explanation),
      el('span', { class: 'where muted' }, [anomaly.history, anomaly.table, anomaly.service].filter(Boolean).join(' · ')),
      el('span', { class: 'times', title: 'how often it was observed' }, anomaly.occurrences > 1 ? `×${count(anomaly.occurrences)}` : '')));
}
