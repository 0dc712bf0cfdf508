// One cause: what happens, since when, who does it, what to do about it, and its simplest proof.
import { el, getJson, count, counted, kept, time } from './dom.js';
import { sparkline } from './causes.js';
import { decisionPanel } from './decision.js';
import { ANOMALIES } from './words.js';

/** The cause `id`, or why it is not known. `go` leads to another view. */
export function cause(main, id, go) {
  document.title = 'isotail: cause';
  const list = location.search.length > 1 ? `/${location.search}` : '/';
  const body = kept(el('div', {}), (found) => page(found, list));
  const back = el('p', { class: 'crumbs' }, el('a', { href: list, 'data-link': true }, '← Overview'));
  const decision = decisionPanel(id, load);
  let left = false;
  main.append(back, body.node, decision.node);
  load().catch(() => {}); // the next refresh tries again and tells

  async function load() {
    try {
      const found = await getJson(`/api/causes/${encodeURIComponent(id)}`);
      if (left) return;
      document.title = `${found.title} · isotail`;
      const { decision: made, decidable, ...rest } = found;
      body.show(rest);
      decision.show({ decision: made, decidable });
    } catch (error) {
      if (error.status !== 404) throw error;
      if (!left) body.node.replaceChildren(missing(id, error, list));
    }
  }

  return {
    refresh: load,
    escape() { go(list); },
    leave() { left = true; },
  };
}

function missing(id, error, list) {
  return el('div', { class: 'notice' },
    el('h1', {}, 'This cause is not known here'),
    el('p', {}, 'Nothing is known of ', el('code', {}, id), '.'),
    el('p', { class: 'muted' }, `The monitor says: ${error.message}.`),
    el('p', {}, el('a', { href: list, 'data-link': true, class: 'button primary' }, 'To what is known')));
}

function page(found, list) {
  const query = list === '/' ? '' : list.slice(1);
  const witness = (id, words) => el('a', { href: `/anomalies/${encodeURIComponent(id)}${query}`, 'data-link': true }, words);
  return [
    el('article', { class: 'witness' },
      el('p', { class: 'what' }, el('span', { class: 'tag level' }, `violates ${found.level}`), el('span', { class: 'tag' }, found.anomaly)),
      el('h1', {}, found.title),
      ANOMALIES[found.anomaly] && el('p', { class: 'muted meaning' }, ANOMALIES[found.anomaly]),
      el('p', { class: 'lead' }, found.verdict),
      el('dl', { class: 'facts' },
        fact('History', el('a', { href: `/?${new URLSearchParams({ history: found.history })}`, 'data-link': true }, found.history)),
        fact('First seen', time(found.firstSeen)),
        fact('Last seen', time(found.lastSeen)),
        fact('Transactions', count(found.occurrences)),
        fact('Violations', `${count(found.violations)}, ${count(found.proven)} proven`),
        fact('Tables', found.tables.join(', ')),
        fact('Services', found.services.join(', ')),
        fact('Endpoints', found.endpoints.join(', ')),
        fact('Ran at', found.ranAt.join(', ')),
        fact('Id', el('code', {}, found.cause))),
      el('div', { class: 'spark-large' }, sparkline(found.timeline, 600, 60)),
      found.timeline.begin && el('p', { class: 'muted' }, 'From ', time(found.timeline.begin), `, each bar ${counted(found.timeline.stepMs / 1000, 'second')} of the log.`)),
    el('section', { 'aria-labelledby': 'h-advice' },
      el('h2', { id: 'h-advice' }, 'What to do'),
      el('ol', { class: 'why' }, found.advice.map(({ what, cost }) =>
        el('li', {}, el('strong', {}, what), el('span', { class: 'muted' }, ` It costs: ${cost}.`))))),
    found.statements.length > 0 && el('section', { 'aria-labelledby': 'h-statements' },
      el('h2', { id: 'h-statements' }, 'The statements'),
      el('ul', { class: 'why' }, found.statements.map((part) =>
        el('li', {}, el('code', {}, part.statement || '(text not known)'), el('span', { class: 'muted' }, ` ${[part.service, part.endpoint, part.table].filter(Boolean).join(' · ')}`))))),
    el('section', { 'aria-labelledby': 'h-proofs' },
      el('h2', { id: 'h-proofs' }, 'Proofs'),
      el('p', {}, witness(found.simplest, 'The simplest proof'), ` (${counted(found.simplestTransactions, 'transaction')})`,
        found.latest !== found.simplest && [', ', witness(found.latest, 'the latest one')], '.')),
  ];
}

function fact(name, value) {
  return value && el('div', {}, el('dt', {}, name), el('dd', {}, value));
}
