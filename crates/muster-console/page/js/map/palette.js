// The colours of the theme as canvases need them. They are those that hold at the map, which is white in the CARS layout.

import { STATE_COLOURS } from '../frame.js';

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

/** Reads the tokens: `{ground: '#fff', …, states: [6 colours]}`. */
export function readPalette(element) {
  const style = getComputedStyle(element);
  const palette = {};
  for (const name of NAMES) palette[name] = style.getPropertyValue(`--${name}`).trim();
  palette.states = STATE_COLOURS.map((token) => style.getPropertyValue(token).trim());
  return palette;
}

const one = document.createElement('canvas').getContext('2d');

/** A colour as three numbers of 0 to 1. */
export function numbersOf(colour) {
  one.fillStyle = '#888888';
  one.fillStyle = colour;
  const hex = parseInt(one.fillStyle.slice(1, 7), 16);
  return [(hex >> 16) / 255, ((hex >> 8) & 255) / 255, (hex & 255) / 255];
}
