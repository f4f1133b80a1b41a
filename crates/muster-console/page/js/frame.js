// Poses as they come over the wire: 16 bytes of header, then 6 bytes for each body. See docs/console-wire.md.

const HEADER = 16;
const BODY = 6;
// A frame and the one before it are in use at any time; arrays of older ones are written over instead of left as garbage.
const SETS = 4;
/** @type {{x: Float32Array, y: Float32Array, heading: Float32Array, state: Uint8Array}[]} */
const sets = [];
let turn = 0;

/**
 * What a frame holds, in the unit of the field; null if it is none of ours, or not of the run and the edge of time that are
 * wanted. `wire` is the bodies as they came, for the graphics card. The arrays are good until the third frame after this one:
 * copy what is to be kept longer.
 * @param {ArrayBuffer} buffer
 * @param {Wire.Run['bounds']} bounds
 * @param {{run: number, live: boolean} | null} wanted
 * @returns {Page.Frame | null}
 */
export function decode(buffer, bounds, wanted = null) {
  const began = performance.now();
  if (buffer.byteLength < HEADER) return null;
  const view = new DataView(buffer);
  if (view.getUint8(0) !== 1) return null;
  const flags = view.getUint8(1);
  const live = (flags & 1) !== 0,
    run = view.getUint16(2, true);
  // Looked at before anything is written: a frame that nobody takes must not use up the arrays of one that is shown.
  if (wanted && (wanted.run !== run || wanted.live !== live)) return null;
  const robots = view.getUint32(4, true);
  const count = Math.floor((buffer.byteLength - HEADER) / BODY);
  const box = flags & 2 ? 1 : 0;
  if (count < robots + box) return null;
  const [left, bottom, right, top] = bounds;
  const perX = (right - left) / 65535,
    perY = (top - bottom) / 65535;
  const { x, y, heading, state } = arraysFor(count);
  const wire = new Uint8Array(buffer, HEADER, count * BODY);
  for (let body = 0, at = 0; body < count; body += 1, at += BODY) {
    x[body] = left + (wire[at] | (wire[at + 1] << 8)) * perX;
    y[body] = bottom + (wire[at + 2] | (wire[at + 3] << 8)) * perY;
    heading[body] = wire[at + 4] * (Math.PI / 128);
    state[body] = wire[at + 5];
  }
  const came = performance.now();
  return {
    live,
    hasBox: box === 1,
    run,
    robots,
    count,
    guests: count - robots - box,
    at: view.getFloat64(8, true),
    x,
    y,
    heading,
    state,
    wire,
    came,
    decodeMs: came - began,
  };
}

/** @param {number} count */
function arraysFor(count) {
  turn = (turn + 1) % SETS;
  if (sets[turn]?.x.length !== count) {
    sets[turn] = {
      x: new Float32Array(count),
      y: new Float32Array(count),
      heading: new Float32Array(count),
      state: new Uint8Array(count),
    };
  }
  return sets[turn];
}
