// The witness as a drawing, which the monitor makes: lanes, boxes and the cycle's edges.
import { el, here } from './dom.js';

/** Puts the drawing into `box`; what stands there stays when there is none, with the reason. */
export async function drawGraph(box, path, words) {
  try {
    const response = await fetch(here(path));
    if (!response.ok) throw new Error((await response.json()).error ?? `${path} answered ${response.status}`);
    const drawing = document.importNode(new DOMParser().parseFromString(await response.text(), 'image/svg+xml').documentElement, true);
    drawing.setAttribute('role', 'img');
    drawing.setAttribute('aria-label', words);
    box.replaceChildren(drawing);
  } catch (error) {
    box.replaceChildren(el('p', { class: 'empty' }, `The graph could not be drawn (${error.message}); what it would show is written below.`));
  }
}
