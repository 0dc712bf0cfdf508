// The witness as a drawing, which the monitor makes: lanes, boxes and the cycle's edges.
import { el, here } from './dom.js';

/** As the style sheet has it: what is narrower is drawn in one column. */
const phone = matchMedia('(max-width: 640px)');

/** What ends the waiting for a turn of the phone, for each box that is drawn. */
const turns = new Map();

/** Puts the drawing into `box`, and another one when a phone is turned; why there is none stands there too. */
export async function drawGraph(box, path, words) {
  turns.get(box)?.abort();
  for (const old of turns.keys()) {
    if (!old.isConnected) {
      turns.get(old).abort();
      turns.delete(old);
    }
  }
  const turn = new AbortController();
  turns.set(box, turn);
  phone.addEventListener('change', () => drawGraph(box, path, words), { once: true, signal: turn.signal });
  try {
    const style = getComputedStyle(box);
    const width = Math.floor(box.clientWidth - parseFloat(style.paddingLeft) - parseFloat(style.paddingRight));
    const response = await fetch(here(width > 0 ? `${path}?width=${width}` : path));
    if (!response.ok) throw new Error((await response.json()).error ?? `${path} answered ${response.status}`);
    const drawing = document.importNode(new DOMParser().parseFromString(await response.text(), 'image/svg+xml').documentElement, true);
    drawing.setAttribute('role', 'img');
    drawing.setAttribute('aria-label', words);
    box.replaceChildren(drawing);
  } catch (error) {
    box.replaceChildren(el('p', { class: 'empty' }, `The graph could not be drawn (${error.message}); what it would show is written below.`));
  }
}
