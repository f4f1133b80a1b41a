// Where the panes are: `map` has the plan view in the middle; `cars` has robots, field, log and controls in the four corners,
// as in CARS (2003), Figure 6. What a person chose is kept for each kind of scenario; sizes are kept for each separator.

import { byId, el } from './dom.js';
import { icon, setIcon } from './icons.js';
import { key } from './keys.js';
import { recall, remember } from './memory.js';
import { on, put, store } from './store.js';

/** @type {Record<Wire.Layout, string>} */
const NAMES = { map: 'map in the middle', cars: 'four corners' };

/**
 * The layout of this run: the person's choice for its kind, else the one the scenario asks for.
 * @param {Wire.Run} run
 */
function layoutFor(run) {
  return known(recall(`layout.${run.kind}`)) ?? run.layout;
}

/**
 * A layout that was remembered or asked for, if there is one of that name.
 * @param {unknown} name
 * @returns {Wire.Layout | null}
 */
function known(name) {
  return name === 'map' || name === 'cars' ? name : null;
}

/**
 * Changes the layout; `chosen` by a person: it is kept for this kind; `passing`: it is not kept at all.
 * @param {Wire.Layout} layout
 */
export function setLayout(layout, { chosen = false, passing = false } = {}) {
  if (chosen && store.run) remember(`layout.${store.run.kind}`, layout);
  if (!passing) remember('layout.last', layout);
  const focused = /** @type {HTMLElement | null} */ (document.activeElement);
  document.body.dataset.layout = layout;
  // The order of reading and of the Tab key is the one that is seen: controls first, or last.
  const bar = byId('bar'),
    stage = byId('stage');
  if (layout === 'cars') stage.after(bar);
  else stage.before(bar);
  if (focused !== document.activeElement) focused?.focus();
  if (store.layout !== layout) put('layout', layout);
}

/** Goes to the other layout. */
export function switchLayout() {
  setLayout(store.layout === 'map' ? 'cars' : 'map', { chosen: true });
}

/** The button that switches. */
export function layoutButton() {
  const button = el('button', { type: 'button', class: 'button square', onclick: switchLayout }, icon('layout-map'));
  const show = () => {
    const other = store.layout === 'map' ? 'cars' : 'map';
    setIcon(button, `layout-${store.layout}`);
    button.title = `Layout: ${NAMES[store.layout]}. Click for ${NAMES[other]} (L)`;
    button.setAttribute('aria-label', `Layout: ${NAMES[store.layout]}`);
  };
  on('layout', show);
  show();
  return button;
}

function decided() {
  delete document.body.dataset.undecided;
}

/**
 * Takes up the layout of each new run, and puts the separators in.
 * @param {HTMLElement} stage
 */
export function mountLayout(stage) {
  setLayout(known(document.body.dataset.layout) ?? 'map', { passing: true });
  // A link that somebody shared says how it was seen; that holds for the first run only.
  let asked = known(new URL(location.href).searchParams.get('layout'));
  on('newrun', (run) => {
    if (!run) return;
    setLayout(asked ?? layoutFor(run));
    asked = null;
    decided();
  });
  on('settled', decided);
  on('link', ({ state }) => {
    if (state === 'lost') decided();
  });
  key('l', 'switch the layout', switchLayout);
  stage.append(...SEPARATORS.map(separator));
}

/** @param {string} id */
const width = (id) => byId(id).getBoundingClientRect().width;

/**
 * @typedef {object} Separator
 * @property {string} id
 * @property {string} size the custom property that holds the size of `pane`
 * @property {string} pane
 * @property {'left' | 'right' | 'bottom'} side where the pane is
 * @property {'px' | '%'} unit
 * @property {number} least
 * @property {() => number} most leaves room for the other panes
 * @property {string} label
 */

