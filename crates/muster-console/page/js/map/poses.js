// Where bodies are at this instant: between the last two frames. The graphics card does the same sum for what it draws.

import { movesIn, stateIn } from '../states.js';
import { store } from '../store.js';

// Steps in the past that are longer than this are jumps: nobody knows what was between.
const LONGEST_STEP_S = 2;
const SHORTEST_MS = 16;
const LONGEST_MS = 300;

/**
 * What there is while no frame has come.
 * @type {Page.Frame}
 */
const NONE = {
  live: true,
  hasBox: false,
  run: 0,
  robots: 0,
  count: 0,
  guests: 0,
  at: 0,
  x: new Float32Array(),
  y: new Float32Array(),
  heading: new Float32Array(),
  state: new Uint8Array(),
  wire: new Uint8Array(),
  came: 0,
  decodeMs: 0,
};

let frame = NONE;
/** @type {Page.Frame | null} */
let before = null;
let usual = 50;

/** How far bodies are from the frame before (0) to the last one (1). */
export let mix = 1;

/** Takes the frames of the store; true if the last follows on the one before, so that bodies can glide. */
export function take() {
  frame = store.frame ?? NONE;
  before = follows(store.before, frame) ? store.before : null;
  if (before) usual += (Math.min(LONGEST_MS, Math.max(SHORTEST_MS, frame.came - before.came)) - usual) * 0.3;
  mix = before ? 0 : 1;
  return before !== null;
}

/**
 * @param {Page.Frame | null} old
 * @param {Page.Frame} next
 */
function follows(old, next) {
  if (!old || old.count !== next.count || old.run !== next.run) return false;
  const gap = next.at - old.at;
  return gap >= 0 && (next.live || gap < LONGEST_STEP_S);
}

/**
 * Sets the instant; true while bodies still move.
 * @param {number} now
 */
export function step(now) {
  mix = before ? Math.min(1, Math.max(0, (now - frame.came) / usual)) : 1;
  return mix < 1;
}

/** @param {number} body */
export function xOf(body) {
  return before ? before.x[body] + (frame.x[body] - before.x[body]) * mix : frame.x[body];
}
/** @param {number} body */
export function yOf(body) {
  return before ? before.y[body] + (frame.y[body] - before.y[body]) * mix : frame.y[body];
}
/** @param {number} body */
export function headingOf(body) {
  if (!before) return frame.heading[body];
  const from = before.heading[body],
    turn = frame.heading[body] - from;
  return from + Math.atan2(Math.sin(turn), Math.cos(turn)) * mix;
}
/**
 * The state of a robot.
 * @param {number} robot
 */
export function stateOf(robot) {
  return stateIn(frame.state[robot]);
}
/** @param {number} robot */
export function isMoving(robot) {
  return movesIn(frame.state[robot]);
}
/**
 * There is a robot of that number in the frame.
 * @param {number | null | undefined} robot
 * @returns {robot is number}
 */
export function isThere(robot) {
  return typeof robot === 'number' && robot >= 0 && robot < frame.robots;
}
/** How many robots there are. */
export function robotCount() {
  return frame.robots;
}
/** The last frame, and the one before it if bodies glide from there. */
export function frames() {
  return { frame: frame === NONE ? null : frame, before };
}
