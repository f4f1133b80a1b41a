// The colours of the theme as canvases need them. They are those that hold at the map, which is white in the CARS layout.

import { brushOf } from '../dom.js';
import { LOOKS, SHAPE } from '../states.js';

const NAMES = [
  'ground',
  'raised',
  'sunk',
  'line',
  'edge',
  'text',
  'soft',
  'accent',
  'blue',
  'orange',
  'green',
  'vermilion',
  'purple',
  'sky',
  'yellow',
  'grey',
  'good',
  'bad',
  'grid',
  'guest',
  'outside',
  'cars-robot',
  'cars-guest',
  'cars-obstacle',
  'sans',
];

/**
 * Reads the tokens: `{ground: '#fff', …}`.
 * @param {Element} element
 */
export function readPalette(element) {
  const style = getComputedStyle(element);
  /** @type {Page.Palette} */
  const palette = {};
  for (const name of NAMES) palette[name] = style.getPropertyValue(`--${name}`).trim();
  return palette;
}

/**
 * The colours of bodies, by their shapes: those of the states, then that of guests. Robots of CARS are red whatever they do.
 * @param {Page.Palette} palette
 * @param {boolean} cars
 */
export function inksOf(palette, cars) {
  /** @type {string[]} */
  const inks = [];
  for (const { shape, colour } of Object.values(LOOKS)) inks[shape] = palette[cars ? 'cars-robot' : colour.slice(2)];
  inks[SHAPE.guest] = palette[cars ? 'cars-guest' : 'guest'];
  return inks;
}

const one = brushOf(document.createElement('canvas'));

/**
 * A colour as three numbers of 0 to 1.
 * @param {string} colour
 */
export function numbersOf(colour) {
  one.fillStyle = '#888888';
  one.fillStyle = colour;
  const hex = parseInt(String(one.fillStyle).slice(1, 7), 16);
  return [(hex >> 16) / 255, ((hex >> 8) & 255) / 255, (hex & 255) / 255];
}
