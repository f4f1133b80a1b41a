// The keyboard commands of the whole page. Every module registers its own; the dialog under `?` lists them all.

import { byId, el } from './dom.js';
import { recall, remember } from './memory.js';

/**
 * @typedef {object} Command
 * @property {string} keys
 * @property {string} description
 * @property {(event: KeyboardEvent) => void} run
 * @property {string} group
 * @property {(() => boolean) | null} when
 */

/** @type {Command[]} */
const commands = [];
let on = recall('keys') !== false;

/**
 * Registers a command. `keys` is such as 'f', 'Shift+ArrowLeft', '?' or 'Space'. With several for the same keys, the one
 * registered last goes first, unless its `when` says no.
 * @param {string} keys
 * @param {string} description
 * @param {(event: KeyboardEvent) => void} run
 * @param {{group?: string, when?: (() => boolean) | null}} [options]
 */
export function key(keys, description, run, { group = 'Page', when = null } = {}) {
  commands.push({ keys: spelled(keys), description, run, group, when });
}

/**
 * One spelling for each key: letters are small, Shift is named only where the character does not tell of it.
 * @param {string} keys
 */
function spelled(keys) {
  const parts =
    keys === '+' || keys.endsWith('++') ? [...keys.slice(0, -1).split('+').filter(Boolean), '+'] : keys.split('+');
  let last = parts.pop() ?? '';
  if (last === ' ') last = 'Space';
  const letter = /^\p{L}$/u.test(last);
  const shift = parts.includes('Shift') || (letter && last !== last.toLowerCase());
  const others = ['Ctrl', 'Alt', 'Meta'].filter((part) => parts.includes(part));
  return [...others, ...(shift ? ['Shift'] : []), letter ? last.toLowerCase() : last].join('+');
}

/** @param {KeyboardEvent} event */
function pressed(event) {
  const name = event.key === ' ' ? 'Space' : event.key;
  const letter = /^\p{L}$/u.test(name);
  const parts = [];
  if (event.ctrlKey) parts.push('Ctrl');
  if (event.altKey) parts.push('Alt');
  if (event.metaKey) parts.push('Meta');
  // `?` and `>` need Shift on some keyboards and not on others: the character alone counts.
  if (event.shiftKey && (letter || name.length > 1)) parts.push('Shift');
  parts.push(letter ? name.toLowerCase() : name);
  return parts.join('+');
}

/**
 * Does this element want the key for itself?
 * @param {EventTarget | null} target
 * @param {string} name
 */
function keepsKey(target, name) {
  if (!(target instanceof Element)) return false;
  if (target.closest('textarea, select, [contenteditable]:not([contenteditable="false"])')) return true;
  const input = target.closest('input');
  if (input && !['checkbox', 'radio', 'button', 'submit'].includes(input.type)) return true;
  if (name === 'Space' || name === 'Enter') {
    const roles = ['button', 'tab', 'option', 'checkbox', 'switch', 'menuitem'].map((role) => `[role="${role}"]`);
    return Boolean(target.closest(`button, a[href], summary, input, ${roles.join()}`));
  }
  return false;
}

/** @param {KeyboardEvent} event */
function onKeydown(event) {
  if (event.defaultPrevented || event.isComposing || document.querySelector('dialog[open]:modal')) return;
  const name = pressed(event);
  if (keepsKey(event.target, name)) return;
  // Single characters can be switched off, for people whose speech or switch input would set them off by chance.
  if (!on && name.length === 1 && name !== '?') return;
  const command = commands.findLast((one) => one.keys === name && (!one.when || one.when()));
  if (!command) return;
  event.preventDefault();
  command.run(event);
}

/** @type {Record<string, string>} */
const SHOWN = {
  ArrowLeft: '←',
  ArrowRight: '→',
  ArrowUp: '↑',
  ArrowDown: '↓',
  Escape: 'Esc',
  PageUp: 'Page Up',
  PageDown: 'Page Down',
};

/** @param {string} keys */
function caps(keys) {
  const parts = keys.endsWith('+') ? [...keys.slice(0, -1).split('+').filter(Boolean), '+'] : keys.split('+');
  return parts.map((part) => el('kbd', {}, SHOWN[part] ?? (part.length === 1 ? part.toUpperCase() : part)));
}

/**
 * Listens to the keyboard, and fills the dialog each time it opens.
 * @param {HTMLDialogElement} dialog
 */
export function mountKeys(dialog) {
  document.addEventListener('keydown', onKeydown);
  const lists = el('div', { class: 'key-groups' });
  const toggle = el('input', {
    type: 'checkbox',
    onchange: () => {
      on = toggle.checked;
      remember('keys', on ? null : false);
    },
  });
  toggle.checked = on;
  dialog.append(
    el(
      'div',
      { class: 'dialog-head' },
      el('h2', { id: 'help-title' }, 'Keys'),
      el('button', { type: 'button', class: 'button', onclick: () => dialog.close() }, 'Close'),
    ),
    lists,
    el('label', { class: 'check' }, toggle, 'Commands of a single character are on'),
  );
  dialog.setAttribute('aria-labelledby', 'help-title');
  // A click on the ground behind the dialog closes it.
  dialog.addEventListener('click', (event) => {
    if (event.target === dialog) dialog.close();
  });
  key('?', 'show the keys', () => openHelp(dialog));

  dialog.addEventListener('fill', () =>
    lists.replaceChildren(
      ...grouped().map(([group, entries]) =>
        el(
          'section',
          {},
          el('h3', {}, group),
          el(
            'dl',
            {},
            entries.map((entry) => el('div', {}, el('dt', {}, caps(entry.keys)), el('dd', {}, entry.description))),
          ),
        ),
      ),
    ),
  );
}

function grouped() {
  /** @type {Map<string, Command[]>} */
  const groups = new Map();
  for (const command of commands) groups.set(command.group, [...(groups.get(command.group) ?? []), command]);
  return [...groups];
}

/** Shows all commands. */
export function openHelp(dialog = /** @type {HTMLDialogElement} */ (byId('help'))) {
  dialog.dispatchEvent(new Event('fill'));
  if (!dialog.open) dialog.showModal();
}
