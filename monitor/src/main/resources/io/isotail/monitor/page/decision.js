// What was decided about a cause, and how to decide: acknowledge it, mute it for a while, or take that back.
import { el, announce, kept, sendJson, time } from './dom.js';

const HOUR_MS = 3_600_000;
const MUTES = [['1 hour', HOUR_MS], ['8 hours', 8 * HOUR_MS], ['3 days', 72 * HOUR_MS], ['7 days', 168 * HOUR_MS], ['30 days', 720 * HOUR_MS]];

/** What was decided, in a few words; nothing if nothing was. */
export function decided(decision) {
  if (!decision) return null;
  return el('span', { class: 'tag decided' }, decision.state, decision.until && [' until ', time(decision.until)]);
}

/** The panel of the cause `id`. `changed` is called when something was decided. */
export function decisionPanel(id, changed) {
  const path = `/api/causes/${encodeURIComponent(id)}/decision`;
  const told = kept(el('div', {}), standing);
  const note = el('input', { type: 'text', name: 'note', maxlength: 1000, placeholder: 'Why, in your words', 'aria-label': 'Note' });
  const link = el('input', { type: 'url', name: 'link', maxlength: 500, placeholder: 'https://… of the issue', 'aria-label': 'Address of the issue' });
  const length = el('select', { name: 'mute', 'aria-label': 'For how long it is muted' }, MUTES.map(([words, ms]) => el('option', { value: ms, selected: ms === 8 * HOUR_MS }, words)));
  const failed = el('p', { class: 'failed', role: 'alert', hidden: true });
  const form = el('div', { class: 'decide' }, note, link,
    el('div', { class: 'choices' },
      button('Acknowledge', () => decide({ state: 'acknowledged' })),
      button('Mute for', () => decide({ state: 'muted', until: new Date(Date.now() + Number(length.value)).toISOString() })), length));
  const refused = el('p', { class: 'muted' }, 'Nobody can acknowledge or mute here: the monitor runs without http.user.');
  const node = el('section', { class: 'decision', 'aria-labelledby': 'h-decision', hidden: true },
    el('h2', { id: 'h-decision' }, 'Who sees to it'), told.node, form, refused, failed);

  async function decide(what) {
    await send('PUT', { ...what, note: note.value, link: link.value }, `This cause is ${what.state} now.`);
  }

  async function send(method, body, words) {
    failed.hidden = true;
    try {
      await sendJson(method, path, body);
      announce(words);
      await changed();
    } catch (error) {
      failed.textContent = `It was not kept: ${error.message}.`;
      failed.hidden = false;
    }
  }

  function standing(decision) {
    if (!decision) return el('p', { class: 'muted' }, 'Nobody has said so yet.');
    return [
      el('p', {}, decided(decision), ' by ', el('strong', {}, decision.by), ', ', time(decision.at), decision.note && `: ${decision.note}`),
      decision.link && el('p', {}, el('a', { href: decision.link, rel: 'noreferrer' }, decision.link)),
      decision.state === 'muted' && el('p', { class: 'muted' }, 'It is counted, and does not page.'),
      button('Take it back', () => send('DELETE', null, 'It is taken back.')),
    ];
  }

  return {
    node,
    show({ decision, decidable }) {
      node.hidden = !decidable && !decision;
      form.hidden = !decidable;
      refused.hidden = decidable;
      told.show(decision);
    },
  };
}

function button(words, press) {
  return el('button', { type: 'button', class: 'button', click: press }, words);
}
