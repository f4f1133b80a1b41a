// How long drawing takes. Tests read `window.__draw`: `times` is a ring of the last 600 drawings in milliseconds of the main thread,
// with the decoding of the frame that was drawn; `n` counts all of them, so that the newest is at (n - 1) % 600.

import { el } from '../dom.js';
import { frames } from './poses.js';

const KEPT = 600;
const SHOW_MS = 500;
const drawn = { times: new Float64Array(KEPT), n: 0 };
const stamps = new Float64Array(KEPT);
window.__draw = drawn;

let charged = null;

/** Takes down one drawing that began then. */
export function tookSince(began) {
  const { frame } = frames();
  const decoding = frame && frame !== charged ? frame.decodeMs : 0;
  charged = frame;
  const ended = performance.now();
  drawn.times[drawn.n % KEPT] = ended - began + decoding;
  stamps[drawn.n % KEPT] = ended;
  drawn.n += 1;
}

/** The time that this part of the last drawings took at most. */
function percentile(part) {
  const times = drawn.times.slice(0, Math.min(drawn.n, KEPT)).sort();
  return times.length ? times[Math.min(times.length - 1, Math.floor(part * times.length))] : 0;
}

function perSecond() {
  const since = performance.now() - 1000;
  let count = 0;
  for (let index = 0; index < Math.min(drawn.n, KEPT); index += 1) if (stamps[index] > since) count += 1;
  return count;
}

/** A small reading of it in a corner, which `toggle` shows and hides. */
export function makeMeter(painter) {
  const element = el('output', { class: 'map-meter', hidden: true, 'aria-live': 'off' });
  let timer = 0;
  const show = () => {
    element.textContent = `${painter}  draw p50 ${percentile(0.5).toFixed(2)} ms  p95 ${percentile(0.95).toFixed(2)} ms  ${String(perSecond()).padStart(2)} drawn/s`;
  };
  return {
    element,
    toggle() {
      element.hidden = !element.hidden;
      clearInterval(timer);
      if (element.hidden) return;
      show();
      timer = setInterval(show, SHOW_MS);
    },
  };
}
