// Copies text, also where the browser gives pages no clipboard: over plain HTTP.
import { el, announce } from './dom.js';

const SHOWN_MS = 2500;

/** A button that copies the text of `source`, and says whether it did. */
export function copyButton(source, what) {
  const button = el('button', { type: 'button', class: 'button copy', 'aria-label': `Copy ${what}`, click: async () => {
    const done = await toClipboard(source.textContent);
    if (!done) getSelection().selectAllChildren(source);
    button.textContent = done ? 'Copied' : 'Selected: press Ctrl-C';
    announce(done ? `Copied ${what}` : `Could not copy; ${what} is selected`);
    setTimeout(() => { button.textContent = 'Copy'; }, SHOWN_MS);
  } }, 'Copy');
  return button;
}

async function toClipboard(text) {
  try {
    await navigator.clipboard.writeText(text);
    return true;
  } catch {
    return copySelected(text);
  }
}

function copySelected(text) {
  const focused = document.activeElement;
  const box = el('textarea', { class: 'sr', readonly: true, 'aria-hidden': 'true', tabindex: '-1' });
  box.value = text;
  document.body.append(box);
  box.select();
  let done = false;
  try {
    done = document.execCommand('copy');
  } catch {
    // told to the caller
  }
  box.remove();
  focused?.focus?.({ preventScroll: true });
  return done;
}
