// Names on the map. Which ones are shown, and on which side, is settled a few times a second, so that they neither overlap nor
// flicker.

import { robotName, store, taskName } from '../store.js';
import { shownTasks, taskSize } from './diamonds.js';
import { isThere, robotCount, xOf, yOf } from './poses.js';

const MOST_IN_SIGHT = 300;
const MOST = 120;
const PLAN_MS = 200;
const HEIGHT = 15;

/** @typedef {'right' | 'left' | 'above' | 'below'} Side */

/**
 * @typedef {object} Label the name of a robot, or of a task at a place
 * @property {string} key
 * @property {number | null} robot
 * @property {number} x
 * @property {number} y
 * @property {string} text
 * @property {boolean} chosen
 * @property {number} away how far from the middle of what it names
 * @property {number} width
 * @property {Side} side
 */

/** @typedef {{key: string, left: number, top: number, right: number, bottom: number}} Box */

/** @type {Side[]} */
const SIDES = ['right', 'left', 'above', 'below'];
/** @type {Side[]} */
const SIDES_OF_TASKS = ['below', 'above', 'right', 'left'];

/** @type {Label[]} */
let plan = [];
let planned = -Infinity;
let view = '';
/** @type {Map<string, number>} */
const widths = new Map();

/** Other names, or another font: nothing of what was written holds. */
export function forgetLabels() {
  plan = [];
  planned = -Infinity;
  widths.clear();
}

/** What is chosen is another: which names are shown is settled anew. */
export function settleLabels() {
  planned = -Infinity;
}

/**
 * Writes the names.
 * @param {CanvasRenderingContext2D} context
 * @param {Page.Scene} scene
 * @param {number} now
 */
export function drawLabels(context, scene, now) {
  const { camera, palette } = scene;
  context.font = `12px ${palette.sans}`;
  const seen = `${camera.x} ${camera.y} ${camera.scale} ${camera.width} ${camera.height}`;
  if (now - planned > PLAN_MS || seen !== view) settle(context, scene);
  planned = now - planned > PLAN_MS ? now : planned;
  view = seen;
  context.textBaseline = 'middle';
  context.textAlign = 'left';
  context.lineJoin = 'round';
  context.lineWidth = 3.5;
  context.strokeStyle = palette.ground;
  for (const label of plan) {
    const [left, top] = corner(label, scene);
    context.strokeText(label.text, left, top + HEIGHT / 2);
    context.fillStyle = label.chosen ? palette.accent : label.robot === null ? palette.soft : palette.text;
    context.fillText(label.text, left, top + HEIGHT / 2);
  }
}

/**
 * Where names are on the screen, so that other words can keep clear of them: the middle, and half the width.
 * @param {Page.Scene} scene
 */
export function writtenNames(scene) {
  return plan.map((label) => {
    const [left, top] = corner(label, scene);
    return { x: left + label.width / 2, y: top + HEIGHT / 2, half: label.width / 2 };
  });
}

/**
 * @param {Label} label
 * @param {Page.Scene} scene
 * @returns {Page.Point}
 */
function corner({ robot, x, y, width, side, away }, { camera }) {
  const atX = camera.toScreenX(robot === null ? x : xOf(robot)),
    atY = camera.toScreenY(robot === null ? y : yOf(robot));
  switch (side) {
    case 'right':
      return [atX + away, atY - HEIGHT / 2];
    case 'left':
      return [atX - away - width, atY - HEIGHT / 2];
    case 'above':
      return [atX - width / 2, atY - away - HEIGHT + 2];
    default:
      return [atX - width / 2, atY + away - 2];
  }
}

/**
 * @param {CanvasRenderingContext2D} context
 * @param {Page.Scene} scene
 */
function settle(context, scene) {
  const before = new Map(plan.map((label) => [label.key, label.side]));
  const taken = signsInSight(scene);
  plan = [];
  for (const label of candidates(context, scene, before)) {
    if (plan.length >= MOST) break;
    const known = before.get(label.key);
    const sides = known ? [known, ...SIDES] : label.robot === null ? SIDES_OF_TASKS : SIDES;
    const side = sides.find((one) => isFree(corner({ ...label, side: one }, scene), label, taken, scene.camera));
    // A selected robot keeps its name even where there is no room.
    if (!side && !label.chosen) continue;
    label.side = side ?? 'right';
    const [left, top] = corner(label, scene);
    taken.push({ key: label.key, left, top, right: left + label.width, bottom: top + HEIGHT });
    plan.push(label);
  }
}

