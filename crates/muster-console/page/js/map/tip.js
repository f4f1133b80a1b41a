// A small plate beside the pointer or the cursor: what a robot is called, does and is busy with; what a task is.

import { el } from '../dom.js';
import { robotName, store, taskName } from '../store.js';
import { marksOf } from './arcs.js';
import { isMoving, isThere, stateOf } from './poses.js';

/**
 * What there is to say of a robot or a task: a name and lines.
 * @param {Page.Target | null} target
 */
export function describe(target) {
  if (target?.robot !== undefined && isThere(target.robot)) return describeRobot(target.robot);
  if (target?.task !== undefined) return describeTask(target.task);
  return null;
}

/** @param {number} robot */
function describeRobot(robot) {
  const state = stateOf(robot);
  // Who is under way moves: that need not be said.
  /** @type {string[]} */
  const lines = [isMoving(robot) && state !== 'under way' ? `${state}, moving` : state];
  const busy = (store.moment?.tasks ?? []).find(
    (one) => one.state !== 'done' && (one.holder === robot || one.workers.includes(robot)),
  );
  if (busy) lines.push(`${busy.workers.includes(robot) ? 'at' : 'for'} ${taskName(busy.task)}`);
  for (const { kind, why } of marksOf(robot).slice(-2)) lines.push(why ? `${kind}: ${why}` : kind);
  return { name: robotName(robot), lines };
}

/** @param {number} task */
function describeTask(task) {
  const one = (store.moment?.tasks ?? []).find((candidate) => candidate.task === task);
  if (!one) return null;
  /** @type {string[]} */
  const lines = [one.state];
  if (one.holder !== null) lines.push(`held by ${robotName(one.holder)}`);
  if (one.workers.length) lines.push(`worked at by ${one.workers.map(robotName).join(', ')}`);
  return { name: taskName(task), lines };
}

/** The plate; `show(target, x, y)` puts it there, `show(null)` takes it away. */
export function makeTip() {
  const name = el('strong'),
    rest = el('span');
  const element = el('div', { class: 'map-tip', 'aria-hidden': 'true', hidden: true }, name, rest);
  let told = '',
    wide = 0,
    high = 0;
  return {
    element,
    /**
     * @param {Page.Target | null} target
     * @param {number} x
     * @param {number} y
     * @param {number} width
     * @param {number} height
     */
    show(target, x, y, width, height) {
      const words = target && describe(target);
      element.hidden = !words;
      if (!words) return;
      const text = words.lines.join('\n');
      if (told !== words.name + text) {
        told = words.name + text;
        name.textContent = words.name;
        rest.textContent = text;
        // Measured only when the text is another: measuring makes the browser lay out the page.
        wide = element.offsetWidth;
        high = element.offsetHeight;
      }
      // On the side of the pointer where there is room.
      const left = x + 16 + wide > width ? x - 12 - wide : x + 16,
        top = y + 16 + high > height ? y - 12 - high : y + 16;
      element.style.transform = `translate(${Math.round(Math.max(4, left))}px, ${Math.round(Math.max(4, top))}px)`;
    },
  };
}
