// Shows the view that the address names, and the monitor's health above it.
import { cause } from './cause.js';
import { getJson, keepTimes } from './dom.js';
import { showNoAnswer, showStatus } from './health.js';
import { incident } from './incident.js';
import { overview } from './overview.js';
import { witness } from './witness.js';

const REFRESH_MS = 1000;
const main = document.getElementById('view');
let current = null;

function route() {
  current?.leave?.();
  const [, of, id] = location.pathname.match(/^\/(anomalies|causes|incidents)\/([^/]+)\/?$/) ?? [];
  main.replaceChildren();
  current = id ? ({ causes: cause, incidents: incident }[of] ?? witness)(main, decoded(id), go) : overview(main);
}

function decoded(part) {
  try {
    return decodeURIComponent(part);
  } catch {
    return part; // no id, and answered as such
  }
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
document.addEventListener('keydown', (event) => {
  if (event.key === 'Escape' && !event.defaultPrevented && !event.target.closest?.('select, input')) current?.escape?.();
});
document.querySelector('.skip').addEventListener('click', (event) => {
  event.preventDefault(); // the address belongs to the view
  main.focus();
});
addEventListener('popstate', route);

const stored = {
  get: () => { try { return localStorage.getItem('isotail-theme'); } catch { return null; } },
  set: (theme) => { try { localStorage.setItem('isotail-theme', theme); } catch { /* for this visit only */ } },
};
function setTheme(theme) {
  if (theme) document.documentElement.dataset.theme = theme;
}
setTheme(stored.get());
document.getElementById('theme').addEventListener('click', () => {
  const dark = getComputedStyle(document.documentElement).getPropertyValue('--is-dark').trim() === '1';
  const next = dark ? 'light' : 'dark';
  stored.set(next);
  setTheme(next);
});

async function refresh() {
  try {
    const status = await getJson('/api/status');
    const error = await Promise.resolve(current?.refresh?.(status)).then(() => null, (e) => e);
    showStatus(status, error);
    keepTimes();
  } catch (error) {
    showNoAnswer(error);
    current?.stale?.();
  }
  setTimeout(refresh, document.hidden ? REFRESH_MS * 5 : REFRESH_MS);
}

route();
refresh();
