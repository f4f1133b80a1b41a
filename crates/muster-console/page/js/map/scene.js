// What the parts of the map share, and which of its three canvases have to be drawn anew.

import { Camera } from './camera.js';

/** @type {Page.Scene} */
export const scene = {
  camera: new Camera(),
  palette: {},
  ratio: 1,
  radius: 9,
  guestRadius: 6,
  hover: null,
  cursor: null,
  cars: false,
};

/** @typedef {'ground' | 'bodies' | 'overlay'} Canvas */

/** @type {Canvas[]} */
const CANVASES = ['ground', 'bodies', 'overlay'];
/** @type {Set<Canvas>} */
const stale = new Set();
let wake = () => {};

/**
 * Says who is to be called when something has to be drawn.
 * @param {() => void} call
 */
export function onStale(call) {
  wake = call;
}

/**
 * These canvases no longer show how things are; all of them if none is named.
 * @param {...Canvas} layers
 */
export function outdate(...layers) {
  for (const layer of layers.length ? layers : CANVASES) stale.add(layer);
  wake();
}

/**
 * True, once, if that canvas is to be drawn anew.
 * @param {Canvas} layer
 */
export function takeStale(layer) {
  return stale.delete(layer);
}

const calm = matchMedia('(prefers-reduced-motion: reduce)');
/** The person wants things to keep still. */
export function wantsCalm() {
  return calm.matches;
}
/** Whether the camera glides. */
export function gliding() {
  return { glide: !calm.matches };
}
