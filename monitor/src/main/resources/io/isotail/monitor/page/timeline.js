// What was said of each history when, and how often its promise was broken: a row of bars with a track
// of verdicts below, drawn here. A bar's stretch of time, chosen by pointer or keyboard, narrows the list.
import { el, svg, clock, count, counted, kept, tick, time } from './dom.js';

const SPANS = { '1h': 'Last hour', '24h': 'Last 24 hours', all: 'All kept' };
const VERDICTS = { pass: 'holds', fail: 'violated', undecided: 'undecided', 'not-checked': 'not watched' };
const STYLES = { pass: 'good-text', fail: 'bad-text', undecided: 'warn-text' };
const MOST_ROWS = 6;
const MOST_MARKERS = 6;
const WIDE_PX = 720;
const LABELS_PX = 290;
const LINE_PX = 18;
const TOP_PX = 15;
const BAR_PX = 36;
const QUIET_PX = 12;
const TRACK_PX = 9;
const GAP_PX = 12;
const AXIS_PX = 20;
const LEAST_BAR_PX = 3;
const MAX_NAME_CHARS = 32;

/** The plot. `onRange` gets the begin and end chosen, or empty strings; `onSpan` a span's name. */
export function timeline({ onRange, onSpan }) {
  const plot = svg('svg', { class: 'plot', role: 'listbox', tabindex: '0', 'aria-orientation': 'horizontal', 'aria-label': 'Verdicts and anomalies over time. Arrow keys go from bar to bar, Enter lists its anomalies, Escape lists all.' });
  // What is drawn is drawn anew while a pointer is held down; this stays, so that its click counts.
  const drawing = svg('g');
  const words = svg('title');
  const pane = svg('rect', { class: 'pane', 'aria-hidden': 'true', x: 0, y: 0 }, words);
  plot.append(drawing, pane);
  const caption = el('p', { class: 'muted caption' });
  const told = kept(el('p', { class: 'sr' }), (words) => words.join('. '));
  const markers = kept(el('ul', { class: 'markers muted' }), (list) => list.map(({ at, text, number, of }) =>
    el('li', {}, `line ${number}, `, time(at), `${of ? `, ${of}` : ''}: `, el('strong', {}, text))));
  const spans = Object.entries(SPANS).map(([span, words]) =>
    el('button', { type: 'button', class: 'button', 'data-span': span, click: () => onSpan(span) }, words));
  const node = el('section', { class: 'timeline', 'aria-labelledby': 'h-timeline', hidden: true },
    el('div', { class: 'heading' },
      el('h2', { id: 'h-timeline' }, 'Verdicts and anomalies over time'),
      el('div', { class: 'actions', role: 'group', 'aria-label': 'Time shown' }, spans)),
    el('div', { class: 'plot-box' }, plot),
    told.node,
    el('p', { class: 'legend keys' }, ['pass', 'undecided', 'fail', 'not-checked'].map((verdict) =>
      el('span', {}, el('i', { class: `key ${verdict}` }), VERDICTS[verdict])), el('span', {}, el('i', { class: 'key bars' }), 'anomalies')),
    markers.node,
    caption);
  let data = null;
  let rows = [];
  let range = { from: '', to: '' };
  let buckets = [];
  let active = null; // begin of the bucket that the keyboard is at
  let drawn = '';

  const observer = new ResizeObserver(() => draw());
  observer.observe(plot);

  function draw() {
    const width = plot.clientWidth;
    if (!data || !width) return;
    const key = JSON.stringify([data, rows.map(({ top, bar, ...shown }) => shown), range, active, width, Math.floor(Date.now() / 60000)]);
    if (key === drawn) return;
    drawn = key;
    const wide = width >= WIDE_PX;
    buckets = bucketsOf(data);
    const left = wide ? LABELS_PX : 0;
    const labels = wide ? 0 : 2 * LINE_PX;
    let height = 0;
    for (const row of rows) {
      row.top = height;
      row.bar = row.counts.length ? BAR_PX : QUIET_PX;
      height += labels + TOP_PX + row.bar + TRACK_PX + GAP_PX;
    }
    const fromMs = Date.parse(data.from);
    const toMs = Date.parse(data.to);
    const scale = { left, width, labels, wide, fromMs, toMs, stepMs: data.stepSeconds * 1000, most: Math.max(1, ...rows.flatMap((row) => row.counts)), at: (ms) => left + ((width - left) * (Math.min(Math.max(ms, fromMs), toMs) - fromMs)) / (toMs - fromMs) };
    plot.setAttribute('height', height + AXIS_PX);
    plot.setAttribute('viewBox', `0 0 ${width} ${height + AXIS_PX}`);
    drawing.replaceChildren(hatch());
    pane.setAttribute('width', width);
    pane.setAttribute('height', height);
    for (const bucket of buckets) {
      bucket.x = scale.at(bucket.fromMs);
      bucket.width = scale.at(bucket.toMs) - bucket.x;
      drawing.append(column(bucket, height));
    }
    rows.forEach((row) => drawing.append(drawRow(row, scale)));
    drawing.append(axis(scale, height));
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
    const box = plot.getBoundingClientRect();
    const row = rows.findLast(({ top }) => top <= event.clientY - box.top);
    const bucket = at(event);
    const text = [row && verdictWords(row, event.clientX - box.left), bucket?.words].filter(Boolean).join('\n');
    if (words.textContent !== text) words.textContent = text;
    pane.classList.toggle('over', Boolean(bucket));
  });

  /** What was said of the row's history where the pointer is. */
  function verdictWords(row, x) {
    const left = plot.clientWidth >= WIDE_PX ? LABELS_PX : 0;
    if (x < left) return null;
    const fromMs = Date.parse(data.from);
    const ms = fromMs + ((Date.parse(data.to) - fromMs) * (x - left)) / (plot.clientWidth - left);
    const segment = row.track.find((s) => s.fromMs <= ms && ms < s.toMs);
    return `${row.history}: ${VERDICTS[segment?.verdict ?? 'not-checked']} at ${clock(new Date(ms), false)}`;
  }

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
    /**
     * Draws what `/api/timeline` answered.
     *
     * @param chosen the stretch of time that the list is narrowed to
     * @param histories each with whether it is `live`, in the order of their rows
     */
    show(answer, chosen, histories) {
      data = answer;
      range = chosen;
      const all = rowsOf(answer, histories);
      rows = all.slice(0, MOST_ROWS);
      node.hidden = !rows.length;
      for (const button of spans) button.setAttribute('aria-pressed', String(button.dataset.span === answer.span));
      const words = [captionOf(answer), all.length > rows.length && `${counted(all.length - rows.length, 'history', 'histories')} more not drawn.`].filter(Boolean).join(' ');
      if (caption.textContent !== words) caption.textContent = words;
      told.show(rows.map((row) => `${row.history}: ${row.now.words}`));
      markers.show(rows.flatMap((row) => row.markers.map((marker) => ({ ...marker, of: rows.length > 1 && row.history }))).sort((a, b) => a.number - b.number));
      draw();
    },
    leave: () => observer.disconnect(),
  };
}

