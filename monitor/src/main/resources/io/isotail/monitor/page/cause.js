// One cause: what happens, since when, who does it, what to do about it, and its simplest proof.
import { el, adviceList, firstAdvice, getJson, count, counted, kept, zonedTime } from './dom.js';
import { chart, markersOf } from './chart.js';
import { decisionPanel } from './decision.js';
import { lanes } from './lanes.js';
import { ANOMALIES } from './words.js';

/** The cause `id`, or why it is not known. `go` leads to another view. */
export function cause(main, id, go) {
  document.title = 'isotail: cause';
  const list = location.search.length > 1 ? `/${location.search}` : '/';
  const head = kept(el('div', {}), headOf);
  const facts = kept(el('div', {}), factsOf);
  const rest = kept(el('div', {}), (found) => restOf(found, list));
  const back = el('p', { class: 'crumbs' }, el('a', { href: list, 'data-link': true }, '← Overview'));
  const decision = decisionPanel(id, load);
  const gone = el('p', { class: 'alert', hidden: true }, 'This cause is not known by the monitor any more: neither memory nor the anomalies topic has it. What is shown stays until you leave the page.');
  const proof = el('div', {});
  let shown = null;
  let drawn = null;
  let left = false;
  let status = null;
  const body = el('div', {}, el('article', { class: 'witness', hidden: true }, head.node, decision.node, facts.node), rest.node, proof);
  main.append(back, gone, body);
  load().catch(() => {}); // the next refresh tries again and tells

  async function load() {
    try {
      const found = await getJson(`/api/causes/${encodeURIComponent(id)}`);
      found.markers = markersOf(status, found.history);
      if (left) return;
      document.title = `${found.title} · isotail`;
      const { decision: made, decidable, ...cause } = found;
      if (!shown) main.replaceChildren(back, gone, body);
      shown = found;
      gone.hidden = true;
      body.firstChild.hidden = false;
      [head, facts, rest].forEach((part) => part.show(cause));
      decision.show({ decision: made, decidable });
      await draw(found.simplest);
    } catch (error) {
      if (left) return;
      if (!shown) main.replaceChildren(back, error.status === 404 ? missing(id, error, list) : failed(error));
      else if (error.status === 404) gone.hidden = false;
      if (error.status !== 404) throw error;
    }
  }

  /** The lanes of the simplest proof. It is asked for once; what cannot be told now is tried again. */
  async function draw(simplest) {
    if (drawn === simplest) return;
    try {
      const anomaly = await getJson(`/api/anomalies/${encodeURIComponent(simplest)}`);
      drawn = simplest;
      if (!left) proof.replaceChildren(...[lanes(anomaly, 'The simplest proof, in time')].filter(Boolean));
    } catch (error) {
      if (error.status !== 404) throw error;
      drawn = simplest;
      if (!left) proof.replaceChildren(el('p', { class: 'muted' }, 'Its simplest proof is not kept any more: neither memory nor the anomalies topic has it.'));
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

function missing(id, error, list) {
  return el('div', { class: 'notice' },
    el('h1', {}, 'This cause is not known here'),
    el('p', {}, 'Nothing is known of ', el('code', {}, id), '. Either there never was such a cause, or it is so old that the anomalies topic has deleted it.'),
    el('p', { class: 'muted' }, `The monitor says: ${error.message}.`),
    el('p', {}, el('a', { href: list, 'data-link': true, class: 'button primary' }, 'To what is known')));
}

function failed(error) {
  return el('div', { class: 'notice' },
    el('h1', {}, 'The cause could not be loaded'),
    el('p', {}, `${error.message}. It is tried again every second.`));
}

/** What is to be read at three in the morning: what, whose fault, what to do. */
function headOf(found) {
  return [
    el('p', { class: 'what' }, el('span', { class: 'tag level' }, `violates ${found.level}`), el('span', { class: 'tag' }, found.anomaly)),
    el('h1', {}, found.title),
    ANOMALIES[found.anomaly] && el('p', { class: 'muted meaning' }, ANOMALIES[found.anomaly]),
    el('p', { class: 'lead' }, found.verdict),
    firstAdvice(found.advice),
  ];
}

/** When and how much; which tables, services and endpoints it is stands in the title and with the statements. */
function factsOf(found) {
  return [
    el('dl', { class: 'facts' },
      fact('First seen', zonedTime(found.firstSeen)),
      fact('Last seen', zonedTime(found.lastSeen)),
      fact('Bad transactions', count(found.occurrences), 'each counted once'),
      fact('Violations', `${count(found.violations)}, ${count(found.proven)} proven`, 'one transaction can make several; the first are proven'),
      fact('Ran at', found.ranAt.join(', ')),
      fact('History', el('a', { href: `/?${new URLSearchParams({ history: found.history })}`, 'data-link': true }, found.history)),
      fact('Incident', found.incident && el('a', { href: `/incidents/${encodeURIComponent(found.incident)}`, 'data-link': true, id: 'incident' }, el('code', {}, found.incident))),
      fact('Id', el('code', {}, found.cause))),
    chart(found.timeline, found.markers),
  ];
}

function restOf(found, list) {
  const query = list === '/' ? '' : list.slice(1);
  const witness = (id, words) => el('a', { href: `/anomalies/${encodeURIComponent(id)}${query}`, 'data-link': true }, words);
  return [
    adviceList(found.advice),
    found.statements.length > 0 && el('section', { 'aria-labelledby': 'h-statements' },
      el('h2', { id: 'h-statements' }, 'The statements'),
      el('ul', { class: 'why' }, found.statements.map((part) =>
        el('li', {}, el('code', {}, part.statement || '(text not known)'), el('span', { class: 'muted' }, ` ${[part.service, part.endpoint, part.table].filter(Boolean).join(' · ')}`))))),
    el('section', { 'aria-labelledby': 'h-proofs' },
      el('h2', { id: 'h-proofs' }, 'Proofs'),
      el('p', {}, witness(found.simplest, 'The simplest proof'), ` (${counted(found.simplestTransactions, 'transaction')})`,
        found.latest !== found.simplest && [', ', witness(found.latest, 'the latest one')], ', ',
        el('a', { href: `/?${new URLSearchParams({ history: found.history, cause: found.cause })}#h-anomalies`, 'data-link': true, id: 'all-proofs' }, 'all proofs of this cause'), ' that are kept.')),
  ];
}

function fact(name, value, meaning) {
  return value && el('div', {}, el('dt', {}, name), el('dd', {}, value), meaning && el('dd', { class: 'muted small' }, meaning));
}
