// Light, dark, or as the system has it. Canvases read their colours again on the topic `theme`.

import { el } from './dom.js';
import { icon } from './icons.js';
import { recall, remember } from './memory.js';
import { emit } from './store.js';

/** @typedef {'auto' | 'light' | 'dark'} Theme */

/** @type {Theme[]} */
const ORDER = ['auto', 'light', 'dark'];
const SAYS = { auto: 'as the system has it', light: 'light', dark: 'dark' };

/** The button that goes from one theme to the next. */
export function themeButton() {
  /** @type {Theme} */
  let theme = ORDER.find((one) => one === recall('theme')) ?? 'auto';
  const system = matchMedia('(prefers-color-scheme: dark)');
  const button = el('button', { type: 'button', class: 'button square', onclick: next });
  show();
  system.addEventListener('change', apply);

  function after() {
    return ORDER[(ORDER.indexOf(theme) + 1) % ORDER.length];
  }

  function next() {
    theme = after();
    remember('theme', theme === 'auto' ? null : theme);
    if (theme === 'auto') delete document.documentElement.dataset.theme;
    else document.documentElement.dataset.theme = theme;
    show();
    apply();
  }

  function apply() {
    document.documentElement.classList.toggle('dark', theme === 'auto' ? system.matches : theme === 'dark');
    emit('theme', undefined);
  }

  function show() {
    button.replaceChildren(icon(`theme-${theme}`));
    button.title = `Theme: ${SAYS[theme]}. Click for ${SAYS[after()]}`;
    button.setAttribute('aria-label', `Theme: ${SAYS[theme]}`);
  }
  return button;
}
