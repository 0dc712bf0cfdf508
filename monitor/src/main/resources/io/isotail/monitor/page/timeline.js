// When the anomalies happened: a lane of bars for each kind, drawn here. A bar's stretch of time,
// chosen by pointer or keyboard, narrows the list.
import { el, svg, clock, count, counted, tick } from './dom.js';

const SPANS = { '1h': 'Last hour', '24h': 'Last 24 hours', all: 'All kept' };
const MOST_LANES = 6;
const WIDE_PX = 720;
const LABELS_PX = 290;
const BAR_PX = 24;
const LABEL_PX = 17;
const GAP_PX = 7;
const AXIS_PX = 20;
const LEAST_BAR_PX = 3;

/** The plot. `onRange` gets the begin and end chosen, or empty strings; `onSpan` a span's name. */
export function timeline({ onRange, onSpan }) {
  const plot = svg('svg', { class: 'plot', role: 'listbox', tabindex: '0', 'aria-orientation': 'horizontal', 'aria-label': 'Anomalies over time. Arrow keys go from bar to bar, Enter lists its anomalies, Escape lists all.' });
  // What is drawn is drawn anew while a pointer is held down; this stays, so that its click counts.
  const drawing = svg('g');
  const words = svg('title');
  const pane = svg('rect', { class: 'pane', 'aria-hidden': 'true', x: 0, y: 0 }, words);
  plot.append(drawing, pane);
  const caption = el('p', { class: 'muted caption' });
  const spans = Object.entries(SPANS).map(([span, words]) =>
    el('button', { type: 'button', class: 'button', 'data-span': span, click: () => onSpan(span) }, words));
  const node = el('section', { class: 'timeline', 'aria-labelledby': 'h-timeline', hidden: true },
    el('div', { class: 'heading' },
      el('h2', { id: 'h-timeline' }, 'Anomalies over time'),
      el('div', { class: 'actions', role: 'group', 'aria-label': 'Time shown' }, spans)),
    el('div', { class: 'plot-box' }, plot),
    caption);
  let data = null;
  let range = { from: '', to: '' };
  let buckets = [];
  let active = null; // begin of the bucket that the keyboard is at
  let drawn = '';

  const observer = new ResizeObserver(() => draw());
  observer.observe(plot);

  function draw() {
    const width = plot.clientWidth;
    if (!data || !width) return;
    const key = JSON.stringify([data, range, active, width, Math.floor(Date.now() / 60000)]);
    if (key === drawn) return;
    drawn = key;
    const wide = width >= WIDE_PX;
    const lanes = lanesOf(data);
    buckets = bucketsOf(data);
    const left = wide ? LABELS_PX : 0;
    const step = (width - left) / data.lanes.reduce((n, lane) => Math.max(n, lane.counts.length), 1);
    const laneHeight = BAR_PX + GAP_PX + (wide ? 0 : LABEL_PX);
    const height = Math.max(1, lanes.length) * laneHeight;
    const most = Math.max(1, ...lanes.flatMap((lane) => lane.counts));
    plot.setAttribute('height', height + AXIS_PX);
    plot.setAttribute('viewBox', `0 0 ${width} ${height + AXIS_PX}`);
    drawing.replaceChildren();
    pane.setAttribute('width', width);
    pane.setAttribute('height', height);
    for (const bucket of buckets) {
      bucket.x = left + bucket.index * step;
      bucket.width = step;
      drawing.append(column(bucket, height));
    }
    lanes.forEach((lane, i) => drawing.append(bars(lane, { i, left, step, laneHeight, most, width, wide })));
    if (!lanes.length) drawing.append(svg('text', { x: left, y: height - 8 }, 'None in this time.'));
    drawing.append(axis(data, left, width, height));
    pointToActive();
  }

  function column(bucket, height) {
    const chosen = isChosen(bucket);
    return svg('g', { role: 'option', id: `bucket-${bucket.fromMs}`, 'aria-selected': chosen, 'aria-label': bucket.words, class: `bucket${chosen ? ' chosen' : ''}${bucket.fromMs === active ? ' active' : ''}`, 'data-from': bucket.from },
      svg('rect', { x: bucket.x.toFixed(1), y: 0, width: bucket.width.toFixed(1), height }));
  }

  function isChosen(bucket) {
    if (!range.from || !range.to) return false;
    return bucket.fromMs < Date.parse(range.to) && bucket.toMs > Date.parse(range.from);
  }

  function choose(bucket) {
    active = bucket.fromMs;
    if (bucket.from === range.from && bucket.to === range.to) onRange({ from: '', to: '' });
    else onRange({ from: bucket.from, to: bucket.to });
  }

  function pointToActive() {
    if (buckets.some((b) => b.fromMs === active)) plot.setAttribute('aria-activedescendant', `bucket-${active}`);
    else plot.removeAttribute('aria-activedescendant');
  }

  plot.addEventListener('focus', () => {
    if (!buckets.some((b) => b.fromMs === active)) active = (buckets.find(isChosen) ?? buckets.at(-1))?.fromMs ?? null;
    draw();
  });
  function at(event) {
    const x = event.clientX - plot.getBoundingClientRect().left;
    return buckets.find((b) => x >= b.x && x < b.x + b.width);
  }

  pane.addEventListener('pointermove', (event) => {
    const bucket = at(event);
    if (words.textContent !== (bucket?.words ?? '')) words.textContent = bucket?.words ?? '';
    pane.classList.toggle('over', Boolean(bucket));
  });
  plot.addEventListener('click', (event) => {
    const id = event.target.closest?.('.bucket')?.id; // as a screen reader clicks
    const bucket = id ? buckets.find((b) => `bucket-${b.fromMs}` === id) : at(event);
    if (bucket) choose(bucket);
  });
  plot.addEventListener('keydown', (event) => {
    const place = buckets.findIndex((b) => b.fromMs === active);
    const to = { ArrowLeft: place - 1, ArrowRight: place + 1, Home: 0, End: buckets.length - 1 }[event.key];
    if (to !== undefined) {
      active = buckets[Math.min(Math.max(to, 0), buckets.length - 1)]?.fromMs ?? null;
      draw();
    } else if ((event.key === 'Enter' || event.key === ' ') && place >= 0) {
      choose(buckets[place]);
    } else {
      return; // Escape is the overview's
    }
    event.preventDefault();
  });

  return {
    node,
    /** Draws what `/api/timeline` answered, with the stretch of time that the list is narrowed to. */
    show(answer, chosen) {
      data = answer;
      range = chosen;
      node.hidden = answer.matching === 0 && !answer.lanes.length;
      for (const button of spans) button.setAttribute('aria-pressed', String(button.dataset.span === answer.span));
      const words = captionOf(answer);
      if (caption.textContent !== words) caption.textContent = words;
      draw();
    },
    leave: () => observer.disconnect(),
  };
}

