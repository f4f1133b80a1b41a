// What the parts of the map share, and which of its three canvases have to be drawn anew.

import { Camera } from './camera.js';

export const scene = {
  camera: new Camera(),
  /** Colours of the theme, see `palette.js`. @type {any} */
  palette: {},
  /** Device pixels for each pixel of the page. */
  ratio: 1,
  /** Radius of a robot and of a guest on the screen. */
  radius: 9,
  guestRadius: 6,
  /** What the pointer is over: `{robot}`, `{task}` or null. @type {any} */
  hover: null,
  /** The map cursor of the keyboard: a place, and the robot that it is on or null. @type {{x: number, y: number, robot: number|null}|null} */
  cursor: null,
  /** The CARS look is on. */
  cars: false,
};

const stale = new Set();
let wake = () => {};

/** Says who is to be called when something has to be drawn. */
export function onStale(call) {
  wake = call;
}

/** These canvases no longer show how things are: 'ground', 'bodies', 'overlay'; all of them if none is named. */
export function outdate(...layers) {
  for (const layer of layers.length ? layers : ['ground', 'bodies', 'overlay']) stale.add(layer);
  wake();
}

/** True, once, if that canvas is to be drawn anew. */
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
