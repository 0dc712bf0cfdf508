// What the anomalies have in common: a line for each cause, the one that struck last first.
import { decided } from './decision.js';
import { el, svg, getJson, count, counted, kept, time } from './dom.js';

/** More are counted, not listed: the page stays small. */
const SHOWN = 20;

/** The list of causes; it takes no room while there are none. */
export function causeList(filters) {
  const body = kept(el('div', {}), linesOf);
  const node = el('section', { 'aria-labelledby': 'h-causes', hidden: true },
    el('h2', { id: 'h-causes' }, 'What is broken'), body.node);
  let left = false;

  return {
    node,
    async load() {
      const query = new URLSearchParams({ limit: SHOWN, ...(filters.values.history ? { history: filters.values.history } : {}) });
      const { causes, matching } = await getJson(`/api/causes?${query}`);
      if (left) return;
      node.hidden = causes.length === 0;
      body.show({ causes: causes.map(essence), matching, query: filters.linkQuery().toString() });
    },
    leave() { left = true; },
  };
}

/** What a line shows: it is drawn anew only when that changes. */
function essence({ cause, title, history, level, firstSeen, lastSeen, occurrences, violations, advice, timeline, decision }) {
  return { cause, title, history, level, firstSeen, lastSeen, occurrences, violations, first: advice[0]?.what, timeline, decision };
}

function linesOf({ causes, matching, query }) {
  return [
    el('ul', { class: 'anomalies causes' }, causes.map((cause) => line(cause, query))),
    matching > causes.length && el('p', { class: 'muted' }, `… and ${counted(matching - causes.length, 'cause')} more; /api/causes has them`),
  ];
}

function line(cause, query) {
  return el('li', {},
    el('a', { href: `/causes/${encodeURIComponent(cause.cause)}${query && `?${query}`}`, 'data-link': true },
      el('span', { class: 'when' }, time(cause.lastSeen)),
      el('span', { class: 'what' }, el('strong', {}, cause.title), el('span', { class: 'tag level' }, 'violates ', cause.level), decided(cause.decision)),
      el('span', { class: 'sentence' }, `${counted(cause.occurrences, 'transaction')} since `, time(cause.firstSeen), cause.violations > cause.occurrences && `, ${counted(cause.violations, 'violation')}`, '. ', cause.first),
      el('span', { class: 'where muted' }, cause.history),
      sparkline(cause.timeline)));
}

/** Counted violations over time, as bars of equal steps. */
export function sparkline({ counts, stepMs }, width = 120, height = 26) {
  const most = Math.max(1, ...counts);
  const step = width / Math.max(counts.length, 1);
  const total = counts.reduce((all, n) => all + n, 0);
  return svg('svg', { class: 'spark-bars', viewBox: `0 0 ${width} ${height}`, width, height, role: 'img', 'aria-label': `${count(total)} violations, at most ${count(most)} in ${count(stepMs / 1000)} s` },
    counts.map((n, i) => n > 0 && svg('rect', { x: (i * step).toFixed(2), y: (height - Math.max(1.5, (height * n) / most)).toFixed(2), width: Math.max(0.8, step - 0.4).toFixed(2), height: Math.max(1.5, (height * n) / most).toFixed(2) })));
}
