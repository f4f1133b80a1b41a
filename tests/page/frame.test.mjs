// Poses as they come over the wire; crates/muster-console/src/frame.rs writes them.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { decode } from '../../crates/muster-console/page/js/frame.js';

const BOUNDS = [-50, -50, 150, 150];

/** A frame of run 7 at 3 s. */
function frame(bodies, { flags = 1, robots = bodies.length, version = 1 } = {}) {
  const view = new DataView(new ArrayBuffer(16 + 6 * bodies.length));
  view.setUint8(0, version);
  view.setUint8(1, flags);
  view.setUint16(2, 7, true);
  view.setUint32(4, robots, true);
  view.setFloat64(8, 3, true);
  bodies.forEach(([x, y, turn, state], at) => {
    view.setUint16(16 + 6 * at, x, true);
    view.setUint16(18 + 6 * at, y, true);
    view.setUint8(20 + 6 * at, turn);
    view.setUint8(21 + 6 * at, state);
  });
  return view.buffer;
}

test('places go over the bounds, headings over a turn, states as they are', () => {
  const got = decode(
    frame([
      [0, 65535, 64, 9],
      [32768, 16384, 128, 5],
    ]),
    BOUNDS,
  );
  assert.equal(got.run, 7);
  assert.equal(got.at, 3);
  assert.ok(got.live && !got.hasBox);
  assert.deepEqual([got.x[0], got.y[0]], [-50, 150]);
  assert.ok(Math.abs(got.x[1] - 50) < 0.01 && Math.abs(got.y[1]) < 0.01);
  assert.ok(Math.abs(got.heading[0] - Math.PI / 2) < 1e-6);
  assert.deepEqual([...got.state], [9, 5]);
});

test('guests stand behind robots, the box behind guests', () => {
  const got = decode(
    frame(
      [
        [0, 0, 0, 0],
        [1, 1, 0, 0],
        [2, 2, 0, 0],
      ],
      { flags: 2, robots: 1 },
    ),
    BOUNDS,
  );
  assert.deepEqual([got.live, got.hasBox, got.robots, got.guests, got.count], [false, true, 1, 1, 3]);
});

test('what is no frame of ours, or cut off, is none', () => {
  assert.equal(decode(new ArrayBuffer(15), BOUNDS), null);
  assert.equal(decode(frame([[0, 0, 0, 0]], { version: 2 }), BOUNDS), null);
  assert.equal(decode(frame([[0, 0, 0, 0]], { robots: 2 }), BOUNDS), null);
});

test('a frame of another run or another edge of time is not taken, and does not use up arrays', () => {
  const shown = decode(frame([[0, 0, 0, 1]]), BOUNDS);
  for (let n = 0; n < 20; n += 1) {
    assert.equal(decode(frame([[9, 9, 9, 9]]), BOUNDS, { run: 8, live: true }), null);
    assert.equal(decode(frame([[9, 9, 9, 9]]), BOUNDS, { run: 7, live: false }), null);
  }
  assert.equal(shown.state[0], 1);
});