/** A row for each history: what was counted, what was said over time and is said now, what changed. */
function rowsOf(data, histories) {
  const fromMs = Date.parse(data.from);
  const toMs = Date.parse(data.to);
  const names = [...new Set([...histories.map((h) => h.history), ...data.lanes.map((lane) => lane.history)])];
  const rows = names.map((history) => {
    const lanes = data.lanes.filter((lane) => lane.history === history);
    const status = histories.find((h) => h.history === history);
    const track = trackOf(status);
    return {
      history,
      counts: lanes.length ? lanes[0].counts.map((_, i) => lanes.reduce((sum, lane) => sum + lane.counts[i], 0)) : [],
      track: track.filter((segment) => segment.toMs > fromMs),
      now: nowOf(status, track.at(-1)),
      markers: (status?.markers ?? []).filter(({ at }) => at && Date.parse(at) >= fromMs && Date.parse(at) < toMs),
    };
  });
  const latest = rows.slice(0, MOST_ROWS).flatMap((row) => row.markers).sort((a, b) => (a.at < b.at ? -1 : 1)).slice(-MOST_MARKERS);
  for (const row of rows) row.markers = row.markers.filter((marker) => latest.includes(marker)).map((marker) => ({ ...marker, number: latest.indexOf(marker) + 1 }));
  return rows;
}

/** Stretches of time with one verdict each, the last one going on (without an end), or as far as is checked. */
function trackOf(status) {
  const { changes = [], until } = status?.track ?? {};
  const endMs = status?.live ? Infinity : Date.parse(until);
  return changes.map(({ at, verdict }, i) => ({ verdict, fromMs: Date.parse(at), toMs: i + 1 < changes.length ? Date.parse(changes[i + 1].at) : Math.max(endMs, Date.parse(at)) }));
}