/**
 * @param {Page.Point} corner
 * @param {Label} label
 * @param {Box[]} taken
 * @param {Page.Scene['camera']} camera
 */
function isFree([left, top], { key, width }, taken, camera) {
  const right = left + width,
    bottom = top + HEIGHT;
  if (left < 2 || top < 2 || right > camera.width - 2 || bottom > camera.height - 2) return false;
  return taken.every(
    (other) =>
      other.key === key || right < other.left || left > other.right || bottom < other.top || top > other.bottom,
  );
}

/**
 * Names must not cover robots and tasks either, as long as there is room for both.
 * @param {Page.Scene} scene
 */
function signsInSight({ camera, radius }) {
  /** @type {Box[]} */
  const signs = [];
  /**
   * @param {string} key
   * @param {number} x
   * @param {number} y
   * @param {number} half
   */
  const sign = (key, x, y, half) => {
    if (x > 0 && y > 0 && x < camera.width && y < camera.height)
      signs.push({ key, left: x - half, top: y - half, right: x + half, bottom: y + half });
  };
  if (robotCount() <= MOST_IN_SIGHT)
    for (const robot of numbersTo(robotCount()))
      sign(`r${robot}`, camera.toScreenX(xOf(robot)), camera.toScreenY(yOf(robot)), radius);
  for (const { task, x, y } of shownTasks())
    sign(`t${task}`, camera.toScreenX(x), camera.toScreenY(y), taskSize() * 0.7);
  return signs;
}

/**
 * Selected ones first, then those that were written before, then the others.
 * @param {CanvasRenderingContext2D} context
 * @param {Page.Scene} scene
 * @param {Map<string, Side>} before
 */
function candidates(context, { camera, radius, hover, cursor, cars }, before) {
  const { robots, task } = store.selection;
  /** @type {Label[][]} */
  const [first, then, last] = [[], [], []];
  /** @param {Omit<Label, 'width' | 'side'>} label */
  const offer = (label) => {
    const width = widths.get(label.text) ?? context.measureText(label.text).width;
    widths.set(label.text, width);
    (label.chosen ? first : before.has(label.key) ? then : last).push({ ...label, width, side: 'right' });
  };
  /**
   * @param {number} x
   * @param {number} y
   */
  const inSight = (x, y) => x > -20 && y > -20 && x < camera.width + 20 && y < camera.height + 20;
  const few = countInSight(camera) <= MOST_IN_SIGHT;
  // In the CARS look robots carry their letters: only chosen ones are named in full.
  const all = few && store.layers.names && !cars;
  const away = cars ? radius + 4 : radius * 1.35 + 4,
    beyondRing = (cars ? radius : radius * 1.75) + 8;
  for (const robot of all ? numbersTo(robotCount()) : new Set([...robots, cursor?.robot ?? -1])) {
    if (!isThere(robot) || !inSight(camera.toScreenX(xOf(robot)), camera.toScreenY(yOf(robot)))) continue;
    offer({
      key: `r${robot}`,
      robot,
      x: 0,
      y: 0,
      text: robotName(robot),
      chosen: robots.has(robot),
      away: (robots.has(robot) ? beyondRing : away) + (cursor?.robot === robot ? 14 : 0),
    });
  }
  const tasks = shownTasks();
  for (const one of tasks) {
    const chosen = one.task === task || hover?.task === one.task;
    if (!chosen && (tasks.length > 60 || !store.layers.names || one.state === 'done' || one.state === 'called off'))
      continue;
    offer({
      key: `t${one.task}`,
      robot: null,
      x: one.x,
      y: one.y,
      text: taskName(one.task),
      chosen,
      away: taskSize() + 3,
    });
  }
  return [...first, ...then, ...last];
}

/** @param {number} count */
function* numbersTo(count) {
  for (let number = 0; number < count; number += 1) yield number;
}

/** @param {Page.Scene['camera']} camera */
function countInSight(camera) {
  const left = camera.toFieldX(0),
    right = camera.toFieldX(camera.width),
    bottom = camera.toFieldY(camera.height),
    top = camera.toFieldY(0);
  let count = 0;
  for (let robot = 0; robot < robotCount(); robot += 1) {
    const x = xOf(robot),
      y = yOf(robot);
    if (x > left && x < right && y > bottom && y < top) count += 1;
  }
  return count;
}
