// Where the map looks.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { Camera } from '../../crates/muster-console/page/js/map/camera.js';

function camera() {
  const camera = new Camera();
  camera.resize(800, 600);
  camera.fit([0, 0, 100, 100]);
  return camera;
}

const near = (a, b, slack = 1e-9) => assert.ok(Math.abs(a - b) <= slack, `${a} is not ${b}`);

test('a place on the screen is the place on the field that it came from', () => {
  const { toScreenX, toScreenY, toFieldX, toFieldY } = Camera.prototype;
  const one = camera();
  for (const [x, y] of [
    [0, 0],
    [100, 0],
    [12.5, 77],
  ]) {
    near(toFieldX.call(one, toScreenX.call(one, x)), x);
    near(toFieldY.call(one, toScreenY.call(one, y)), y);
  }
  assert.ok(one.toScreenY(10) > one.toScreenY(20), 'north is up');
});

test('all of a field is in sight once it is fitted, whatever its shape', () => {
  const one = camera();
  for (const [width, height] of [
    [1000, 1],
    [1, 1000],
    [0, 0],
  ]) {
    one.fit([0, 0, width, height]);
    assert.ok(one.sees(0, 0) && one.sees(width, height), `${width} by ${height}`);
  }
});

test('what is under the pointer stays under it when the view is zoomed, at once or gliding', () => {
  for (const glide of [false, true]) {
    const one = camera();
    const [x, y] = [one.toFieldX(200), one.toFieldY(150)];
    one.zoom(3, 200, 150, { glide });
    for (let now = 16; one.moves; now += 16) {
      one.step(now);
      near(one.toScreenX(x), 200, 1e-6);
      near(one.toScreenY(y), 150, 1e-6);
      assert.ok(now < 5000, 'it arrives');
    }
    near(one.toScreenX(x), 200, 1e-6);
    near(one.scale, 3 * one.fitted, 1e-6);
  }
});

test('nobody gets lost: how near and how far one may go has an end', () => {
  const one = camera();
  one.zoom(1e9);
  near(one.scale, 300 * one.fitted);
  one.zoom(1e-12);
  near(one.scale, 0.25 * one.fitted);
});

test('a place comes into sight by the shortest way, and one that is in sight moves nothing', () => {
  const one = camera();
  one.zoom(10);
  const { x, y } = one;
  one.reveal(x, y);
  assert.deepEqual([one.x, one.y], [x, y]);
  one.reveal(100, y);
  assert.ok(one.sees(100, y));
  assert.equal(one.y, y);
});
