// What the causes have in common: a line for each incident, the one that does most harm first.
import { el, ago, getJson, counted, kept, steady } from './dom.js';

const SHOWN = 10;
const MOST_KINDS = 3;
/** So many are asked for, so that a line that is in use stays when others become worse. */
const ASKED = 30;

/** The list of incidents of the history that is looked at; it takes no room while there are none. */
export function incidentList(filters) {
  const body = kept(el('div', {}), lines);
  const node = el('section', { 'aria-labelledby': 'h-incidents', id: 'incidents', hidden: true },
    el('h2', { id: 'h-incidents' }, 'Incidents'), body.node);
  let left = false;
  const steadied = steady(body.node, 'incident');
  let asked = 0;

  return {
    node,
    async load() {
      const query = new URLSearchParams({ limit: ASKED });
      if (filters.values.history) query.set('history', filters.values.history);
      const number = ++asked;
      const { incidents, matching } = await getJson(`/api/incidents?${query}`);
      if (left || number !== asked) return;
      node.hidden = incidents.length === 0;
      body.show({ incidents: steadied(incidents.map(essence)).slice(0, SHOWN), matching });
    },
    leave() { left = true; },
  };
}

/** What a line shows: it is drawn anew only when that changes. */
function essence({ incident, title, kinds, history, firstSeen, lastSeen, goesOn, hurt, ended }) {
  return { incident, title, kinds: Object.keys(kinds ?? {}), history, firstSeen, goesOn, last: goesOn ? null : lastSeen, hurt, ended: ended?.reason };
}

/** The names of the kinds of anomaly, as small marks. */
export function kindTags(kinds) {
  const more = kinds.length - MOST_KINDS;
  return [kinds.slice(0, MOST_KINDS).map((kind) => el('span', { class: 'tag' }, kind)), more > 0 && el('span', { class: 'tag' }, `${more} more`)];
}

function lines({ incidents, matching }) {
  return [
    el('ul', { class: 'anomalies incidents' }, incidents.map((each) =>
      el('li', {}, el('a', { href: `/incidents/${encodeURIComponent(each.incident)}`, 'data-link': true },
        el('span', { class: 'when' }, 'began ', ago(each.firstSeen), each.goesOn ? ', still happening' : [', last ', ago(each.last)]),
        el('span', { class: 'what' }, el('strong', {}, each.title)),
        el('span', { class: 'sentence' }, each.hurt, each.ended && `. It is over: ${each.ended}.`),
        el('span', { class: 'where what muted' }, each.history, kindTags(each.kinds)))))),
    matching > incidents.length && el('p', { class: 'muted' }, `… and ${counted(matching - incidents.length, 'incident')} more: ask /api/incidents.`),
  ];
}
