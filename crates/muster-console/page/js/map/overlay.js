// What lies over the bodies: ranges, the box, selection, messages, names and the cursor of the keyboard.

import { store } from '../store.js';
import { drawArcs } from './arcs.js';
import { drawAxes } from './axes.js';
import { drawLetters } from './cars.js';
import { drawLabels } from './labels.js';
import { frames, headingOf, isThere, xOf, yOf } from './poses.js';

const MOST_RINGS = 100;
const BOX_THICKNESS = 0.22;

/**
 * Draws all of it; true while something of it still changes by itself.
 * @param {CanvasRenderingContext2D} context
 * @param {Page.Scene} scene
 * @param {number} now
 */
export function drawOverlay(context, scene, now) {
  const { camera, ratio } = scene,
    { frame } = frames();
  context.setTransform(ratio, 0, 0, ratio, 0, 0);
  context.clearRect(0, 0, camera.width, camera.height);
  if (!store.run || !frame) return false;
  if (store.layers.rings) drawRings(context, scene, store.run.rings);
  if (frame.hasBox) drawBox(context, scene, frame.count - 1, store.run.box?.length ?? 1);
  if (scene.cars) drawLetters(context, scene);
  drawSelection(context, scene);
  if (store.layers.grid) drawAxes(context, scene, store.run.field.unit);
  drawLabels(context, scene, now);
  const fading = store.layers.messages && drawArcs(context, scene, now);
  if (scene.cursor) drawCursor(context, scene, scene.cursor);
  return fading;
}

/**
 * @param {CanvasRenderingContext2D} context
 * @param {Page.Scene} scene
 * @param {Wire.Ring[]} rings
 */
function drawRings(context, { camera, palette }, rings) {
  context.font = `11px ${palette.sans}`;
  context.textAlign = 'center';
  context.textBaseline = 'middle';
  context.lineJoin = 'round';
  let drawn = 0;
  for (const robot of store.selection.robots) {
    if (!isThere(robot) || (drawn += 1) > MOST_RINGS) continue;
    const x = camera.toScreenX(xOf(robot)),
      y = camera.toScreenY(yOf(robot));
    for (const { label, r } of rings) {
      const radius = r * camera.scale;
      context.beginPath();
      context.arc(x, y, radius, 0, 2 * Math.PI);
      context.strokeStyle = palette.sky;
      context.lineWidth = 1.5;
      context.setLineDash([3, 5]);
      context.stroke();
      context.setLineDash([]);
      if (radius < 30) continue;
      context.lineWidth = 3.5;
      context.strokeStyle = palette.ground;
      // At the top if that is in sight, else at the bottom.
      const side = y - radius > 12 ? y - radius : y + radius;
      context.strokeText(label, x, side);
      context.fillStyle = palette.sky;
      context.fillText(label, x, side);
    }
  }
}

/**
 * @param {CanvasRenderingContext2D} context
 * @param {Page.Scene} scene
 * @param {number} body
 * @param {number} length
 */
function drawBox(context, { camera, palette }, body, length) {
  const long = Math.max(14, length * camera.scale),
    thick = Math.max(5, long * BOX_THICKNESS);
  context.save();
  context.translate(camera.toScreenX(xOf(body)), camera.toScreenY(yOf(body)));
  context.rotate(-headingOf(body));
  context.fillStyle = palette.yellow;
  context.strokeStyle = palette.text;
  context.lineWidth = 1.5;
  context.beginPath();
  context.roundRect(-long / 2, -thick / 2, long, thick, 2);
  context.globalAlpha = 0.75;
  context.fill();
  context.globalAlpha = 1;
  context.stroke();
  context.restore();
}

/**
 * @param {CanvasRenderingContext2D} context
 * @param {Page.Scene} scene
 */
function drawSelection(context, { camera, palette, radius, hover, cars }) {
  const around = cars ? radius + 4 : radius * 1.75 + 3;
  /**
   * @param {number} robot
   * @param {string} colour
   * @param {number} width
   */
  const circle = (robot, colour, width) => {
    context.beginPath();
    context.arc(camera.toScreenX(xOf(robot)), camera.toScreenY(yOf(robot)), around, 0, 2 * Math.PI);
    context.lineWidth = width;
    context.strokeStyle = colour;
    context.stroke();
  };
  for (const robot of store.selection.robots) {
    if (!isThere(robot)) continue;
    circle(robot, palette.ground, 5);
    circle(robot, palette.accent, 2.5);
  }
  if (hover && isThere(hover.robot) && !store.selection.robots.has(hover.robot)) circle(hover.robot, palette.edge, 1.5);
}

/**
 * @param {CanvasRenderingContext2D} context
 * @param {Page.Scene} scene
 * @param {Page.Cursor} cursor
 */
function drawCursor(context, { camera, palette, radius }, { robot, ...place }) {
  const onRobot = isThere(robot);
  const x = Math.round(camera.toScreenX(onRobot ? xOf(robot) : place.x)) + 0.5,
    y = Math.round(camera.toScreenY(onRobot ? yOf(robot) : place.y)) + 0.5;
  const from = radius * 1.5 + 6,
    to = from + 12;
  for (const { colour, width } of [
    { colour: palette.ground, width: 5 },
    { colour: palette.text, width: 2 },
  ]) {
    context.beginPath();
    for (const [alongX, alongY] of [
      [1, 0],
      [-1, 0],
      [0, 1],
      [0, -1],
    ]) {
      context.moveTo(x + alongX * from, y + alongY * from);
      context.lineTo(x + alongX * to, y + alongY * to);
    }
    context.strokeStyle = colour;
    context.lineWidth = width;
    context.stroke();
  }
}
