// What the causes have in common: a line for each incident, the one that struck last first.
import { el, getJson, counted, kept, time } from './dom.js';

const SHOWN = 10;

/** The list of incidents of the history that is looked at; it takes no room while there are none. */
export function incidentList(filters) {
  const body = kept(el('div', {}), lines);
  const node = el('section', { 'aria-labelledby': 'h-incidents', id: 'incidents', hidden: true },
    el('h2', { id: 'h-incidents' }, 'Incidents'), body.node);
  let left = false;

  return {
    node,
    async load() {
      const query = new URLSearchParams({ limit: SHOWN });
      if (filters.values.history) query.set('history', filters.values.history);
      const { incidents, matching } = await getJson(`/api/incidents?${query}`);
      if (left) return;
      node.hidden = incidents.length === 0;
      body.show({ incidents: incidents.map(essence), matching });
    },
    leave() { left = true; },
  };
}

/** What a line shows: it is drawn anew only when that changes. */
function essence({ incident, title, history, lastSeen, radius, ended }) {
  return { incident, title, history, lastSeen, hurt: radius.words, ended: ended?.reason };
}

function lines({ incidents, matching }) {
  return [
    el('ul', { class: 'anomalies incidents' }, incidents.map((each) =>
      el('li', {}, el('a', { href: `/incidents/${encodeURIComponent(each.incident)}`, 'data-link': true },
        el('span', { class: 'when' }, time(each.lastSeen)),
        el('span', { class: 'what' }, el('strong', {}, each.title)),
        el('span', { class: 'sentence' }, each.hurt, each.ended && `. It is over: ${each.ended}.`),
        el('span', { class: 'where muted' }, each.history))))),
    matching > incidents.length && el('p', { class: 'muted' }, `… and ${counted(matching - incidents.length, 'incident')} more: ask /api/incidents.`),
  ];
}
