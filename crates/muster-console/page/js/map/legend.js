// The strip under the map: what the shapes mean, where the pointer is; and the panel that opens from it, with all signs and the
// layers. States and families are those that the server tells of.

import { el, svg } from '../dom.js';
import { glyph, showRobotState, showTaskState } from '../glyphs.js';
import { on, setLayer, store } from '../store.js';
import { FAMILY_COLOURS } from './families.js';
import { DIAMONDS } from './glyphs.js';

/** @type {Record<Page.Layer, string>} */
const LAYERS = {
  names: 'Names',
  tasks: 'Tasks',
  messages: 'Messages',
  trails: 'Trails',
  ways: 'Ways and corridors',
  rings: 'Ranges of selected',
  obstacles: 'Obstacles',
  guests: 'Guests',
  grid: 'Grid and axes',
};

/** The strip and its panel; `point(text)` writes where the pointer is. */
export function makeLegend() {
  const open = openButton();
  const robots = el('ul'),
    messages = el('ul');
  const panel = el(
    'div',
    { id: 'map-legend', class: 'map-legend', role: 'group', 'aria-label': 'Legend and layers', hidden: true },
    part('Robots', robots),
    part('Tasks', el('ul', {}, tasks())),
    part('Messages', messages),
    el('fieldset', { class: 'map-layers' }, el('legend', {}, 'Layers'), layerBoxes()),
  );
  const states = el('ul', { class: 'map-key', 'aria-label': 'Signs of robots' });
  const cars = el(
    'ul',
    { class: 'map-key cars-key', 'aria-label': 'Signs of CARS' },
    entry(bodySign('cars-robot', 'M18 9A8 8 0 1 1 2 9A8 8 0 1 1 18 9', true), 'robot, two letters of its name'),
    entry(bodySign('cars-robot', 'M17 9A7 7 0 1 1 3 9A7 7 0 1 1 17 9M4 3l12 12', false), 'not working'),
    entry(bodySign('cars-guest', 'M17 9A7 7 0 1 1 3 9A7 7 0 1 1 17 9', true), 'guest'),
    entry(bodySign('cars-obstacle', 'M3 2h14v14h-14z', true), 'obstacle'),
  );
  on('newrun', (run) => {
    if (!run) return;
    const ofRobots = () => run.states.map((state) => entry(stateSign(state), state));
    states.replaceChildren(...ofRobots());
    robots.replaceChildren(
      ...ofRobots(),
      entry(bodySign('guest', 'M16 9A6 6 0 1 1 4 9A6 6 0 1 1 16 9', false), 'guest'),
      entry(bodySign('edge', 'M4 3h12v12h-12z', true), 'obstacle'),
    );
    messages.replaceChildren(
      ...run.families.map(({ name, about }) => entry(messageSign(FAMILY_COLOURS[name], false), about)),
      entry(messageSign('grey', true), 'lost on the way'),
      entry(markSign(), 'ignored (point at it: why)'),
    );
  });
  const place = el('output', { class: 'map-place', 'aria-label': 'Place of the pointer', 'aria-live': 'off' });
  /** @param {boolean} shown */
  const show = (shown) => {
    panel.hidden = !shown;
    open.setAttribute('aria-expanded', String(shown));
  };
  open.addEventListener('click', () => show(Boolean(panel.hidden)));
  panel.addEventListener('keydown', (event) => {
    if (event.key !== 'Escape') return;
    event.stopPropagation();
    show(false);
    open.focus();
  });
  return {
    strip: el('div', { class: 'map-strip' }, open, states, cars, place),
    panel,
    /** @param {string} text */
    point: (text) => {
      if (place.textContent !== text) place.textContent = text;
    },
  };
}

function openButton() {
  return el(
    'button',
    {
      type: 'button',
      class: 'map-legend-open',
      title: 'Legend and layers',
      'aria-expanded': 'false',
      'aria-controls': 'map-legend',
    },
    svg(
      'svg',
      { viewBox: '0 0 12 12', width: 12, height: 12, 'aria-hidden': 'true' },
      svg('path', { d: 'M2.5 7.5L6 4l3.5 3.5', fill: 'none', stroke: 'currentColor', 'stroke-width': 1.75 }),
    ),
    'Legend',
  );
}

/**
 * @param {string} title
 * @param {HTMLElement} list
 */
function part(title, list) {
  return el('section', {}, el('h3', {}, title), list);
}

/**
 * @param {SVGElement} sign
 * @param {string} word
 */
function entry(sign, word) {
  return el('li', {}, sign, word);
}

function tasks() {
  const states = /** @type {Wire.Progress[]} */ (Object.keys(DIAMONDS));
  return states.map((state) => entry(taskSign(state), state));
}

function layerBoxes() {
  const layers = /** @type {Page.Layer[]} */ (Object.keys(LAYERS));
  return layers.map(layerBox);
}

/** @param {Page.Layer} layer */
function layerBox(layer) {
  const box = el('input', { type: 'checkbox' });
  box.addEventListener('change', () => setLayer(layer, box.checked));
  box.checked = store.layers[layer];
  on('layers', () => {
    box.checked = store.layers[layer];
  });
  return el('label', {}, box, LAYERS[layer]);
}

/** @param {Page.Child[]} children */
function sign(...children) {
  return svg('svg', { viewBox: '0 0 20 18', width: 18, height: 16, class: 'glyph', 'aria-hidden': 'true' }, children);
}

/** @param {Wire.RobotState} state */
function stateSign(state) {
  const sign = glyph();
  showRobotState(sign, state);
  return sign;
}

/** @param {Wire.Progress} state */
function taskSign(state) {
  const sign = glyph();
  showTaskState(sign, state);
  return sign;
}

/**
 * @param {string} colour
 * @param {boolean} lost
 */
function messageSign(colour, lost) {
  return coloured(
    sign(
      svg('path', {
        d: lost ? 'M1 12Q4 8 6 7M14 7Q16 8 19 12M7.5 3.5l5 5M12.5 3.5l-5 5' : 'M1 13Q8 3 15 8',
        fill: 'none',
        stroke: 'currentColor',
        'stroke-width': 1.75,
      }),
      !lost && svg('path', { d: 'M19 11l-6.5 -.4l3.4 -5z', fill: 'currentColor' }),
    ),
    `--${colour}`,
  );
}

/**
 * @param {string} token
 * @param {string} d
 * @param {boolean} filled
 */
function bodySign(token, d, filled) {
  return coloured(
    sign(
      svg('path', {
        d,
        fill: filled ? 'currentColor' : 'none',
        stroke: 'currentColor',
        'stroke-width': filled ? 0 : 1.75,
      }),
    ),
    `--${token}`,
  );
}

function markSign() {
  return coloured(
    sign(svg('path', { d: 'M6 5l8 8M14 5l-8 8', fill: 'none', stroke: 'currentColor', 'stroke-width': 2 })),
    '--vermilion',
  );
}

/**
 * @template {SVGElement} E
 * @param {E} element
 * @param {string} token
 */
function coloured(element, token) {
  element.style.color = `var(${token})`;
  return element;
}
