// A cost function in polar form, as colour: the radius is the time, the angle the heading, from the east and
// counter-clockwise as on the map. Where it cannot be done it is hatched.

import { brushOf } from './dom.js';

/**
 * @typedef {{cost: Wire.Bid['cost'], times: number[], headings: number[]}} Cells what one robot bids, by time and heading
 * @typedef {ReturnType<typeof geometryOf>} Geometry
 */

// Viridis at nine places: equal steps look equal, also to the colour-blind and in grey.
const VIRIDIS = [
  [68, 1, 84],
  [71, 44, 122],
  [59, 81, 139],
  [44, 113, 142],
  [33, 144, 141],
  [39, 173, 129],
  [92, 200, 99],
  [170, 220, 50],
  [253, 231, 37],
];
const HOLE = 0.08;
// Small ones have four numbers around them, large ones eight with their sign.
const SMALL_PX = 140,
  MARGIN_PX = 26,
  SMALL_MARGIN_PX = 17;

/**
 * The colour of a share from 0 (cheap, bright) to 1 (dear, dark).
 * @param {number} share
 */
export function colourOf(share) {
  const at = (1 - Math.min(1, Math.max(0, share))) * (VIRIDIS.length - 1);
  const low = Math.min(VIRIDIS.length - 2, Math.floor(at)),
    part = at - low;
  return `rgb(${VIRIDIS[low].map((each, k) => Math.round(each + (VIRIDIS[low + 1][k] - each) * part)).join()})`;
}

/**
 * A canvas sized for the screen it is on, and its context in CSS pixels.
 * @param {HTMLCanvasElement} canvas
 * @param {number} width
 * @param {number} height
 */
export function sized(canvas, width, height) {
  const dense = globalThis.devicePixelRatio || 1;
  canvas.width = Math.round(width * dense);
  canvas.height = Math.round(height * dense);
  const context = brushOf(canvas);
  context.scale(dense, dense);
  return context;
}

/**
 * Draws one bid. `range` is [least, most] of all bids, so that colours can be compared; `chosen` a cell `{time, heading}` or null.
 * @param {HTMLCanvasElement} canvas
 * @param {Cells} options
 * @param {Page.Point} range
 * @param {{time: number, heading: number} | null} chosen
 */
export function drawPolar(canvas, { cost, times, headings }, range, chosen) {
  const size = canvas.clientWidth || 168;
  const context = sized(canvas, size, size);
  const style = getComputedStyle(canvas),
    colour = (/** @type {string} */ name) => style.getPropertyValue(`--${name}`).trim();
  const geometry = geometryOf(size, times, headings);
  const hatch = hatching(context, colour('sunk'), colour('edge'));
  cost.forEach((byHeading, time) =>
    byHeading.forEach((value, heading) => {
      cell(context, geometry, time, heading);
      context.fillStyle = value === null ? hatch : colourOf((value - range[0]) / Math.max(1e-9, range[1] - range[0]));
      context.fill();
      // A line of its own colour closes the seam to its neighbour.
      if (value !== null) {
        context.lineWidth = 0.6;
        context.strokeStyle = context.fillStyle;
        context.stroke();
      }
    }),
  );
  outlines(context, geometry, times.length, colour('ground'));
  // The darkest colour is close to a dark ground: the edge keeps them apart.
  context.strokeStyle = colour('edge');
  context.beginPath();
  context.arc(geometry.middle, geometry.middle, geometry.outer, 0, 2 * Math.PI);
  context.stroke();
  labels(context, geometry, size, headings, colour);
  if (chosen) ring(context, geometry, chosen);
}

/**
 * The cell under a point of the canvas, or null.
 * @param {HTMLCanvasElement} canvas
 * @param {Cells} options
 * @param {number} x
 * @param {number} y
 */
export function cellAt(canvas, { times, headings }, x, y) {
  const { middle, inner, step, turn } = geometryOf(canvas.clientWidth, times, headings);
  const time = Math.floor((Math.hypot(x - middle, y - middle) - inner) / step);
  if (time < 0 || time >= times.length) return null;
  const angle = (Math.atan2(middle - y, x - middle) * 180) / Math.PI;
  const heading = Math.round(((((angle - headings[0]) % 360) + 360) % 360) / turn) % headings.length;
  return { time, heading };
}