function nowOf(status, last) {
  if (!status?.live) return { words: 'not watched now' };
  if (!last) return { words: 'nothing checked yet' };
  return { words: `${status.promise ? `${status.promise} ` : ''}${VERDICTS[last.verdict]} since ${clock(new Date(last.fromMs), false)}`, style: STYLES[last.verdict] };
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

/** Stripes of what is undecided: told apart from what is violated without colours, too. */
function hatch() {
  return svg('defs', {}, svg('pattern', { id: 'undecided', width: 5, height: 5, patternUnits: 'userSpaceOnUse', patternTransform: 'rotate(45)' }, svg('rect', { width: 3, height: 5, class: 'stripe' })));
}

function drawRow(row, { left, width, labels, wide, fromMs, stepMs, most, at }) {
  const bottom = row.top + labels + TOP_PX + row.bar;
  const top = bottom - row.bar;
  const nowX = at(Date.now());
  const name = row.history.length > MAX_NAME_CHARS ? `${row.history.slice(0, MAX_NAME_CHARS - 1)}…` : row.history;
  const total = row.counts.reduce((a, b) => a + b, 0);
  const first = row.top + LINE_PX - (wide ? 2 : 4);
  return svg('g', { class: 'row', 'aria-hidden': 'true' },
    svg('text', { x: 0, y: first, class: 'name' }, name, svg('tspan', { class: 'faint', dx: 7 }, total ? counted(total, 'anomaly', 'anomalies') : 'no anomaly')),
    svg('text', { x: 0, y: first + LINE_PX, class: row.now.style ?? 'faint' }, row.now.words),
    total > 0 && [
      svg('line', { x1: left, x2: width, y1: top - 0.5, y2: top - 0.5, class: 'limit' }),
      svg('text', { x: left, y: top - 4, class: 'faint small' }, `${counted(most, 'anomaly', 'anomalies')} in ${stepWords(stepMs)}`),
    ],
    svg('line', { x1: left, x2: width, y1: bottom + 0.5, y2: bottom + 0.5 }),
    row.counts.map((n, bucket) => {
      const x = at(fromMs + bucket * stepMs);
      const height = Math.max(LEAST_BAR_PX, (n / most) * BAR_PX);
      return n > 0 && svg('rect', { class: 'bar-of', x: (x + 0.5).toFixed(1), y: (bottom - height).toFixed(1), width: Math.max(1.5, at(fromMs + (bucket + 1) * stepMs) - x - 1).toFixed(1), height: height.toFixed(1) });
    }),
    svg('line', { x1: left, x2: nowX, y1: bottom + 3 + TRACK_PX / 2, y2: bottom + 3 + TRACK_PX / 2, class: 'unwatched' }),
    row.track.filter(({ verdict }) => verdict !== 'not-checked').map(({ verdict, fromMs: begin, toMs: end }) => {
      const high = verdict === 'pass' ? TRACK_PX - 4 : TRACK_PX;
      return svg('rect', { class: `verdict ${verdict}`, fill: verdict === 'undecided' ? 'url(#undecided)' : null, x: at(begin).toFixed(1), width: Math.max(2, Math.min(at(end), nowX) - at(begin)).toFixed(1), y: bottom + 3 + (TRACK_PX - high) / 2, height: high });
    }),
    row.markers.map((marker) => {
      const x = at(Date.parse(marker.at)).toFixed(1);
      return [
        svg('line', { x1: x, x2: x, y1: top, y2: bottom + 3 + TRACK_PX, class: 'marker' }),
        svg('text', { x, y: top - 4, 'text-anchor': 'middle', class: 'small' }, String(marker.number)),
      ];
    }));
}

function axis({ left, width, fromMs, toMs, stepMs }, height) {
  const group = svg('g', { class: 'axis', 'aria-hidden': 'true' });
  const ticks = width - left >= 600 ? 4 : 2;
  for (let i = 0; i <= ticks; i++) {
    const at = fromMs + ((toMs - fromMs) * i) / ticks;
    const x = left + ((width - left) * i) / ticks;
    const isNow = i === ticks && Math.abs(Date.now() - at) < 2 * stepMs;
    group.append(svg('text', { x: x.toFixed(1), y: height + 14, 'text-anchor': i === 0 ? 'start' : i === ticks ? 'end' : 'middle' }, isNow ? 'now' : tick(new Date(at), toMs - fromMs)));
  }
  return group;
}

function stepWords(stepMs) {
  const minutes = stepMs / 60_000;
  const [n, unit] = minutes < 60 ? [minutes, 'minute'] : minutes < 1440 ? [minutes / 60, 'hour'] : [minutes / 1440, 'day'];
  return counted(n, unit);
}

function captionOf(data) {
  const words = `A bar is ${stepWords(data.stepSeconds * 1000)}.`;
  const beyond = [
    data.earlier && `${count(data.earlier)} earlier ${data.earlier === 1 ? 'one is' : 'ones are'} outside the time shown.`,
    data.later && `${count(data.later)} came by a clock that is ahead.`,
    data.untimed && `${count(data.untimed)} without a time.`,
  ].filter(Boolean);
  return [words, ...beyond].join(' ');
}
