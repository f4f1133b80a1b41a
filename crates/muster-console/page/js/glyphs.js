// Shapes of states beside words, the same as on the map: each state has a shape of its own beside its colour, so that it can
// be told by either.

import { svg } from './dom.js';
import { DIAMONDS, GLYPHS } from './map/glyphs.js';
import { LOOKS, SHAPE } from './states.js';

const DIAMOND = 'M0 -1.1L1.1 0L0 1.1L-1.1 0Z',
  ROUND = 'M.9 0A.9 .9 0 1 1 -.9 0A.9 .9 0 1 1 .9 0';

/** An empty glyph; what it shows is told to `showRobotState` or `showTaskState`. The word stands beside it, so it is silent. */
export function glyph() {
  return svg('svg', { class: 'glyph', width: 18, height: 16, 'aria-hidden': 'true' });
}

/**
 * @param {SVGElement} at
 * @param {string} name
 * @param {string} viewBox
 * @param {(SVGElement | '' | false | undefined)[]} parts
 */
function draw(at, name, viewBox, parts) {
  if (at.dataset.is === name) return;
  at.dataset.is = name;
  at.setAttribute('viewBox', viewBox);
  at.replaceChildren(...parts.filter((part) => part instanceof SVGElement));
}

/**
 * The shape of what a robot is doing.
 * @param {SVGElement} at
 * @param {Wire.RobotState} state
 */
export function showRobotState(at, state) {
  const { shape } = LOOKS[state],
    { line, fill } = GLYPHS[shape];
  draw(
    at,
    `robot-${state.replaceAll(' ', '-')}`,
    shape === SHAPE.underlined ? '-1.9 -1.4 3.8 3.38' : '-1.9 -1.69 3.8 3.38',
    [
      fill && svg('path', { d: fill, class: 'fill' }),
      line && svg('path', { d: line, class: 'line', 'stroke-width': 0.36 }),
    ],
  );
}

/**
 * The shape of how a task stands.
 * @param {SVGElement} at
 * @param {Wire.Progress} state
 */
export function showTaskState(at, state) {
  const { mark, solid, round, dashed } = DIAMONDS[state];
  draw(at, `task-${state.replace(' ', '-')}`, '-1.4 -1.25 2.8 2.5', [
    svg('path', {
      d: round ? ROUND : DIAMOND,
      class: solid ? 'fill' : 'line',
      'stroke-width': 0.2,
      'stroke-dasharray': dashed ? '.3 .3' : null,
    }),
    mark && svg('path', { d: mark, class: solid ? 'cut' : 'line', 'stroke-width': 0.24 }),
  ]);
}
