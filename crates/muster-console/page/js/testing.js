// What tests of the page look at, and nothing else does. Both are fields of the window:
//   __map    `positions()`: where robots are in the window, in the order of their numbers: what tests click on.
//   __draw   how long drawing takes: `times` is a ring of the last 600 drawings in milliseconds of the main thread, with the
//            decoding of the frame that was drawn; `n` counts all of them, so that the newest is at (n - 1) % 600.

/**
 * Lets tests see something.
 * @param {Partial<Pick<Window, '__map' | '__draw'>>} what
 */
export function showTests(what) {
  Object.assign(window, what);
}
