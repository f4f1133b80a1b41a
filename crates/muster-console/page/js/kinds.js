// How each kind of log line looks, in the log and on the timeline: a shape, a colour and a word, never the colour alone.

import { svg } from './dom.js';

/**
 * Shapes are for a field of 12 by 12; `height` is that of the tick on the timeline, and the higher goes over the lower.
 * @type {Record<Wire.LineKind, {colour: string, height: number, shape: string}>}
 */
export const KINDS = {
  start: { colour: '--accent', height: 0.9, shape: 'M2 .5 11 6 2 11.5z' },
  call: { colour: '--orange', height: 0.6, shape: 'M6 .8 11.5 11H.5z' },
  trouble: {
    colour: '--vermilion',
    height: 1,
    shape: 'M2.3.8 6 4.5 9.7.8 11.2 2.3 7.5 6l3.7 3.7-1.5 1.5L6 7.5l-3.7 3.7L.8 9.7 4.5 6 .8 2.3z',
  },
  offer: {
    colour: '--sky',
    height: 0.5,
    shape: 'M6 .8a5.2 5.2 0 1 1 0 10.4A5.2 5.2 0 0 1 6 .8zM6 3a3 3 0 1 0 0 6 3 3 0 0 0 0-6z',
  },
  auction: { colour: '--purple', height: 0.65, shape: 'M1 1h4v10H1zM7 4h4v7H7z' },
  award: { colour: '--blue', height: 0.8, shape: 'M6 0l6 6-6 6-6-6z' },
  travel: { colour: '--grey', height: 0.3, shape: 'M2 1h3l5 5-5 5H2l5-5z' },
  work: { colour: '--yellow', height: 0.4, shape: 'M1.5 1.5h9v9h-9z' },
  done: { colour: '--green', height: 0.75, shape: 'M1.7 5.2 4.6 8 10.3 1.8 11.8 3.2 4.7 11 .3 6.7z' },
  emotion: { colour: '--purple', height: 0.5, shape: 'M6 11 .9 5.8A2.9 2.9 0 0 1 6 2.6a2.9 2.9 0 0 1 5.1 3.2z' },
  level: { colour: '--purple', height: 0.3, shape: 'M6 1.5 10.5 6H8v4.5H4V6H1.5z' },
  behavior: { colour: '--yellow', height: 0.35, shape: 'M3.2 1h5.6l2.8 5-2.8 5H3.2L.4 6z' },
  command: { colour: '--text', height: 0.95, shape: 'M2 0h9L8.5 3.5 11 7H4v5H2z' },
  heard: { colour: '--text', height: 0.45, shape: 'M6 .8a5.2 5.2 0 0 1 5.2 5.2H9A3 3 0 0 0 6 3zM1 6h5v5H1z' },
  world: { colour: '--vermilion', height: 0.85, shape: 'M7.5 0 2 7h3l-1 5 6-7H6.8z' },
  note: { colour: '--grey', height: 0.25, shape: 'M6 3.5a2.5 2.5 0 1 1 0 5 2.5 2.5 0 0 1 0-5z' },
};

/** @type {Wire.LineKind[]} */
export const ALL_KINDS = /** @type {any} */ (Object.keys(KINDS));

/**
 * How a kind looks; one that this page does not know looks like a note.
 * @param {Wire.LineKind} kind
 */
export function looksOf(kind) {
  return KINDS[kind] ?? KINDS.note;
}

/**
 * The shape of a kind, in its colour.
 * @param {Wire.LineKind} kind
 */
export function shapeOf(kind) {
  const element = svg(
    'svg',
    { viewBox: '0 0 12 12', width: 12, height: 12, 'aria-hidden': 'true', focusable: 'false' },
    svg('path', { 'fill-rule': 'evenodd' }),
  );
  setShape(element, kind);
  return element;
}

/**
 * Makes a shape that of another kind.
 * @param {SVGElement} element
 * @param {Wire.LineKind} kind
 */
export function setShape(element, kind) {
  element.setAttribute('class', `shape kind-${Object.hasOwn(KINDS, kind) ? kind : 'note'}`);
  element.firstElementChild?.setAttribute('d', looksOf(kind).shape);
}
