// Builds DOM nodes. Text always goes in as text: nothing here takes markup.

/** An element. Attributes that are null or false are left out; functions become listeners. */
export function el(name, attributes, ...children) {
  const node = document.createElement(name);
  for (const [key, value] of Object.entries(attributes ?? {})) {
    if (value === null || value === undefined || value === false) continue;
    if (typeof value === 'function') node.addEventListener(key, value);
    else node.setAttribute(key, value === true ? '' : String(value));
  }
  append(node, children);
  return node;
}

/** An SVG element. */
export function svg(name, attributes, ...children) {
  const node = document.createElementNS('http://www.w3.org/2000/svg', name);
  for (const [key, value] of Object.entries(attributes ?? {})) {
    if (value !== null && value !== undefined) node.setAttribute(key, String(value));
  }
  append(node, children);
  return node;
}

function append(node, children) {
  for (const child of children.flat(Infinity)) {
    if (child === null || child === undefined || child === false) continue;
    node.append(child instanceof Node ? child : document.createTextNode(String(child)));
  }
}

/**
 * Fills an element, and again only when what it shows has changed: what is selected, focused or
 * unfolded in it stays so over refreshes.
 */
export function kept(node, build) {
  let shown = null;
  return {
    node,
    show(value) {
      const key = JSON.stringify(value) ?? '';
      if (key === shown || node.matches(':active')) return; // a press that is under way counts
      shown = key;
      const focused = node.contains(document.activeElement) ? document.activeElement.getAttribute('href') : null;
      node.replaceChildren();
      append(node, [build(value)]);
      if (focused) node.querySelector(`a[href="${CSS.escape(focused)}"]`)?.focus({ preventScroll: true });
    },
  };
}

/**
 * Keeps rows where they were while somebody points at the list or has its focus: moving them would
 * make that person click or read the wrong one. `id` names the field that tells rows apart.
 */
export function steady(node, id) {
  let order = [];
  return (rows) => {
    const place = (row) => (order.indexOf(row[id]) + order.length + 1) % (order.length + 1);
    if (node.matches(':hover') || node.contains(document.activeElement)) rows.sort((a, b) => place(a) - place(b));
    order = rows.map((row) => row[id]);
    return rows;
  };
}

/** Tells what a person did or what has become different to whoever listens to the page. */
export function announce(words) {
  document.getElementById('announcer').textContent = words;
}

const ANSWER_MS = 8000;

/** A path of this monitor. Where the page's own address has a password, `fetch` refuses to take it along. */
export const here = (path) => new URL(path, location.origin);

/** Gets JSON; an error carries the server's own words and, if it answered, its `status`. */
export async function getJson(path) {
  const response = await fetch(here(path), { headers: { Accept: 'application/json' }, signal: AbortSignal.timeout(ANSWER_MS) });
  const body = await response.json().catch(() => ({}));
  if (!response.ok) throw Object.assign(new Error(body.error ?? `${path} answered ${response.status}`), { status: response.status });
  return body;
}

/** Asks for a change; an error carries the server's own words. The header tells that no other site asks. */
export async function sendJson(method, path, body) {
  const response = await fetch(here(path), {
    method,
    headers: { 'X-Isotail': 'decision', ...(body && { 'Content-Type': 'application/json' }) },
    body: body && JSON.stringify(body),
    signal: AbortSignal.timeout(ANSWER_MS),
  });
  if (response.ok) return;
  const answer = await response.json().catch(() => ({}));
  throw Object.assign(new Error(answer.error ?? `${path} answered ${response.status}`), { status: response.status });
}

const whole = new Intl.NumberFormat('en');
const three = new Intl.NumberFormat('en', { maximumFractionDigits: 3 });
const one = new Intl.NumberFormat('en', { maximumFractionDigits: 1 });

export const count = (n) => whole.format(n);
export const counted = (n, singular, plural = `${singular}s`) => `${count(n)} ${n === 1 ? singular : plural}`;
export const rate = (n) => (n >= 100 ? whole.format(Math.round(n)) : one.format(n));

/** A share in percent; never shown as 100 % while anything is missing. */
export function percent(share) {
  const value = share * 100;
  const shown = value < 100 && value > 99.9 ? Math.floor(value * 1000) / 1000 : Math.round(value * 10) / 10;
  return `${shown} %`;
}

