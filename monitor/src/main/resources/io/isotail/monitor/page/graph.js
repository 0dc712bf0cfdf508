// The witness as a graph: laid out by Graphviz in a worker, shown, and saved as a file.
import Viz from './viz/viz.es.js';
import { el, here } from './dom.js';

/** What Graphviz draws with. Anything else in its answer is left out, and so is every link. */
const ELEMENTS = new Set(['svg', 'g', 'a', 'title', 'desc', 'text', 'tspan', 'polygon', 'polyline', 'path', 'ellipse']);
const HARMLESS = /^(?!on|style$|href$|xlink:href$)/i;
const SVG = 'http://www.w3.org/2000/svg';

let viz = null;

/** Draws DOT into `box`; what stands there stays when it cannot be drawn, with the reason. */
export async function drawGraph(box, path, words) {
  try {
    const response = await fetch(here(path));
    if (!response.ok) throw new Error((await response.json()).error ?? `${path} answered ${response.status}`);
    viz ??= new Viz({ worker: new Worker('/assets/viz/lite.render.js') });
    const text = await viz.renderString(await response.text(), { engine: 'dot', format: 'svg' });
    const drawing = document.importNode(new DOMParser().parseFromString(text, 'image/svg+xml').documentElement, true);
    if (drawing.namespaceURI !== SVG) throw new Error('Graphviz gave no drawing');
    clean(drawing);
    drawing.setAttribute('role', 'img');
    drawing.setAttribute('aria-label', words);
    box.replaceChildren(drawing);
    return true;
  } catch (error) {
    viz = null;
    box.replaceChildren(el('p', { class: 'empty' }, `The graph could not be drawn (${error.message}); what it would show is written below.`));
    return false;
  }
}

function clean(drawing) {
  for (const node of [...drawing.querySelectorAll('*'), drawing]) {
    if (!ELEMENTS.has(node.localName)) {
      node.remove();
      continue;
    }
    for (const { name } of [...node.attributes]) if (!HARMLESS.test(name)) node.removeAttribute(name);
  }
}

/** Saves the drawing as a file that needs nothing else: Graphviz’s own colours on white. */
export function saveSvg(box, name) {
  const drawing = box.querySelector('svg');
  if (!drawing) return;
  const copy = drawing.cloneNode(true);
  const view = copy.viewBox.baseVal;
  const sheet = document.createElementNS(SVG, 'rect');
  for (const [key, value] of [['x', view.x], ['y', view.y], ['width', view.width], ['height', view.height], ['fill', '#ffffff']]) {
    sheet.setAttribute(key, String(value));
  }
  copy.prepend(sheet);
  const text = `<?xml version="1.0" encoding="UTF-8"?>\n${new XMLSerializer().serializeToString(copy)}\n`;
  const url = URL.createObjectURL(new Blob([text], { type: 'image/svg+xml' }));
  el('a', { href: url, download: `${name}.svg` }).click();
  setTimeout(() => URL.revokeObjectURL(url), 10000);
}
