// One incident: what is broken and whose fault it is, how much is hurt, what to do, its causes, and
// what differs between its transactions and the others.
import { el, svg, adviceList, firstAdvice, getJson, counted, kept, zonedTime } from './dom.js';
import { decided } from './decision.js';
import { chart, markersOf } from './chart.js';
import { kindTags } from './incidents.js';

/** Where the roots of incidents lie. */
const ROOTS = { promise: 'code or promise', database: 'database', replica: 'replica', unknown: 'level not told' };

/** The incident `id`, or why it is not known. `go` leads to another view. */
export function incident(main, id, go) {
  document.title = 'isotail: incident';
  const list = location.search.length > 1 ? `/${location.search}` : '/';
  const body = page();
  let left = false;
  let status = null;
  let shown = false;
  main.append(el('p', { class: 'crumbs' }, el('a', { href: list, 'data-link': true }, '← Overview')), body.node);
  load().catch(() => {}); // the next refresh tries again and tells

  async function load() {
    try {
      const found = await getJson(`/api/incidents/${encodeURIComponent(id)}`);
      found.markers = markersOf(status, found.history);
      if (left) return;
      shown = true;
      document.title = `${found.title} · isotail`;
      body.show(found);
    } catch (error) {
      if (left) return;
      if (!shown) {
        body.node.replaceChildren(el('div', { class: 'notice' },
          el('h1', {}, error.status === 404 ? 'This incident is not known here' : 'The incident could not be loaded'),
          el('p', {}, `The monitor says: ${error.message}.`)));
      }
      if (error.status !== 404) throw error;
    }
  }

  return {
    refresh(now) {
      status = now;
      return load();
    },
    escape() { go(list); },
    leave() { left = true; },
  };
}

/** The sections, each of which is filled anew only when what it shows has changed. */
function page() {
  const part = (build, ...fields) => {
    const body = kept(el('div', {}), build);
    return { node: body.node, show: (found) => body.show(Object.fromEntries(fields.map((field) => [field, found[field]]))) };
  };
  const lead = part(head, 'title', 'promised', 'root', 'ended', 'wave', 'verdict', 'advice', 'kinds');
  const facts = part(known, 'history', 'firstSeen', 'lastSeen', 'radius', 'kinds', 'culprits', 'ranAt', 'others', 'server', 'mergedWith', 'incident');
  const time = part(({ timeline, markers }) => chart(timeline, markers), 'timeline', 'markers');
  const rest = [part(advice, 'advice'), part(causes, 'causes', 'causeCount'), part(differs, 'differences'), part(rows, 'radius')];
  const parts = [lead, facts, time, ...rest];
  return {
    node: el('div', {}, el('article', { class: 'witness' }, lead.node, facts.node, time.node), rest.map(({ node }) => node)),
    show(found) { parts.forEach((each) => each.show(found)); },
  };
}

function head(found) {
  return [
    el('p', { class: 'what' }, el('span', { class: 'tag level' }, `promised ${found.promised}`), el('span', { class: 'tag' }, ROOTS[found.root]), kindTags(Object.keys(found.kinds))),
    el('h1', {}, found.title),
    found.ended && el('p', { class: 'lead' }, `It is over: ${found.ended.reason}.`),
    found.wave.number > 1 && el('p', { class: 'lead' }, 'It became worse: ', found.wave.reason, ', ', zonedTime(found.wave.since), '.'),
    el('p', { class: 'lead' }, found.verdict),
    firstAdvice(found.advice),
  ];
}

function known(found) {
  const other = (id) => el('a', { href: `/incidents/${encodeURIComponent(id)}`, 'data-link': true }, id);
  return el('dl', { class: 'facts' },
    fact('History', el('a', { href: `/?${new URLSearchParams({ history: found.history })}`, 'data-link': true }, found.history)),
    fact('First seen', zonedTime(found.firstSeen)),
    fact('Last seen', zonedTime(found.lastSeen)),
    fact('Hurt', found.radius.words),
    fact('Kinds', Object.entries(found.kinds).map(([kind, n]) => `${kind}: ${counted(n, 'violation')}`).join(', ')),
    fact('Endpoints', found.culprits.map(({ name }) => name).filter(Boolean).join(', ')),
    fact(found.others ? 'Others ran at' : 'Ran at', found.ranAt),
    fact('Server', found.server),
    found.mergedWith.length > 0 && fact('Same root as', found.mergedWith.flatMap((id, i) => [i > 0 && ', ', other(id)])),
    fact('Id', el('code', {}, found.incident)));
}

function advice(found) {
  return found.advice.length > 0 && adviceList(found.advice);
}

function causes(found) {
  return el('section', { 'aria-labelledby': 'h-causes' },
    el('h2', { id: 'h-causes' }, counted(found.causeCount, 'cause')),
    el('ul', { class: 'anomalies plain' }, found.causes.map((cause) =>
      el('li', {}, el('a', { href: `/causes/${encodeURIComponent(cause.cause)}`, 'data-link': true },
        el('span', { class: 'what' }, el('strong', {}, cause.title ?? cause.cause), cause.level && el('span', { class: 'tag level' }, 'violates ', cause.level), decided(cause.decision)),
        cause.violations !== undefined && el('span', { class: 'sentence' }, counted(cause.violations, 'violation')))))));
}

function differs(found) {
  return found.differences.length > 0 && el('section', { 'aria-labelledby': 'h-differs' },
    el('h2', { id: 'h-differs' }, 'What differs'),
    el('ul', { class: 'why' }, found.differences.map((each) =>
      el('li', {}, el('strong', {}, `${each.dimension}: `), el('code', {}, each.value), shares(each),
        el('span', { class: 'muted' }, ` ${share(each.bad, each.badOf)} of the transactions that went wrong, ${share(each.good, each.goodOf)} of the others since then.`)))));
}

function rows(found) {
  return found.radius.most.length > 0 && el('section', { 'aria-labelledby': 'h-rows' },
    el('h2', { id: 'h-rows' }, 'The rows that are hurt most'),
    el('ul', { class: 'why' }, found.radius.most.map((row) =>
      el('li', {}, el('code', {}, row.key ? `${row.table ?? ''}[${row.key}]` : `${row.table ?? ''}#${row.hash}`), el('span', { class: 'muted' }, ` ${counted(row.violations, 'violation')}`)))));
}

/** Two bars: how many of the bad transactions have it, and of the others. */
function shares({ bad, badOf, good, goodOf }) {
  const bar = (n, of, y, style) => svg('rect', { class: style, x: 0, y, width: of ? ((100 * n) / of).toFixed(1) : 0, height: 5 });
  return svg('svg', { class: 'shares', viewBox: '0 0 100 12', preserveAspectRatio: 'none', 'aria-hidden': 'true' }, bar(bad, badOf, 0, 'bad'), bar(good, goodOf, 7, 'good'));
}

function share(part, of) {
  return of ? `${((100 * part) / of).toFixed(1)} %` : 'none';
}

function fact(name, value) {
  return value && el('div', {}, el('dt', {}, name), el('dd', {}, value));
}
