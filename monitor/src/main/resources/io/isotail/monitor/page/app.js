// Shows the view that the address names, and the monitor's health above it.
import { el, getJson, seconds, count } from './dom.js';
import { overview } from './overview.js';
import { witness } from './witness.js';

const REFRESH_MS = 1000;
const main = document.getElementById('view');
const health = document.getElementById('health');
const banner = document.getElementById('banner');
let current = null;

function route() {
  current?.leave?.();
  const match = location.pathname.match(/^\/anomalies\/([^/]+)\/?$/);
  main.replaceChildren();
  current = match ? witness(main, decodeURIComponent(match[1])) : overview(main);
}

function go(path) {
  history.pushState(null, '', path);
  route();
  scrollTo(0, 0);
  main.focus({ preventScroll: true });
}

document.addEventListener('click', (event) => {
  const link = event.target.closest?.('a[data-link]');
  if (!link || event.defaultPrevented || event.button !== 0) return;
  if (event.metaKey || event.ctrlKey || event.shiftKey || event.altKey) return;
  event.preventDefault();
  go(link.getAttribute('href'));
});
addEventListener('popstate', route);

const themeButton = document.getElementById('theme');
function setTheme(theme) {
  if (theme) document.documentElement.dataset.theme = theme;
}
setTheme(localStorage.getItem('isotail-theme'));
themeButton.addEventListener('click', () => {
  const dark = getComputedStyle(document.documentElement).getPropertyValue('--is-dark').trim() === '1';
  const next = dark ? 'light' : 'dark';
  localStorage.setItem('isotail-theme', next);
  setTheme(next);
});

function showHealth(status, error) {
  let state = 'good';
  let words = 'live';
  if (error) {
    state = 'bad';
    words = 'The monitor does not answer; what is shown is old.';
  } else if (!status.ready) {
    state = 'bad';
    words = `Nothing is being checked: ${status.problem ?? status.phase}.`;
  } else if (status.histories.some((h) => h.failure)) {
    state = 'bad';
    words = 'Checking of a history has stopped.';
  } else if (status.lag.seconds > 10) {
    state = 'warn';
    words = `Behind by ${seconds(status.lag.seconds)}, ${count(status.lag.records)} records`;
  }
  if (health.dataset.words === state + words) return;
  health.dataset.words = state + words;
  banner.hidden = state === 'good';
  banner.className = `banner ${state}`;
  banner.textContent = words;
  health.replaceChildren(el('span', { class: `dot ${state}`, 'aria-hidden': 'true' }), el('span', {}, state === 'good' ? 'live' : state === 'warn' ? 'behind' : 'trouble'));
}

async function refresh() {
  try {
    const status = await getJson('/api/status');
    showHealth(status, null);
    await current?.refresh?.(status);
  } catch (error) {
    showHealth(null, error);
  }
  setTimeout(refresh, document.hidden ? REFRESH_MS * 5 : REFRESH_MS);
}

route();
refresh();
