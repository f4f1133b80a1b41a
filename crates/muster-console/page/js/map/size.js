// How large a robot is drawn: as large as it is if it has a body, else so that neighbours can be told apart.

const SMALLEST = 2;
const LARGEST = 9;
// A body that is nearly a point is still to be seen and hit.
const SMALLEST_BODY = 5.5;
const SMALLEST_FOR_LETTERS = 9;
/** From this radius on states show as shapes; below, robots are dots. */
export const SHAPES_FROM = 5;

/**
 * The radius of a robot in pixels.
 * @param {Wire.Run} run
 * @param {number} robots
 * @param {Page.Scene['camera']} camera
 */
export function radiusOf(run, robots, camera) {
  if (run.body > 0) return Math.max(SMALLEST_BODY, (run.body / 2) * camera.scale);
  const roomEach = Math.sqrt((run.field.width * run.field.height) / Math.max(1, robots)) * camera.scale;
  return Math.min(LARGEST, Math.max(SMALLEST, roomEach * 0.28));
}

/**
 * The same in the CARS look, where two letters have to fit in.
 * @param {Wire.Run} run
 * @param {Page.Scene['camera']} camera
 */
export function lettersRadius(run, camera) {
  return Math.max(SMALLEST_FOR_LETTERS, (run.body / 2) * camera.scale);
}
