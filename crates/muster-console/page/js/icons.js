// The icons, drawn for a field of 16 by 16.

import { svg } from './dom.js';

const PATHS = {
  init: 'M3 3h2v10H3zM13 3v10L6 8z',
  play: 'M4 2.5v11L13 8z',
  pause: 'M4 3h3v10H4zM9 3h3v10H9z',
  step: 'M3 3v10l7-5zM11 3h2v10h-2z',
  stop: 'M3.5 3.5h9v9h-9z',
  start: 'M2.5 3h2v10h-2zM13.5 3v10L5.5 8z',
  end: 'M11.5 3h2v10h-2zM2.5 3v10l8-5z',
  previous: 'M11 3v10L4 8z',
  next: 'M5 3v10l7-5z',
  close: 'M4.2 3 8 6.8 11.8 3 13 4.2 9.2 8l3.8 3.8-1.2 1.2L8 9.2 4.2 13 3 11.8 6.8 8 3 4.2z',
  save: 'M7 2h2v5h3L8 11 4 7h3zM3 12h10v2H3z',
  share:
    'M6.5 9.5a3 3 0 0 1 0-4.2l2-2a3 3 0 0 1 4.2 4.2l-1 1-1.1-1.1 1-1a1.4 1.4 0 0 0-2-2l-2 2a1.4 1.4 0 0 0 0 2z' +
    'M9.5 6.5a3 3 0 0 1 0 4.2l-2 2a3 3 0 0 1-4.2-4.2l1-1 1.1 1.1-1 1a1.4 1.4 0 0 0 2 2l2-2a1.4 1.4 0 0 0 0-2z',
  'layout-map': 'M1.5 2.5h13v11h-13zM3 4v8h2V4zM6 4v8h4V4zM11 4v3h2V4zM11 8v4h2V8z',
  'layout-cars': 'M1.5 2.5h13v11h-13zM3 4v3h4V4zM8 4v3h5V4zM3 8.5V12h4V8.5zM8 8.5V12h5V8.5z',
  'theme-auto': 'M8 1.5a6.5 6.5 0 1 1 0 13 6.5 6.5 0 0 1 0-13zM8 3v10A5 5 0 0 0 8 3z',
  'theme-light':
    'M8 5a3 3 0 1 1 0 6 3 3 0 0 1 0-6zM7.3 1h1.4v2.5H7.3zM7.3 12.5h1.4V15H7.3zM1 7.3h2.5v1.4H1zM12.5 7.3H15v1.4h-2.5z' +
    'M2.6 3.6l1-1 1.7 1.7-1 1zM10.7 11.7l1-1 1.7 1.7-1 1zM11.7 5.3l-1-1 1.7-1.7 1 1zM3.6 13.4l-1-1 1.7-1.7 1 1z',
  'theme-dark': 'M6.2 1.8a6.4 6.4 0 1 0 8 8A5.2 5.2 0 0 1 6.2 1.8z',
  filter: 'M2 3h12l-4.7 5.5V13l-2.6 1V8.5z',
};

/**
 * An icon that says nothing by itself: what it stands beside has the words.
 * @param {keyof typeof PATHS} name
 */
export function icon(name) {
  return svg(
    'svg',
    { class: 'icon', viewBox: '0 0 16 16', width: 16, height: 16, 'aria-hidden': 'true', focusable: 'false' },
    svg('path', { d: PATHS[name], 'fill-rule': 'evenodd' }),
  );
}

/**
 * Puts another icon in place of the one an element has; nothing is touched if it is the same.
 * @param {Element} element
 * @param {keyof typeof PATHS} name
 */
export function setIcon(element, name) {
  const path = element.querySelector('.icon path');
  if (path?.getAttribute('d') !== PATHS[name]) path?.setAttribute('d', PATHS[name]);
}
