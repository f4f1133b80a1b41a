// Tasks: diamonds whose mark and colour tell the state; what is done is a small round check.

import { brushOf } from '../dom.js';
import { store } from '../store.js';
import { DIAMONDS } from './glyphs.js';

const MOST = 300;
/** @type {Wire.TaskState[]} */
let shown = [];

// Each look is drawn once and then copied: there may be hundreds of tasks.
/** @type {Map<string, HTMLCanvasElement>} */
const stamps = new Map();
/** @type {Page.Palette | null} */
let inked = null;
const STAMP = 36;

/** The tasks that are drawn, so that they can be pointed at: `{task, x, y}` in places of the field. */
export function shownTasks() {
  return store.layers.tasks && store.run ? shown : [];
}

/** How large they are drawn. */
export function taskSize() {
  return shown.length > 80 ? 7 : 11;
}

/**
 * Draws those in sight, and remembers them.
 * @param {CanvasRenderingContext2D} context
 * @param {Page.Scene} scene
 */
export function drawTasks(context, { camera, palette, hover, ratio }) {
  const margin = 14 / camera.scale;
  const left = camera.toFieldX(0) - margin,
    right = camera.toFieldX(camera.width) + margin;
  const bottom = camera.toFieldY(camera.height) - margin,
    top = camera.toFieldY(0) + margin;
  shown = (store.moment?.tasks ?? [])
    .filter(({ x, y }) => x >= left && x <= right && y >= bottom && y <= top)
    .slice(0, MOST);
  const size = taskSize();
  // What is open comes first in the list and must lie on top.
  for (let index = shown.length - 1; index >= 0; index -= 1) {
    const { task, state, x, y } = shown[index];
    const stamp = stampOf(state, size, store.selection.task === task || hover?.task === task, palette, ratio);
    context.drawImage(stamp, camera.toScreenX(x) - STAMP / 2, camera.toScreenY(y) - STAMP / 2, STAMP, STAMP);
  }
}

/**
 * @param {Wire.Progress} state
 * @param {number} size
 * @param {boolean} chosen
 * @param {Page.Palette} palette
 * @param {number} ratio
 */
function stampOf(state, size, chosen, palette, ratio) {
  if (inked !== palette) {
    stamps.clear();
    inked = palette;
  }
  const key = `${state} ${size} ${chosen} ${ratio}`;
  let stamp = stamps.get(key);
  if (!stamp) {
    stamp = document.createElement('canvas');
    stamp.width = stamp.height = STAMP * ratio;
    const context = brushOf(stamp);
    context.scale(ratio, ratio);
    context.translate(STAMP / 2, STAMP / 2);
    drawDiamond(context, size, state, palette, chosen);
    stamps.set(key, stamp);
  }
  return stamp;
}

/**
 * @param {CanvasRenderingContext2D} context
 * @param {number} size
 * @param {Wire.Progress} state
 * @param {Page.Palette} palette
 * @param {boolean} chosen
 */
function drawDiamond(context, size, state, palette, chosen) {
  const { colour, mark, solid, round, dashed } = DIAMONDS[state] ?? DIAMONDS.open;
  const half = round ? size * 0.72 : size;
  if (chosen) {
    outline(context, half + 4.5, round);
    context.strokeStyle = palette.accent;
    context.lineWidth = 2.5;
    context.stroke();
  }
  outline(context, half, round);
  context.fillStyle = solid ? palette[colour] : palette.ground;
  context.fill();
  context.strokeStyle = palette[colour];
  context.lineWidth = 1.75;
  if (dashed) context.setLineDash([2.5, 2.5]);
  context.stroke();
  if (!mark) return;
  context.setLineDash([]);
  context.strokeStyle = solid ? palette.ground : palette[colour];
  context.scale(size, size);
  context.lineWidth = 2 / size;
  context.lineCap = 'round';
  context.stroke(new Path2D(mark));
}

/**
 * @param {CanvasRenderingContext2D} context
 * @param {number} half
 * @param {boolean | undefined} round
 */
function outline(context, half, round) {
  context.beginPath();
  if (round) context.arc(0, 0, half, 0, 2 * Math.PI);
  else {
    context.moveTo(0, -half);
    context.lineTo(half, 0);
    context.lineTo(0, half);
    context.lineTo(-half, 0);
    context.closePath();
  }
}
