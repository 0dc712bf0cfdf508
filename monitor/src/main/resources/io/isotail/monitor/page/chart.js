// Counted violations over time: bars at full width, with a time axis and the maximum.
import { el, svg, clock, count, counted, kept, seconds } from './dom.js';

const HEIGHT_PX = 120;
const AXIS_PX = 20;
const TOP_PX = 16;
const LEAST_STEPS = 24; // one count is a thin bar, and not a wall

/** The chart of a cause's timeline; it is drawn anew when its width changes. */
export function chart({ begin, counts, stepMs }) {
  const total = counts.reduce((all, n) => all + n, 0);
  const most = Math.max(1, ...counts);
  const drawing = svg('svg', { class: 'chart', role: 'img', height: HEIGHT_PX, 'aria-label': `${counted(total, 'violation')}, at most ${count(most)} in ${seconds(stepMs / 1000)}` });
  const body = kept(drawing, (width) => draw(width, { begin, counts, stepMs, most }));
  new ResizeObserver(() => {
    const width = Math.round(drawing.clientWidth);
    if (!width) return;
    drawing.setAttribute('viewBox', `0 0 ${width} ${HEIGHT_PX}`);
    body.show(width);
  }).observe(drawing);
  return el('figure', { class: 'chart-box' }, drawing,
    el('figcaption', { class: 'muted' }, `Violations. Each bar is ${seconds(stepMs / 1000)} of the log, the highest has ${count(most)}.`));
}

function draw(width, { begin, counts, stepMs, most }) {
  const bottom = HEIGHT_PX - AXIS_PX;
  const steps = Math.max(counts.length, LEAST_STEPS);
  const step = width / steps;
  const heightOf = (n) => Math.max(2, ((bottom - TOP_PX) * n) / most);
  const firstMs = begin ? Date.parse(begin) : null;
  const ticks = firstMs === null ? [] : width >= 600 ? [0, 0.25, 0.5, 0.75, 1] : [0, 0.5, 1];
  return [
    svg('line', { x1: 0, x2: width, y1: TOP_PX - 0.5, y2: TOP_PX - 0.5, class: 'limit' }),
    svg('text', { x: 0, y: TOP_PX - 4 }, count(most)),
    svg('line', { x1: 0, x2: width, y1: bottom + 0.5, y2: bottom + 0.5 }),
    counts.map((n, i) => n > 0 && svg('rect', { x: (i * step).toFixed(1), y: (bottom - heightOf(n)).toFixed(1), width: Math.max(1.5, step - 1).toFixed(1), height: heightOf(n).toFixed(1) })),
    ticks.map((share) => svg('text', { x: (share * width).toFixed(1), y: HEIGHT_PX - 5, 'text-anchor': share === 0 ? 'start' : share === 1 ? 'end' : 'middle' }, clock(new Date(firstMs + share * steps * stepMs), steps * stepMs < 600_000))),
  ];
}