/** A duration in seconds, short. */
export function seconds(s) {
  if (s < 1) return `${Math.round(s * 1000)} ms`;
  if (s < 120) return `${one.format(s)} s`;
  if (s < 7200) return `${Math.round(s / 60)} min`;
  return `${one.format(s / 3600)} h`;
}

/** A duration in nanoseconds, short. */
export function nanos(ns) {
  const [unit, size] = [['s', 1e9], ['ms', 1e6], ['µs', 1e3]].find(([, most]) => ns >= most) ?? ['ns', 1];
  return `${three.format(ns / size)} ${unit}`;
}

/** How far the browser's clock is from UTC then. */
function offset(at) {
  const minutes = -at.getTimezoneOffset();
  const two = (n) => String(Math.abs(Math.trunc(n))).padStart(2, '0');
  return minutes ? `UTC${minutes < 0 ? '−' : '+'}${two(minutes / 60)}:${two(minutes % 60)}` : 'UTC';
}

/** The browser's time zone then, by its name and how far it is from UTC. */
export function zone(at) {
  const name = Intl.DateTimeFormat().resolvedOptions().timeZone;
  return name && name !== offset(at) ? `${name}, ${offset(at)}` : offset(at);
}

/** A point in time in words: the clock today, date and clock otherwise. */
export function clock(at, withSeconds = true) {
  const today = at.toDateString() === new Date().toDateString();
  const words = at.toLocaleTimeString('en-GB', withSeconds ? {} : { hour: '2-digit', minute: '2-digit' });
  return today ? words : `${at.toLocaleDateString('en-CA')} ${words}`;
}

/** A point on an axis of so many ms: the clock within a day, the date beyond. */
export function tick(at, spanMs) {
  if (spanMs > 90_000_000) return at.toLocaleDateString('en-CA');
  return at.toLocaleTimeString('en-GB', spanMs < 600_000 ? {} : { hour: '2-digit', minute: '2-digit' });
}

/** A point in time, with the exact instant as a tooltip. */
export function time(iso) {
  return iso ? el('time', { datetime: iso, title: iso }, clock(new Date(iso))) : el('span', { class: 'muted' }, 'time unknown');
}

/** How long ago a point in time is, with the exact instant as a tooltip; {@link keepTimes} keeps it right. */
export function ago(iso) {
  return iso ? el('time', { datetime: iso, title: iso, 'data-ago': true }, agoWords(new Date(iso))) : time(iso);
}

/** Brings what {@link ago} has shown up to date. */
export function keepTimes() {
  for (const node of document.querySelectorAll('time[data-ago]')) {
    const words = agoWords(new Date(node.dateTime));
    if (node.textContent !== words) node.textContent = words;
  }
}

function agoWords(at) {
  const s = Math.round((Date.now() - at.getTime()) / 1000);
  if (s < 5) return 'just now';
  if (s < 100) return `${s} s ago`;
  if (s < 5400) return `${Math.round(s / 60)} min ago`;
  if (s < 129600) return `${Math.round(s / 3600)} h ago`;
  if (s < 31_536_000) return `${Math.round(s / 86400)} days ago`;
  return `on ${at.toLocaleDateString('en-CA')}`;
}

/** A point in time with its zone: what is read out to somebody elsewhere. */
export function zonedTime(iso) {
  return iso ? [time(iso), ` ${offset(new Date(iso))}`] : time(iso);
}

/** Words in which what stands between backticks is code. */
export function withCode(text) {
  return (text ?? '').split('`').map((part, i) => (i % 2 ? el('code', {}, part) : part));
}

/** The first advice, where it is seen at once. */
export function firstAdvice(advice) {
  return advice.length > 0 && el('p', { class: 'first-advice' }, el('strong', {}, 'First thing to do: '), withCode(advice[0].what), el('span', { class: 'muted' }, ` It costs: ${advice[0].cost}.`));
}

/** All advice, the first thing first. */
export function adviceList(advice) {
  return el('section', { 'aria-labelledby': 'h-advice' },
    el('h2', { id: 'h-advice' }, 'What to do'),
    el('ol', { class: 'why' }, advice.map(({ what, cost }) =>
      el('li', {}, el('strong', {}, withCode(what)), el('span', { class: 'muted' }, ` It costs: ${cost}.`)))));
}

/** Words for a name with hyphens: lost-update becomes Lost update. */
export function title(label) {
  const words = label.replaceAll('-', ' ');
  return words.charAt(0).toUpperCase() + words.slice(1);
}
