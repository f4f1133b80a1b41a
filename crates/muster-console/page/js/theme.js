// Light, dark, or as the system has it. Canvases read their colours again on the topic `theme`.

import { el } from './dom.js';
import { icon } from './icons.js';
import { recall, remember } from './memory.js';
import { emit } from './store.js';

const ORDER = ['auto', 'light', 'dark'];
const SAYS = { auto: 'as the system has it', light: 'light', dark: 'dark' };

/** The button that goes from one theme to the next. */
export function themeButton() {
  let theme = ORDER.includes(recall('theme')) ? recall('theme') : 'auto';
  const button = el('button', { type: 'button', class: 'button square', onclick: next });
  show();
  matchMedia('(prefers-color-scheme: dark)').addEventListener('change', () => emit('theme'));

  function next() {
    theme = ORDER[(ORDER.indexOf(theme) + 1) % ORDER.length];
    remember('theme', theme === 'auto' ? null : theme);
    if (theme === 'auto') delete document.documentElement.dataset.theme;
    else document.documentElement.dataset.theme = theme;
    show();
    emit('theme');
  }

  function show() {
    button.replaceChildren(icon(`theme-${theme}`));
    button.title = `Theme: ${SAYS[theme]}. Click for ${SAYS[ORDER[(ORDER.indexOf(theme) + 1) % ORDER.length]]}`;
    button.setAttribute('aria-label', `Theme: ${SAYS[theme]}`);
  }
  return button;
}
