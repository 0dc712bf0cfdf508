// What the overview is narrowed to, and its address, which a link or a reload brings back.
import { el } from './dom.js';

const NAMES = ['history', 'level', 'kind', 'cause'];
/** These narrow the causes, and not the list. */
const OF_CAUSES = ['table', 'service', 'statement'];
const RANGE = ['from', 'to'];
const PLACE = ['before', 'after'];

/** The filters that the address holds, and their controls. `changed` is called when a person changes one. */
export function filtersOf(address, changed) {
  const asked = new URLSearchParams(address);
  const values = Object.fromEntries([...NAMES, ...OF_CAUSES, ...RANGE, ...PLACE, 'span'].map((name) => [name, asked.get(name) ?? '']));

  function remember(push) {
    const query = queryOf([...NAMES, ...OF_CAUSES, ...RANGE, 'span', ...PLACE]);
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
    /** For the causes. */
    causesQuery: () => queryOf(['history', ...OF_CAUSES]),
    /** For links to the list as it is narrowed, at its beginning. */
    linkQuery: () => queryOf([...NAMES, ...OF_CAUSES, ...RANGE, 'span']),
    isNarrowed: () => [...NAMES, ...RANGE].some((name) => values[name]),
    areCausesNarrowed: () => OF_CAUSES.some((name) => values[name]),
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
      filters.set(Object.fromEntries([...NAMES, ...RANGE].map((name) => [name, ''])));
    },
    clearCauses() {
      filters.set(Object.fromEntries(OF_CAUSES.map((name) => [name, ''])));
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

/** A field to type a filter into; `offer` gives names to choose from. It counts on Enter, or when the field is left. */
export function field(words, name, filters, hint) {
  const id = `offered-${name}`;
  const offered = el('datalist', { id });
  const box = el('input', { type: 'search', name, list: id, placeholder: hint, autocomplete: 'off', spellcheck: 'false', change: () => filters.set({ [name]: box.value.trim() }) });
  const known = new Set();
  const node = el('label', {}, el('span', {}, words), box, offered);

  return {
    node,
    /** What the address says, unless somebody is typing. */
    show() {
      if (document.activeElement !== box && box.value !== filters.values[name]) box.value = filters.values[name];
    },
    offer(names) {
      const fresh = names.filter((n) => n && !known.has(n));
      for (const n of fresh) known.add(n);
      offered.append(...fresh.map((n) => el('option', { value: n })));
    },
  };
}
