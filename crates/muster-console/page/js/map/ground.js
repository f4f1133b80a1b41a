// What lies under the bodies and moves rarely: the field, its grid, obstacles, ways, trails and tasks.

import { last } from '../lists.js';
import { store } from '../store.js';
import { niceStep } from './axes.js';
import { drawTasks } from './diamonds.js';
import { drawTrails } from './trails.js';

const MOST_WAYS = 300;

/**
 * Draws all of it.
 * @param {CanvasRenderingContext2D} context
 * @param {Page.Scene} scene
 */
export function drawGround(context, scene) {
  const { camera, palette, ratio } = scene,
    run = store.run;
  context.setTransform(ratio, 0, 0, ratio, 0, 0);
  context.clearRect(0, 0, camera.width, camera.height);
  if (!run) return;
  drawField(context, scene, run);
  if (store.layers.grid) drawGrid(context, scene);
  context.strokeStyle = palette.edge;
  context.lineWidth = 1;
  context.strokeRect(...fieldOnScreen(camera, run));
  if (store.layers.obstacles) drawObstacles(context, scene, run.obstacles);
  if (store.layers.ways) drawWays(context, scene, store.moment?.ways ?? []);
  if (store.layers.trails) drawTrails(context, scene);
  if (store.layers.tasks) drawTasks(context, scene);
}

/**
 * @param {Page.Scene['camera']} camera
 * @param {Wire.Run} run
 * @returns {[number, number, number, number]}
 */
function fieldOnScreen(camera, { field }) {
  const left = Math.round(camera.toScreenX(0)) + 0.5,
    top = Math.round(camera.toScreenY(field.height)) + 0.5;
  return [
    left,
    top,
    Math.round(camera.toScreenX(field.width)) + 0.5 - left,
    Math.round(camera.toScreenY(0)) + 0.5 - top,
  ];
}

/**
 * @param {CanvasRenderingContext2D} context
 * @param {Page.Scene} scene
 * @param {Wire.Run} run
 */
function drawField(context, { camera, palette }, run) {
  context.fillStyle = palette.outside;
  context.fillRect(0, 0, camera.width, camera.height);
  context.fillStyle = palette.ground;
  context.fillRect(...fieldOnScreen(camera, run));
}

/**
 * @param {CanvasRenderingContext2D} context
 * @param {Page.Scene} scene
 */
function drawGrid(context, { camera, palette }) {
  const step = niceStep(camera.scale, 70),
    right = camera.toFieldX(camera.width),
    top = camera.toFieldY(0);
  context.strokeStyle = palette.grid;
  context.lineWidth = 1;
  context.beginPath();
  for (let x = Math.ceil(camera.toFieldX(0) / step) * step; x <= right; x += step) {
    const at = Math.round(camera.toScreenX(x)) + 0.5;
    context.moveTo(at, 0);
    context.lineTo(at, camera.height);
  }
  for (let y = Math.ceil(camera.toFieldY(camera.height) / step) * step; y <= top; y += step) {
    const at = Math.round(camera.toScreenY(y)) + 0.5;
    context.moveTo(0, at);
    context.lineTo(camera.width, at);
  }
  context.stroke();
}

/**
 * @param {CanvasRenderingContext2D} context
 * @param {Page.Scene} scene
 * @param {Wire.Obstacle[]} obstacles
 */
function drawObstacles(context, { camera, palette, cars }, obstacles) {
  context.fillStyle = cars ? palette['cars-obstacle'] : palette.edge;
  for (const { x, y, size } of obstacles) {
    // Edges on whole pixels: obstacles side by side make one.
    const left = Math.round(camera.toScreenX(x - size / 2)),
      top = Math.round(camera.toScreenY(y + size / 2));
    context.fillRect(
      left,
      top,
      Math.max(3, Math.round(camera.toScreenX(x + size / 2)) - left),
      Math.max(3, Math.round(camera.toScreenY(y - size / 2)) - top),
    );
  }
}

/**
 * @param {CanvasRenderingContext2D} context
 * @param {Page.Scene} scene
 * @param {Wire.Way[]} ways
 */
function drawWays(context, { camera, palette }, ways) {
  context.lineJoin = context.lineCap = 'round';
  for (const { robot, points, corridor } of ways.slice(0, MOST_WAYS)) {
    const chosen = store.selection.robots.has(robot);
    context.beginPath();
    points.forEach(([x, y], index) =>
      index
        ? context.lineTo(camera.toScreenX(x), camera.toScreenY(y))
        : context.moveTo(camera.toScreenX(x), camera.toScreenY(y)),
    );
    context.strokeStyle = chosen ? palette.accent : palette.green;
    if (corridor) {
      context.globalAlpha = chosen ? 0.28 : 0.16;
      context.lineWidth = 12;
      context.stroke();
    }
    context.globalAlpha = 0.85;
    context.lineWidth = chosen ? 2 : 1.5;
    context.setLineDash([6, 5]);
    context.stroke();
    context.setLineDash([]);
    if (points.length > 1) drawEnd(context, camera, last(points));
  }
  context.globalAlpha = 1;
  context.lineCap = 'butt';
}

/**
 * @param {CanvasRenderingContext2D} context
 * @param {Page.Scene['camera']} camera
 * @param {Page.Point} point2
 */
function drawEnd(context, camera, [x, y]) {
  context.beginPath();
  context.arc(camera.toScreenX(x), camera.toScreenY(y), 3.5, 0, 2 * Math.PI);
  context.stroke();
}
