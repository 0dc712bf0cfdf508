// What the anomalies have in common: a line for each cause, the one that struck last first.
import { decided } from './decision.js';
import { el, svg, ago, getJson, count, counted, kept, steady, withCode } from './dom.js';
import { field } from './filters.js';

/** More are counted, not listed: the page stays small. */
const SHOWN = 20;
const LEAST_STEPS = 24; // one count is a thin bar, and not a wall

/** The list of causes; it takes no room while there are none. `told` hears of what there is. */
export function causeList(filters, told) {
  const body = kept(el('div', {}), (shown) => linesOf(shown, () => filters.clearCauses()));
  const fields = {
    tables: field('Table', 'table', filters, 'name'),
    services: field('Service', 'service', filters, 'name'),
    statements: field('Statement', 'statement', filters, 'a part of it'),
  };
  const node = el('section', { 'aria-labelledby': 'h-causes', id: 'causes', hidden: true },
    el('div', { class: 'heading' },
      el('h2', { id: 'h-causes' }, 'Causes'),
      el('div', { class: 'filters', role: 'search', 'aria-label': 'Causes' }, Object.values(fields).map((f) => f.node))),
    body.node);
  const search = node.querySelector('[role=search]');
  const steadied = steady(body.node, 'cause');
  let asked = 0;
  let left = false;

  return {
    node,
    async load() {
      const query = filters.causesQuery();
      const narrowed = filters.areCausesNarrowed();
      query.set('limit', SHOWN);
      const number = ++asked;
      const { causes, matching } = await getJson(`/api/causes?${query}`);
      if (left || number !== asked) return; // a later question is on its way
      for (const one of Object.values(fields)) one.show();
      for (const name of ['tables', 'services']) fields[name].offer(causes.flatMap((cause) => cause[name]));
      search.hidden = matching < 2 && !narrowed;
      node.hidden = causes.length === 0 && !narrowed;
      body.show({ causes: steadied(causes.map(essence)), matching, narrowed, query: filters.linkQuery().toString() });
      told({ matching, narrowed: narrowed || Boolean(filters.values.history), last: causes[0]?.lastSeen ?? null, decided: causes.filter((cause) => cause.decision).length });
    },
    leave() { left = true; },
  };
}

/** What a line shows: it is drawn anew only when that changes. */
function essence({ cause, title, history, level, firstSeen, lastSeen, occurrences, violations, advice, timeline, decision }) {
  return { cause, title, history, level, firstSeen, lastSeen, occurrences, violations, first: advice[0]?.what, timeline, decision };
}

function linesOf({ causes, matching, narrowed, query }, clear) {
  const all = narrowed && el('button', { type: 'button', class: 'button', id: 'all-causes', click: clear }, 'All causes');
  if (!causes.length) return narrowed && el('p', { class: 'narrowed' }, 'No cause matches these filters. ', all);
  return [
    narrowed && el('p', { class: 'narrowed' }, `${counted(matching, 'cause matches', 'causes match')} these filters. `, all),
    el('ul', { class: 'anomalies causes' }, causes.map((cause) => line(cause, query))),
    matching > causes.length && el('p', { class: 'muted' }, `… and ${counted(matching - causes.length, 'cause')} more: narrow them by table, service or statement, or ask /api/causes.`),
  ];
}

function line(cause, query) {
  return el('li', {},
    el('a', { href: `/causes/${encodeURIComponent(cause.cause)}${query && `?${query}`}`, 'data-link': true },
      el('span', { class: 'when' }, ago(cause.lastSeen)),
      el('span', { class: 'what' }, el('strong', {}, cause.title), el('span', { class: 'tag level' }, 'violates ', cause.level), decided(cause.decision)),
      el('span', { class: 'sentence' }, `${counted(cause.occurrences, 'transaction')}, the first `, ago(cause.firstSeen), cause.violations > cause.occurrences && `, ${counted(cause.violations, 'violation')}`, '. ', withCode(cause.first)),
      el('span', { class: 'where muted' }, cause.history),
      sparkline(cause.timeline)));
}

/** Counted violations over time, as bars of equal steps. */
export function sparkline({ counts, stepMs }, width = 120, height = 26) {
  const most = Math.max(1, ...counts);
  const step = width / Math.max(counts.length, LEAST_STEPS);
  const total = counts.reduce((all, n) => all + n, 0);
  return svg('svg', { class: 'spark-bars', viewBox: `0 0 ${width} ${height}`, width, height, role: 'img', 'aria-label': `${count(total)} violations, at most ${count(most)} in ${count(stepMs / 1000)} s` },
    counts.map((n, i) => n > 0 && svg('rect', { x: (i * step).toFixed(2), y: (height - Math.max(1.5, (height * n) / most)).toFixed(2), width: Math.max(0.8, step - 0.4).toFixed(2), height: Math.max(1.5, (height * n) / most).toFixed(2) })));
}
