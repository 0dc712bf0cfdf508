// The kept anomalies, newest first, one page of them at a time: the page stays small in a flood.
import { el, ago, getJson, announce, count, title } from './dom.js';

const PAGE = 10;

/** Where the person was when they opened a witness, to be there again when they return. */
let opened = null;

/** The list, for these filters. */
export function anomalyList(filters) {
  const summary = el('p', { class: 'muted', id: 'summary' });
  const newer = el('button', { type: 'button', class: 'button news', id: 'news', hidden: true, click: () => { held = null; load({ force: true }); } });
  const rows = el('ul', { class: 'anomalies', id: 'anomalies', 'aria-label': 'Anomalies, newest first' });
  const pages = ['Pages of the list', 'Pages of the list, below it'].map((words) => el('nav', { class: 'pages', 'aria-label': words, hidden: true }));
  const node = el('div', {}, el('div', { class: 'heading' }, summary, pages[0]), newer, rows, pages[1]);
  rows.addEventListener('click', (event) => {
    opened = event.target.closest?.('a[data-id]')?.dataset.id ?? opened;
  });
  let shown = { key: '', query: '', ids: '' };
  let held = null;
  let asked = 0;
  let found = null;
  let left = false;

  /** @param force to show what is there even under somebody's pointer */
  async function load({ force = false, say = false } = {}) {
    const query = filters.listQuery();
    query.set('limit', String(PAGE));
    const number = ++asked;
    let body;
    try {
      body = await getJson(`/api/anomalies?${query}`);
    } catch (error) {
      if (error.status !== 400 || left || number !== asked) throw error;
      refused(error);
      return null;
    }
    if (left || number !== asked) return body; // a later question is on its way
    const ids = body.anomalies.map((a) => a.id).join(' ');
    const sameQuery = query.toString() === shown.query;
    if (sameQuery && !force && ids !== shown.ids && isInUse()) {
      hold(body);
    } else {
      newer.hidden = true;
      render(body, query.toString(), ids);
    }
    summarise(body);
    if (say) announce(body.matching === 1 ? '1 anomaly is listed' : `${count(body.matching)} anomalies are listed`);
    return body;
  }

  /** Whether moving the rows would make somebody click or read the wrong one. */
  function isInUse() {
    return rows.querySelector('a') && (rows.matches(':hover') || rows.contains(document.activeElement));
  }

  function hold(body) {
    const first = shown.ids.split(' ')[0];
    const at = body.anomalies.findIndex((a) => a.id === first);
    held = at < 0 ? `more than ${PAGE}` : count(at);
    const words = held === '0' ? 'The list has changed: show' : `${held} newer: show`;
    if (newer.textContent !== words) newer.textContent = words;
    newer.hidden = false;
  }

  function render(body, query, ids) {
    const key = JSON.stringify([query, body.anomalies, filters.linkQuery().toString(), body.matching === 0, body.retained === 0, list.checked]);
    if (key !== shown.key) {
      const focused = rows.contains(document.activeElement) ? document.activeElement.dataset.id : null;
      const link = filters.linkQuery().toString();
      rows.replaceChildren(...(body.anomalies.length ? body.anomalies.map((a) => row(a, link)) : [nothing(body)]));
      shown = { key, query, ids };
      const back = focused ?? opened;
      opened = null;
      if (back) focusRow(back, focused === null);
    }
    for (const nav of pages) {
      nav.hidden = body.matching <= body.anomalies.length;
      if (!nav.hidden) turnPages(nav, body);
    }
  }

  function focusRow(id, scroll) {
    const link = rows.querySelector(`a[data-id="${CSS.escape(id)}"]`);
    link?.focus({ preventScroll: true });
    if (scroll) link?.scrollIntoView({ block: 'center' });
  }

  function turnPages(nav, body) {
    const first = body.newer + 1;
    const last = body.newer + body.anomalies.length;
    const place = JSON.stringify([first, last, body.matching]);
    if (nav.dataset.place === place) return;
    nav.dataset.place = place;
    const focused = nav.contains(document.activeElement) ? document.activeElement.dataset.turn : null;
    const edge = (at) => body.anomalies.at(at)?.id ?? '';
    const turn = (words, name, to, off) => el('button', { type: 'button', class: 'button', 'data-turn': name, disabled: off, click: () => turnTo(to) }, words);
    nav.replaceChildren(
      turn('Newest', 'newest', {}, body.newer === 0),
      turn('← Newer', 'newer', { after: edge(0) }, body.newer === 0),
      el('span', {}, body.anomalies.length ? `${count(first)} to ${count(last)} of ${count(body.matching)}` : `none of ${count(body.matching)}`),
      turn('Older →', 'older', { before: edge(-1) }, last >= body.matching || !body.anomalies.length));
    if (focused) nav.querySelector(`[data-turn="${focused}"]:not(:disabled)`)?.focus({ preventScroll: true });
  }

  function turnTo(place) {
    // A first page is one that new anomalies come into.
    const toFirst = place.after && found && found.newer <= PAGE;
    filters.turnTo(toFirst ? {} : place);
    node.scrollIntoView({ block: 'start' });
  }

  function summarise(body) {
    found = body;
    const known = Math.max(body.seen, body.retained);
    const parts = [
      known > body.retained
        ? `${count(known)} seen, the latest ${count(body.retained)} are kept; older ones are on the anomalies topic`
        : body.retained ? `${count(body.retained)} kept, of at most ${count(body.capacity)}` : null,
      filters.isNarrowed() && `${count(body.matching)} match the filters`,
    ].filter(Boolean);
    const words = parts.join(' · ');
    if (summary.textContent !== words) summary.textContent = words;
  }

  function refused(error) {
    if (shown.key === error.message) return; // a button that is replaced while it is pressed is not pressed
    shown = { key: error.message, query: '', ids: '' };
    summary.textContent = '';
    for (const nav of pages) nav.hidden = true;
    rows.replaceChildren(el('li', { class: 'empty' }, `The filters in the address make no sense: ${error.message} `, clearButton()));
  }

  function clearButton() {
    return el('button', { type: 'button', class: 'button', click: () => filters.clear() }, 'Clear the filters');
  }

  function nothing(body) {
    if (filters.values.before) {
      return el('li', { class: 'empty' }, 'What was here is not kept any more: newer anomalies took its place. ',
        el('button', { type: 'button', class: 'button', click: () => filters.turnTo({}) }, 'To the newest'));
    }
    if (filters.isNarrowed()) {
      return el('li', { class: 'empty' }, body.retained ? `None of the ${count(body.retained)} kept matches the filters. ` : 'None found. ', clearButton());
    }
    return el('li', { class: 'empty' }, list.checked ? 'None found.' : 'None: nothing is checked yet.');
  }

  const list = {
    node,
    load,
    /** Whether there is a history in which something could be found. */
    checked: true,
    leave() { left = true; },
  };
  return list;
}

function row(anomaly, query) {
  const where = [anomaly.history, anomaly.table, anomaly.service].filter(Boolean).join(' · ');
  return el('li', {},
    el('a', { href: `/anomalies/${encodeURIComponent(anomaly.id)}${query && `?${query}`}`, 'data-link': true, 'data-id': anomaly.id },
      el('span', { class: 'when' }, ago(anomaly.at)),
      el('span', { class: 'what' },
        el('strong', {}, title(anomaly.anomaly)),
        anomaly.adya && el('span', { class: 'tag', title: 'Adya’s name' }, anomaly.adya),
        el('span', { class: 'tag level' }, 'violates ', anomaly.level)),
      el('span', { class: 'sentence' }, anomaly.explanation),
      el('span', { class: 'where muted' }, where),
      anomaly.occurrences > 1 && el('span', { class: 'times', title: 'how often it was observed' }, `×${count(anomaly.occurrences)}`)));
}
