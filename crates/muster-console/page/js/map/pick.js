// What is there: the nearest robot or task at a point of the screen, or in a direction.

import { store } from '../store.js';
import { shownTasks } from './diamonds.js';
import { frames, robotCount, xOf, yOf } from './poses.js';

const REACH = 12;

/**
 * The robot or task at a point of the map: `{robot}`, `{task}` or null. A robot that is selected already gives way to a task under it.
 * @param {number} x
 * @param {number} y
 * @param {Page.Scene} scene
 */
export function pickAt(x, y, { camera, radius }) {
  const robot = nearestRobot(x, y, camera, Math.max(REACH, radius));
  const task = nearestTask(x, y, camera);
  if (robot !== null && !(task !== null && store.selection.robots.has(robot))) return { robot };
  return task === null ? (robot === null ? null : { robot }) : { task };
}

/**
 * @param {number} x
 * @param {number} y
 * @param {Page.Scene['camera']} camera
 * @param {number} reach
 */
function nearestRobot(x, y, camera, reach) {
  if (!frames().frame) return null;
  const atX = camera.toFieldX(x),
    atY = camera.toFieldY(y);
  let best = null,
    least = (reach / camera.scale) ** 2;
  for (let robot = 0; robot < robotCount(); robot += 1) {
    const far = (xOf(robot) - atX) ** 2 + (yOf(robot) - atY) ** 2;
    if (far < least) {
      least = far;
      best = robot;
    }
  }
  return best;
}

/**
 * @param {number} x
 * @param {number} y
 * @param {Page.Scene['camera']} camera
 */
function nearestTask(x, y, camera) {
  let best = null,
    least = (REACH + 2) ** 2;
  for (const one of shownTasks()) {
    const far = (camera.toScreenX(one.x) - x) ** 2 + (camera.toScreenY(one.y) - y) ** 2;
    if (far < least) {
      least = far;
      best = one.task;
    }
  }
  return best;
}

/**
 * The next robot from a place of the field in a direction (`right` and `up` are -1, 0 or 1); null if there is none.
 * @param {Page.Cursor} from
 * @param {number} right
 * @param {number} up
 */
export function nextRobot(from, right, up) {
  let best = null,
    least = Infinity;
  for (let robot = 0; robot < robotCount(); robot += 1) {
    if (robot === from.robot) continue;
    const dx = xOf(robot) - from.x,
      dy = yOf(robot) - from.y;
    const ahead = dx * right + dy * up,
      aside = Math.abs(dx * up) + Math.abs(dy * right);
    // Within about 60 degrees of the direction; what is straight ahead is nearer than what is aside.
    if (ahead <= 0 || aside > 1.75 * ahead) continue;
    const far = ahead + 2 * aside;
    if (far < least) {
      least = far;
      best = robot;
    }
  }
  return best;
}
