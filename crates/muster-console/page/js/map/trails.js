// Where robots came from. Frames hold no past, so that the page remembers it: of all robots of a small team, of the selected
// ones of a large one.

import { store } from '../store.js';
import { isThere, xOf, yOf } from './poses.js';

const SMALL_TEAM = 100;
const MOST_POINTS = 6000;
const LONGEST = 240;
const LONGEST_STEP_S = 2;

/** @typedef {{x: Float32Array, y: Float32Array, next: number, length: number}} Trail a ring of places */

/** @type {Map<number, Trail>} */
const trails = new Map();
/** @type {{run: number, live: boolean, at: number} | null} */
let last = null;

/** Nothing is known of the past any more. */
export function forgetTrails() {
  trails.clear();
  last = null;
}

/**
 * Takes down where robots are now.
 * @param {Page.Frame} frame
 * @param {Wire.Run} run
 */
export function recordTrails(frame, run) {
  // Two frames are further apart the faster the run is shown; what is further apart than that was no way that anybody went.
  const longest = LONGEST_STEP_S * (frame.live ? Math.max(1, store.standing?.speed ?? 1) : 1);
  const jumps =
    last && (last.run !== frame.run || last.live !== frame.live || frame.at < last.at || frame.at - last.at > longest);
  if (jumps) trails.clear();
  last = { run: frame.run, live: frame.live, at: frame.at };
  const [left, bottom, right, top] = run.bounds;
  const apart = Math.hypot(right - left, top - bottom) / 600;
  if (frame.robots <= SMALL_TEAM) for (let robot = 0; robot < frame.robots; robot += 1) record(robot, frame, apart);
  else {
    for (const robot of trails.keys()) if (!store.selection.robots.has(robot)) trails.delete(robot);
    for (const robot of store.selection.robots)
      if (isThere(robot) && trails.size <= SMALL_TEAM) record(robot, frame, apart);
  }
}

/**
 * @param {number} robot
 * @param {Page.Frame} frame
 * @param {number} apart
 */
function record(robot, frame, apart) {
  let trail = trails.get(robot);
  if (!trail)
    trails.set(robot, (trail = { x: new Float32Array(LONGEST), y: new Float32Array(LONGEST), next: 0, length: 0 }));
  const x = frame.x[robot],
    y = frame.y[robot],
    newest = (trail.next + LONGEST - 1) % LONGEST;
  if (trail.length && Math.hypot(x - trail.x[newest], y - trail.y[newest]) < apart) return;
  trail.x[trail.next] = x;
  trail.y[trail.next] = y;
  trail.next = (trail.next + 1) % LONGEST;
  trail.length = Math.min(LONGEST, trail.length + 1);
}

/** Whether there are any: if not, the ground need not be drawn anew when robots move. */
export function hasTrails() {
  return trails.size > 0;
}

/**
 * Draws them: the selected ones stand out.
 * @param {CanvasRenderingContext2D} context
 * @param {Page.Scene} scene
 */
export function drawTrails(context, { camera, palette }) {
  const each = Math.max(12, Math.floor(MOST_POINTS / Math.max(1, trails.size)));
  context.lineJoin = 'round';
  for (const chosen of [false, true]) {
    context.beginPath();
    for (const [robot, trail] of trails) {
      if (store.selection.robots.has(robot) !== chosen || !isThere(robot)) continue;
      const length = Math.min(trail.length, chosen ? LONGEST : each);
      for (let step = length; step > 0; step -= 1) {
        const point = (trail.next + LONGEST - step) % LONGEST;
        const x = camera.toScreenX(trail.x[point]),
          y = camera.toScreenY(trail.y[point]);
        if (step === length) context.moveTo(x, y);
        else context.lineTo(x, y);
      }
      if (length) context.lineTo(camera.toScreenX(xOf(robot)), camera.toScreenY(yOf(robot)));
    }
    context.strokeStyle = chosen ? palette.accent : palette.edge;
    context.globalAlpha = chosen ? 0.9 : 0.45;
    context.lineWidth = chosen ? 2.25 : 1.25;
    context.stroke();
  }
  context.globalAlpha = 1;
}