/** @type {Separator[]} */
const SEPARATORS = [
  {
    id: 'sep-robots',
    size: '--robots-w',
    pane: 'robots',
    side: 'left',
    unit: 'px',
    least: 200,
    most: () => innerWidth - width('log') - 340,
    label: 'Width of the robots',
  },
  {
    id: 'sep-side',
    size: '--side-w',
    pane: 'log',
    side: 'right',
    unit: 'px',
    least: 280,
    most: () => innerWidth - width('robots') - 340,
    label: 'Width of details and log',
  },
  {
    id: 'sep-log',
    size: '--log-h',
    pane: 'log',
    side: 'bottom',
    unit: '%',
    least: 160,
    most: () => innerHeight - 280,
    label: 'Height of the log',
  },
  {
    id: 'sep-left',
    size: '--cars-left',
    pane: 'robots',
    side: 'left',
    unit: '%',
    least: 260,
    most: () => innerWidth - 540,
    label: 'Width of robots and log',
  },
  {
    id: 'sep-lower',
    size: '--cars-lower',
    pane: 'log',
    side: 'bottom',
    unit: '%',
    least: 180,
    most: () => innerHeight - 240,
    label: 'Height of log and controls',
  },
  {
    id: 'sep-controls',
    size: '--cars-controls',
    pane: 'bar',
    side: 'left',
    unit: 'px',
    least: 300,
    most: () => width('map') - 230,
    label: 'Width of the controls',
  },
];

const STEP_PX = 16;

/** @param {Separator} options */
function separator({ id, size, pane, side, unit, least, most, label }) {
  const across = side === 'left' || side === 'right';
  const bar = el('div', {
    id,
    class: `separator ${across ? 'upright' : 'level'}`,
    role: 'separator',
    tabindex: 0,
    'aria-label': label,
    'aria-controls': pane,
    'aria-orientation': across ? 'vertical' : 'horizontal',
    'aria-valuemin': least,
    'aria-valuenow': least,
    title: `${label}: drag, or use the arrow keys; double click for the usual size`,
  });
  const kept = recall(`size.${id}`);
  if (typeof kept === 'string') document.body.style.setProperty(size, kept);

  const extent = () => {
    const box = byId(pane).getBoundingClientRect();
    return across ? box.width : box.height;
  };
  const whole = () => (across ? document.body.clientWidth : document.body.clientHeight);

  function tell() {
    bar.setAttribute('aria-valuemax', String(Math.max(least, Math.round(most()))));
    bar.setAttribute('aria-valuenow', String(Math.round(extent())));
    bar.setAttribute('aria-valuetext', `${Math.round(extent())} pixels`);
  }
  /** @param {number} px */
  function resize(px) {
    const fits = Math.max(Math.min(px, most()), least);
    const value = unit === 'px' ? `${Math.round(fits)}px` : `${((fits / whole()) * 100).toFixed(2)}%`;
    document.body.style.setProperty(size, value);
    remember(`size.${id}`, value);
    tell();
  }
  function reset() {
    document.body.style.removeProperty(size);
    remember(`size.${id}`, null);
    tell();
  }

  bar.addEventListener('focus', tell);
  bar.addEventListener('dblclick', reset);
  bar.addEventListener('pointerdown', (event) => {
    if (event.button !== 0) return;
    const at = across ? event.clientX : event.clientY,
      began = extent();
    const sign = side === 'left' ? 1 : -1;
    bar.setPointerCapture(event.pointerId);
    bar.classList.add('dragged');
    /** @param {PointerEvent} now */
    const move = (now) => resize(began + sign * ((across ? now.clientX : now.clientY) - at));
    bar.addEventListener('pointermove', move);
    bar.addEventListener(
      'lostpointercapture',
      () => {
        bar.removeEventListener('pointermove', move);
        bar.classList.remove('dragged');
      },
      { once: true },
    );
  });
  bar.addEventListener('keydown', (event) => {
    const by = STEP_PX * (event.shiftKey ? 4 : 1) * (side === 'left' ? 1 : -1);
    /** @type {Record<string, number>} */
    const sizes = {
      [across ? 'ArrowRight' : 'ArrowDown']: extent() + by,
      [across ? 'ArrowLeft' : 'ArrowUp']: extent() - by,
    };
    Object.assign(sizes, { Home: least, End: most() });
    const to = sizes[event.key];
    if (to === undefined && event.key !== 'Enter') return;
    event.preventDefault();
    if (event.key === 'Enter') reset();
    else resize(to);
  });
  return bar;
}