function bucketsOf(data) {
  const stepMs = data.stepSeconds * 1000;
  const firstMs = Date.parse(data.from);
  const size = Math.max(0, ...data.lanes.map((lane) => lane.counts.length));
  const buckets = [];
  for (let index = 0; index < size; index++) {
    const parts = data.lanes.map((lane) => [lane.counts[index], lane.kind]).filter(([n]) => n > 0);
    if (!parts.length) continue;
    const fromMs = firstMs + index * stepMs;
    const all = parts.reduce((sum, [n]) => sum + n, 0);
    const from = new Date(fromMs);
    const to = new Date(fromMs + stepMs);
    buckets.push({
      index,
      fromMs,
      toMs: fromMs + stepMs,
      from: from.toISOString(),
      to: to.toISOString(),
      words: `${clock(from, false)} to ${clock(to, false)}: ${counted(all, 'anomaly', 'anomalies')}: ${parts.map(([n, kind]) => `${count(n)} ${kind}`).join(', ')}`,
    });
  }
  return buckets;
}

/** A lane for each level and kind; of many, the rarest share the last one. */
function lanesOf(data) {
  const shared = (kind) => data.lanes.filter((lane) => lane.kind === kind).length > 1;
  const lanes = data.lanes.map((lane) => ({ name: shared(lane.kind) ? `${lane.kind}, ${lane.level}` : lane.kind, counts: lane.counts, total: lane.counts.reduce((a, b) => a + b, 0) }));
  if (lanes.length <= MOST_LANES) return lanes;
  const often = [...lanes].sort((a, b) => b.total - a.total).slice(0, MOST_LANES - 1);
  const rare = lanes.filter((lane) => !often.includes(lane));
  const others = {
    name: `${rare.length} other kinds`,
    counts: rare[0].counts.map((_, i) => rare.reduce((sum, lane) => sum + lane.counts[i], 0)),
    total: rare.reduce((sum, lane) => sum + lane.total, 0),
  };
  return [...lanes.filter((lane) => often.includes(lane)), others];
}

function bars(lane, { i, left, step, laneHeight, most, width, wide }) {
  const bottom = (i + 1) * laneHeight - GAP_PX / 2;
  const group = svg('g', { class: 'lane', 'aria-hidden': 'true' },
    svg('line', { x1: left, x2: width, y1: bottom + 0.5, y2: bottom + 0.5 }));
  const y = wide ? bottom - 8 : i * laneHeight + LABEL_PX - 4;
  group.append(svg('text', { x: 0, y }, lane.name, svg('tspan', { class: 'faint', dx: 7 }, count(lane.total))));
  lane.counts.forEach((n, bucket) => {
    if (!n) return;
    const height = Math.max(LEAST_BAR_PX, (n / most) * BAR_PX);
    group.append(svg('rect', { class: 'bar-of', x: (left + bucket * step + 0.5).toFixed(1), y: (bottom - height).toFixed(1), width: Math.max(1.5, step - 1).toFixed(1), height: height.toFixed(1) }));
  });
  return group;
}

function axis(data, left, width, height) {
  const group = svg('g', { class: 'axis', 'aria-hidden': 'true' });
  const fromMs = Date.parse(data.from);
  const toMs = Date.parse(data.to);
  const ticks = width - left >= 600 ? 4 : 2;
  for (let i = 0; i <= ticks; i++) {
    const at = new Date(fromMs + ((toMs - fromMs) * i) / ticks);
    const x = left + ((width - left) * i) / ticks;
    group.append(svg('text', { x: x.toFixed(1), y: height + 14, 'text-anchor': i === 0 ? 'start' : i === ticks ? 'end' : 'middle' }, tick(at, toMs - fromMs)));
  }
  return group;
}

function captionOf(data) {
  const most = Math.max(0, ...data.lanes.flatMap((lane) => lane.counts));
  const minutes = data.stepSeconds / 60;
  const each = minutes < 60 ? counted(minutes, 'minute') : minutes < 1440 ? counted(minutes / 60, 'hour') : counted(minutes / 1440, 'day');
  const words = [`A bar is ${each}`, most && `the highest has ${count(most)}`].filter(Boolean).join('; ') + '.';
  const beyond = [
    data.earlier && `${count(data.earlier)} earlier ${data.earlier === 1 ? 'one is' : 'ones are'} outside the time shown.`,
    data.later && `${count(data.later)} came by a clock that is ahead.`,
    data.untimed && `${count(data.untimed)} without a time.`,
  ].filter(Boolean);
  return [words, ...beyond].join(' ');
}