/**
 * @param {number} size
 * @param {number[]} times
 * @param {number[]} headings
 */
function geometryOf(size, times, headings) {
  const middle = size / 2,
    outer = middle - (size < SMALL_PX ? SMALL_MARGIN_PX : MARGIN_PX),
    inner = outer * HOLE;
  return { middle, outer, inner, step: (outer - inner) / times.length, turn: 360 / headings.length, headings };
}

/**
 * @param {CanvasRenderingContext2D} context
 * @param {Geometry} options
 * @param {number} time
 * @param {number} heading
 */
function cell(context, { middle, inner, step, turn, headings }, time, heading) {
  const from = (-(headings[heading] - turn / 2) * Math.PI) / 180,
    to = (-(headings[heading] + turn / 2) * Math.PI) / 180;
  context.beginPath();
  context.arc(middle, middle, inner + step * (time + 1), from, to, true);
  context.arc(middle, middle, inner + step * time, to, from, false);
  context.closePath();
}

/**
 * @param {CanvasRenderingContext2D} context
 * @param {Geometry} options
 * @param {{time: number, heading: number}} options
 */
function ring(context, { middle, inner, step, headings }, { time, heading }) {
  const radius = inner + step * (time + 0.5),
    angle = (headings[heading] * Math.PI) / 180;
  const x = middle + radius * Math.cos(angle),
    y = middle - radius * Math.sin(angle);
  // Black within white is seen on every colour.
  for (const { width, stroke } of [
    { width: 4.5, stroke: '#ffffff' },
    { width: 2, stroke: '#000000' },
  ]) {
    context.beginPath();
    context.arc(x, y, 5, 0, 2 * Math.PI);
    context.lineWidth = width;
    context.strokeStyle = stroke;
    context.stroke();
  }
}

/**
 * Between headings, and every fifth time: more lines would hide the colours.
 * @param {CanvasRenderingContext2D} context
 * @param {Geometry} options
 * @param {number} times
 * @param {string} ground
 */
function outlines(context, { middle, inner, outer, step, turn, headings }, times, ground) {
  context.strokeStyle = ground;
  context.lineWidth = 1;
  context.beginPath();
  for (const heading of headings) {
    const angle = ((heading - turn / 2) * Math.PI) / 180,
      x = Math.cos(angle),
      y = -Math.sin(angle);
    context.moveTo(middle + inner * x, middle + inner * y);
    context.lineTo(middle + outer * x, middle + outer * y);
  }
  for (let time = 0; time <= times; time += 5) {
    const radius = inner + step * time;
    context.moveTo(middle + radius, middle);
    context.arc(middle, middle, radius, 0, 2 * Math.PI);
  }
  context.stroke();
}

/**
 * @param {CanvasRenderingContext2D} context
 * @param {string} ground
 * @param {string} line
 */
function hatching(context, ground, line) {
  const tile = document.createElement('canvas');
  tile.width = tile.height = 6;
  const draw = brushOf(tile);
  draw.fillStyle = ground;
  draw.fillRect(0, 0, 6, 6);
  draw.strokeStyle = line;
  draw.lineWidth = 0.8;
  for (const shift of [-6, 0, 6]) {
    draw.beginPath();
    draw.moveTo(shift, 6);
    draw.lineTo(shift + 6, 0);
    draw.stroke();
  }
  return context.createPattern(tile, 'repeat') ?? ground;
}

/**
 * @param {CanvasRenderingContext2D} context
 * @param {Geometry} options
 * @param {number} size
 * @param {number[]} headings
 * @param {(name: string) => string} colour
 * @param {string} colour
 */
function labels(context, { middle, outer }, size, headings, colour) {
  context.font = `${size < SMALL_PX ? 9 : 10}px ${colour('sans')}`;
  context.fillStyle = colour('soft');
  context.textAlign = 'center';
  context.textBaseline = 'middle';
  const small = size < SMALL_PX;
  const every = Math.ceil(headings.length / (small ? 4 : 8));
  headings.forEach((heading, at) => {
    if (at % every) return;
    const angle = (heading * Math.PI) / 180;
    context.fillText(
      `${Math.round(heading)}${small ? '' : '°'}`,
      middle + (outer + (small ? 9 : 13)) * Math.cos(angle),
      middle - (outer + (small ? 7 : 11)) * Math.sin(angle),
    );
  });
}
