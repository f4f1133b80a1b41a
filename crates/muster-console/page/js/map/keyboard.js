// The map by keyboard. Arrows work while the map has the focus, single letters everywhere.

import { key } from '../keys.js';
import { clearSelection, put, robotName, selectRobot, store } from '../store.js';
import { chooseTask } from './gestures.js';
import { nextRobot, pickAt } from './pick.js';
import { isThere, robotCount, xOf, yOf } from './poses.js';
import { gliding, outdate, scene } from './scene.js';

const PAN = 80;
const CURSOR_STEP = 40;
const ZOOM = 1.4;
/** @type {Record<string, [number, number, string]>} how far to the right and up, and the word for it */
const ARROWS = {
  ArrowLeft: [-1, 0, 'left'],
  ArrowRight: [1, 0, 'right'],
  ArrowUp: [0, 1, 'up'],
  ArrowDown: [0, -1, 'down'],
};

/**
 * @typedef {object} Commands
 * @property {(words: string) => void} say tells a screen reader
 * @property {() => void} fit shows everything
 * @property {() => void} touched the person has moved the view
 * @property {() => void} toggleMeter
 * @property {typeof import('./tip.js').describe} describe
 */

/**
 * Registers the commands.
 * @param {HTMLElement} element
 * @param {Commands} commands
 */
export function listenToKeys(element, { say, fit, touched, toggleMeter, describe }) {
  const group = 'Map';
  const focused = { group, when: () => document.activeElement === element && store.run !== null };
  const loaded = { group, when: () => store.run !== null };

  for (const [arrow, [right, up, word]] of Object.entries(ARROWS)) {
    key(
      arrow,
      `move the view ${word} (in the map)`,
      () => {
        touched();
        scene.camera.pan(right * PAN, up * PAN, gliding());
        outdate();
      },
      focused,
    );
    key(`Shift+${arrow}`, `cursor to the next robot ${word} (in the map)`, () => moveCursor(right, up), focused);
  }
  key('Enter', 'select what is under the cursor (in the map)', () => choose(false), focused);
  key('Shift+Enter', 'add what is under the cursor to the selection (in the map)', () => choose(true), focused);
  key('+', 'zoom in', () => zoom(ZOOM), loaded);
  key('=', 'zoom in', () => zoom(ZOOM), loaded);
  key('-', 'zoom out', () => zoom(1 / ZOOM), loaded);
  key('0', 'show the whole field', fit, loaded);
  key('f', 'follow the selected robot, or stop following', follow, loaded);
  key('n', 'next robot', () => neighbour(1), loaded);
  key('p', 'previous robot', () => neighbour(-1), loaded);
  key('Escape', 'clear selection, cursor and following', clear, {
    group,
    when: () =>
      store.follow !== null ||
      scene.cursor !== null ||
      store.selection.robots.size > 0 ||
      store.selection.task !== null,
  });
  key('Shift+D', 'show how long drawing takes', toggleMeter, { group });

  /** @param {number} factor */
  function zoom(factor) {
    if (store.follow === null) touched();
    scene.camera.zoom(factor, undefined, undefined, gliding());
    outdate();
  }

  function follow() {
    if (store.follow !== null) return put('follow', null);
    const [robot] = store.selection.robots;
    if (isThere(robot)) put('follow', robot);
    else say('Select a robot first, then follow it.');
  }

  /** @param {number} step */
  function neighbour(step) {
    const count = robotCount();
    if (!count) return;
    const [chosen] = store.selection.robots;
    const robot = isThere(chosen) ? (chosen + step + count) % count : step > 0 ? 0 : count - 1;
    selectRobot(robot);
    lookAtRobot(robot);
    if (store.follow !== null) put('follow', robot);
  }

  /** @param {number} robot */
  function lookAtRobot(robot) {
    if (store.follow === null) scene.camera.reveal(xOf(robot), yOf(robot), gliding());
    const words = describe({ robot });
    if (words) say(`${words.name}: ${words.lines.join(', ')}`);
    outdate();
  }

  function start() {
    if (scene.cursor)
      return isThere(scene.cursor.robot)
        ? { ...scene.cursor, x: xOf(scene.cursor.robot), y: yOf(scene.cursor.robot) }
        : scene.cursor;
    const [chosen] = store.selection.robots;
    return isThere(chosen)
      ? { robot: chosen, x: xOf(chosen), y: yOf(chosen) }
      : { robot: null, x: scene.camera.x, y: scene.camera.y };
  }

  /**
   * @param {number} right
   * @param {number} up
   */
  function moveCursor(right, up) {
    const from = start(),
      robot = nextRobot(from, right, up),
      step = CURSOR_STEP / scene.camera.scale;
    scene.cursor =
      robot === null
        ? { robot: null, x: from.x + right * step, y: from.y + up * step }
        : { robot, x: xOf(robot), y: yOf(robot) };
    if (robot !== null) return lookAtRobot(robot);
    scene.camera.reveal(scene.cursor.x, scene.cursor.y, gliding());
    say('No robot further that way.');
    outdate();
  }

  /** @param {boolean} add */
  function choose(add) {
    if (!scene.cursor) return say('Move the cursor with Shift and an arrow key first.');
    const { robot, x, y } = scene.cursor;
    const target =
      isThere(robot) && (add || !store.selection.robots.has(robot))
        ? { robot }
        : pickAt(
            scene.camera.toScreenX(isThere(robot) ? xOf(robot) : x),
            scene.camera.toScreenY(isThere(robot) ? yOf(robot) : y),
            scene,
          );
    if (target?.robot !== undefined) {
      selectRobot(target.robot, { add });
      say(`${robotName(target.robot)} selected.`);
    } else if (target) chooseTask(target.task);
    else say('There is nothing under the cursor.');
  }

  function clear() {
    // One thing at a time, the latest first.
    if (scene.cursor) scene.cursor = null;
    else if (store.follow !== null) put('follow', null);
    else clearSelection();
    outdate('overlay');
  }
}
