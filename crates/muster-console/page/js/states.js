// How states of robots look, on the map and beside words: each has a shape of its own beside its colour, so that it can be
// told by either. Which states there are, and which number each has in frames, the server says.

import { store } from './store.js';

/** Shapes, by the number that shaders know them by; see map/glyphs.js and map/shaders.js. */
export const SHAPE = { ring: 0, waves: 1, dotted: 2, nose: 3, underlined: 4, cross: 5, guest: 6 };

/** @type {Record<Wire.RobotState, {shape: number, colour: string}>} colours are names of tokens */
export const LOOKS = {
  idle: { shape: SHAPE.ring, colour: '--grey' },
  asking: { shape: SHAPE.waves, colour: '--orange' },
  offering: { shape: SHAPE.dotted, colour: '--blue' },
  'under way': { shape: SHAPE.nose, colour: '--green' },
  working: { shape: SHAPE.underlined, colour: '--purple' },
  'not working': { shape: SHAPE.cross, colour: '--vermilion' },
  'at the reception': { shape: SHAPE.ring, colour: '--grey' },
};

/** Set in the byte of a frame if the robot moves. */
const MOVING = 8;

/**
 * The state of a robot in a frame.
 * @param {number} byte
 * @returns {Wire.RobotState}
 */
export function stateIn(byte) {
  return store.run?.states[byte & (MOVING - 1)] ?? 'idle';
}

/**
 * Whether a robot moves.
 * @param {number} byte
 */
export function movesIn(byte) {
  return (byte & MOVING) !== 0;
}
