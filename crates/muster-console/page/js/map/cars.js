// The look of CARS (Lisetti et al., figure 6): a white field, robots red circles with the first two letters of their names, guests
// green ones, obstacles black squares. They are true to scale, but for robots that would be too small for letters.

import { robotName, store } from '../store.js';
import { robotCount, stateOf, xOf, yOf } from './poses.js';

const MOST_LETTERS = 300;

/** Whether the map looks like that. */
export function isCars() {
  return store.layout === 'cars';
}

/**
 * Writes two letters into each robot, and strikes out those that do not work: they are hollow.
 * @param {CanvasRenderingContext2D} context
 * @param {Page.Scene} scene
 */
export function drawLetters(context, { camera, palette, radius }) {
  context.font = `700 ${Math.round(Math.min(20, Math.max(9, radius * 0.95)))}px ${palette.sans}`;
  context.textAlign = 'center';
  context.textBaseline = 'middle';
  let written = 0;
  for (let robot = 0; robot < robotCount() && written < MOST_LETTERS; robot += 1) {
    const x = camera.toScreenX(xOf(robot)),
      y = camera.toScreenY(yOf(robot));
    if (x < -radius || y < -radius || x > camera.width + radius || y > camera.height + radius) continue;
    written += 1;
    const broken = stateOf(robot) === 'not working';
    context.fillStyle = broken ? palette['cars-robot'] : palette.ground;
    context.fillText([...robotName(robot)].slice(0, 2).join(''), x, y + 0.5);
    if (!broken) continue;
    context.strokeStyle = palette.text;
    context.lineWidth = 2;
    context.beginPath();
    context.moveTo(x - radius, y - radius);
    context.lineTo(x + radius, y + radius);
    context.stroke();
  }
}
