// Arrows over the lanes of a witness: from each read to the write that it missed.
import { svg } from './dom.js';

/** Kinds of operations that tell what was there. */
export const READS = ['read', 'listed'];
const WRITES = ['write', 'delete'];
const BEND_PX = 24;
/** How far an arrow between boxes that stand below each other keeps from them, and from the next one. */
const ASIDE_PX = 14;
const APART_PX = 5;
const MOST_ASIDE = 3;

/** A drawing that lies over the grid and follows its size. */
export function conflicts(grid, cycle) {
  const missed = cycle.filter((edge) => edge.kind === 'rw');
  const drawing = svg('svg', { class: 'conflicts', 'aria-hidden': 'true' });
  new ResizeObserver(() => {
    const box = grid.getBoundingClientRect();
    drawing.setAttribute('viewBox', `0 0 ${Math.round(box.width)} ${Math.round(box.height)}`);
    drawing.replaceChildren(
      svg('defs', {}, svg('marker', { id: 'missed-end', viewBox: '0 0 8 8', refX: 7, refY: 4, markerWidth: 7, markerHeight: 7, orient: 'auto' }, svg('path', { d: 'M0 0L8 4L0 8z' }))),
      ...missed.map((edge, i) => arrow(grid, box, edge, i % MOST_ASIDE)).filter(Boolean));
  }).observe(grid);
  return drawing;
}

function arrow(grid, box, { from, to, key }, place) {
  const read = operation(grid, from, key, READS);
  const write = operation(grid, to, key, WRITES);
  if (!read || !write) return null;
  const a = read.getBoundingClientRect();
  const b = write.getBoundingClientRect();
  const rightwards = a.right < b.left;
  const edge = read.closest('.lane-box').getBoundingClientRect(); // from its border on, past the words
  if (!rightwards && b.right >= a.left) { // one below the other: round their left side
    const side = Math.min(edge.left, write.closest('.lane-box').getBoundingClientRect().left) - box.left;
    const x = side - ASIDE_PX + place * APART_PX;
    return missedPath(`M${edge.left - box.left} ${a.top + 12 - box.top}H${x}V${b.top + 12 - box.top}H${b.left - box.left - 22}`);
  }
  const x1 = (rightwards ? edge.right : edge.left) - box.left;
  const x2 = (rightwards ? b.left - 22 : b.right) - box.left;
  const y1 = a.top + 12 - box.top;
  const y2 = b.top + 12 - box.top;
  const bend = rightwards ? BEND_PX : -BEND_PX;
  return missedPath(`M${x1.toFixed(1)} ${y1.toFixed(1)}C${(x1 + bend).toFixed(1)} ${y1.toFixed(1)} ${(x2 - bend).toFixed(1)} ${y2.toFixed(1)} ${x2.toFixed(1)} ${y2.toFixed(1)}`);
}

const missedPath = (d) => svg('path', { class: 'missed', d, 'marker-end': 'url(#missed-end)' });

function operation(grid, transaction, key, kinds) {
  const box = grid.querySelector(`[data-transaction="${CSS.escape(transaction)}"]`);
  return [...(box?.querySelectorAll('[data-kind]') ?? [])].find((o) => kinds.includes(o.dataset.kind) && (o.dataset.key === key || key?.endsWith(`[${o.dataset.key}]`) || key?.endsWith(`#${o.dataset.key}`)));
}
