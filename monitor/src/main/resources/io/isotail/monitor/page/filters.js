// What the overview is narrowed to, and its address, which a link or a reload brings back.
import { el } from './dom.js';

const NAMES = ['history', 'level', 'kind'];
const RANGE = ['from', 'to'];
const PLACE = ['before', 'after'];

/** The filters that the address holds, and their controls. `changed` is called when a person changes one. */
export function filtersOf(address, changed) {
  const asked = new URLSearchParams(address);
  const values = Object.fromEntries([...NAMES, ...RANGE, ...PLACE, 'span'].map((name) => [name, asked.get(name) ?? '']));

  function remember(push) {
    const query = queryOf([...NAMES, ...RANGE, 'span', ...PLACE]);
    const path = query.size ? `/?${query}` : '/';
    if (push) history.pushState(null, '', path);
    else history.replaceState(null, '', path);
  }

  function queryOf(names) {
    return new URLSearchParams(names.filter((name) => values[name]).map((name) => [name, values[name]]));
  }

  const filters = {
    values,
    /** For the list. */
    listQuery: () => queryOf([...NAMES, ...RANGE, ...PLACE]),
    /** For the timeline, which shows the time around what is chosen. */
    timelineQuery: () => queryOf([...NAMES, 'span']),
    /** For links to the list as it is narrowed, at its beginning. */
    linkQuery: () => queryOf([...NAMES, ...RANGE, 'span']),
    isNarrowed: () => [...NAMES, ...RANGE].some((name) => values[name]),
    /** Sets some of them; the list begins anew. */
    set(some) {
      Object.assign(values, { before: '', after: '' }, some);
      remember(false);
      changed();
    },
    /** Another page of the list; the browser's back button returns. */
    turnTo(place) {
      Object.assign(values, { before: '', after: '' }, place);
      remember(true);
      changed();
    },
    clear() {
      filters.set({ history: '', level: '', kind: '', from: '', to: '' });
    },
  };
  return filters;
}

/** A box to choose one value of a filter, or all. */
export function select(words, name, filters) {
  const box = el('select', { name, change: () => filters.set({ [name]: box.value }) });
  let present = null;

  function options(values) {
    const chosen = filters.values[name];
    const all = chosen && !values.includes(chosen) ? [...values, chosen] : values;
    const key = all.join('\n');
    if (key !== present) {
      present = key;
      box.replaceChildren(el('option', { value: '' }, 'all'), ...all.map((v) => el('option', { value: v }, v)));
    }
    box.value = chosen;
  }

  options([]);
  return { label: el('label', {}, el('span', {}, words), box), options };
}
