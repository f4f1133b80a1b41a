// The bar: what runs, the buttons of a player, how fast, and how it stands. In the layout `cars` it is the panel of controls.

import { mountClock } from './bar/clock.js';
import { mountLoad } from './bar/load.js';
import { mountSpeed } from './bar/speed.js';
import { mountStatus } from './bar/status.js';
import { el } from './dom.js';
import { openHelp } from './keys.js';
import { layoutButton } from './layout.js';
import { shareButton } from './share.js';
import { themeButton } from './theme.js';

/** @param {HTMLElement} bar */
export function mount(bar) {
  const mark = el('img', { src: 'favicon.svg', alt: '', width: 22, height: 22 });
  const help = el(
    'button',
    { type: 'button', class: 'button square', title: 'All keys (?)', 'aria-label': 'Keys', onclick: () => openHelp() },
    '?',
  );
  const tools = el(
    'div',
    { class: 'bar-tools', role: 'group', 'aria-label': 'Page' },
    shareButton(),
    layoutButton(),
    themeButton(),
    help,
  );
  const status = mountStatus();
  bar.append(
    el(
      'div',
      { class: 'bar-row' },
      el('h1', { class: 'brand' }, mark, 'Muster'),
      mountLoad(),
      mountClock(),
      mountSpeed(),
    ),
    el('div', { class: 'bar-row' }, ...status, tools),
  );
}
