// Where bodies are at this instant: between the last two frames. The graphics card does the same sum for what it draws.

import { store } from '../store.js';

// Steps in the past that are longer than this are jumps: nobody knows what was between.
const LONGEST_STEP_S = 2;
const SHORTEST_MS = 16;
const LONGEST_MS = 300;

let frame = null;
let before = null;
let usual = 50;

/** How far bodies are from the frame before (0) to the last one (1). */
export let mix = 1;

/** Takes the frames of the store; true if the last follows on the one before, so that bodies can glide. */
export function take() {
  frame = store.frame;
  before = frame && follows(store.before, frame) ? store.before : null;
  if (before) usual += (Math.min(LONGEST_MS, Math.max(SHORTEST_MS, frame.came - before.came)) - usual) * 0.3;
  mix = before ? 0 : 1;
  return before !== null;
}

function follows(old, next) {
  if (!old || old.count !== next.count || old.run !== next.run) return false;
  const gap = next.at - old.at;
  return gap >= 0 && (next.live || gap < LONGEST_STEP_S);
}

/** Sets the instant; true while bodies still move. */
export function step(now) {
  mix = before ? Math.min(1, Math.max(0, (now - frame.came) / usual)) : 1;
  return mix < 1;
}

export function xOf(body) {
  return before ? before.x[body] + (frame.x[body] - before.x[body]) * mix : frame.x[body];
}
export function yOf(body) {
  return before ? before.y[body] + (frame.y[body] - before.y[body]) * mix : frame.y[body];
}
export function headingOf(body) {
  if (!before) return frame.heading[body];
  const from = before.heading[body],
    turn = frame.heading[body] - from;
  return from + Math.atan2(Math.sin(turn), Math.cos(turn)) * mix;
}
/** The state of a robot, without the 8 that says that it moves. */
export function stateOf(robot) {
  return frame.state[robot] & 7;
}
export function isMoving(robot) {
  return (frame.state[robot] & 8) !== 0;
}
/** There is a robot of that number in the frame. */
export function isThere(robot) {
  return frame !== null && Number.isInteger(robot) && robot >= 0 && robot < frame.robots;
}
/** How many robots there are. */
export function robotCount() {
  return frame?.robots ?? 0;
}
/** The last frame, and the one before it if bodies glide from there. */
export function frames() {
  return { frame, before };
}
