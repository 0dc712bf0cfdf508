// Leads from a transaction to its trace, where `trace.url-template` says how.
import { el } from './dom.js';

const HOLE = '{trace}';

/** A trace id; it becomes a link by `linkTraces`. */
export function traceOf(trace) {
  return el('span', { 'data-trace': trace }, 'trace ', el('code', {}, trace));
}

/** Makes links of the trace ids in `node`. Without a template they stay text. */
export function linkTraces(node, template) {
  if (!/^https?:\/\//.test(template ?? '')) return;
  for (const told of node.querySelectorAll('[data-trace]')) {
    const { trace } = told.dataset;
    told.removeAttribute('data-trace');
    told.replaceChildren(el('a', { href: template.replaceAll(HOLE, encodeURIComponent(trace)), rel: 'noreferrer', class: 'trace' }, ...told.childNodes));
  }
}
