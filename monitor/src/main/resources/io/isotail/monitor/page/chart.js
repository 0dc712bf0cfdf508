// Counted violations over time: bars at full width, with a time axis, the maximum, and what changed.
import { el, svg, clock, count, counted, kept, seconds, tick, time } from './dom.js';

const HEIGHT_PX = 120;
const AXIS_PX = 20;
const TOP_PX = 16;
const LEAST_STEPS = 24; // one count is a thin bar, and not a wall

const EARLIER_MS = 86_400_000; // a change of the day before may be why it began
const MOST_EARLIER = 3;

/** What was changed and noted in a history, the oldest first; none before there is a status. */
export function markersOf(status, history) {
  return status?.histories.find((each) => each.history === history)?.markers ?? [];
}

/** The chart of a cause's timeline; it is drawn anew when its width changes. */
export function chart({ begin, counts, stepMs }, markers) {
  const firstMs = begin ? Date.parse(begin) : null;
  const endMs = firstMs + Math.max(counts.length, LEAST_STEPS) * stepMs;
  const timed = firstMs === null ? [] : markers.filter(({ at }) => at && Date.parse(at) < endMs);
  const within = timed.filter(({ at }) => Date.parse(at) >= firstMs);
  const earlier = timed.filter(({ at }) => Date.parse(at) < firstMs && Date.parse(at) >= firstMs - EARLIER_MS).slice(-MOST_EARLIER);
  const total = counts.reduce((all, n) => all + n, 0);
  const most = Math.max(1, ...counts);
  const drawing = svg('svg', { class: 'chart', role: 'img', height: HEIGHT_PX, 'aria-label': `${counted(total, 'violation')}, at most ${count(most)} in ${seconds(stepMs / 1000)}` });
  const body = kept(drawing, (width) => draw(width, { firstMs, counts, stepMs, most, within }));
  new ResizeObserver(() => {
    const width = Math.round(drawing.clientWidth);
    if (!width) return;
    drawing.setAttribute('viewBox', `0 0 ${width} ${HEIGHT_PX}`);
    body.show(width);
  }).observe(drawing);
  return el('figure', { class: 'chart-box' }, drawing,
    el('figcaption', { class: 'muted' }, `Violations${firstMs === null ? '' : `, from ${clock(new Date(firstMs))} on`}. Each bar is ${seconds(stepMs / 1000)} of the log, the highest has ${count(most)}.`,
      (earlier.length > 0 || within.length > 0) && el('ul', { class: 'markers' },
        earlier.map((marker) => el('li', {}, 'before it, ', time(marker.at), ` (${seconds((firstMs - Date.parse(marker.at)) / 1000)} earlier): `, el('strong', {}, marker.text))),
        within.map((marker, i) => el('li', {}, `line ${i + 1}, `, time(marker.at), ': ', el('strong', {}, marker.text))))));
}

function draw(width, { firstMs, counts, stepMs, most, within }) {
  const bottom = HEIGHT_PX - AXIS_PX;
  const steps = Math.max(counts.length, LEAST_STEPS);
  const step = width / steps;
  const heightOf = (n) => Math.max(2, ((bottom - TOP_PX) * n) / most);
  const ticks = firstMs === null ? [] : width >= 600 ? [0, 0.25, 0.5, 0.75, 1] : [0, 0.5, 1];
  return [
    svg('line', { x1: 0, x2: width, y1: TOP_PX - 0.5, y2: TOP_PX - 0.5, class: 'limit' }),
    svg('text', { x: 0, y: TOP_PX - 4 }, count(most)),
    svg('line', { x1: 0, x2: width, y1: bottom + 0.5, y2: bottom + 0.5 }),
    counts.map((n, i) => n > 0 && svg('rect', { x: (i * step).toFixed(1), y: (bottom - heightOf(n)).toFixed(1), width: Math.max(1.5, step - 1).toFixed(1), height: heightOf(n).toFixed(1) })),
    within.map(({ at, text }, i) => {
      const x = ((width * (Date.parse(at) - firstMs)) / (steps * stepMs)).toFixed(1);
      return [
        svg('line', { x1: x, x2: x, y1: TOP_PX, y2: bottom, class: 'marker' }, svg('title', {}, text)),
        svg('text', { x, y: TOP_PX - 4, 'text-anchor': 'middle' }, String(i + 1)),
      ];
    }),
    ticks.map((share) => svg('text', { x: (share * width).toFixed(1), y: HEIGHT_PX - 5, 'text-anchor': share === 0 ? 'start' : share === 1 ? 'end' : 'middle' }, tick(new Date(firstMs + share * steps * stepMs), steps * stepMs))),
  ];
}
