// How long drawing takes.

import { el } from '../dom.js';
import { showTests } from '../testing.js';
import { frames } from './poses.js';

const KEPT = 600;
const SHOW_MS = 500;
const drawn = { times: new Float64Array(KEPT), n: 0 };
const stamps = new Float64Array(KEPT);
showTests({ __draw: drawn });

/** @type {Page.Frame | null} */
let charged = null;

/**
 * Takes down one drawing that began then.
 * @param {number} began
 */
export function tookSince(began) {
  const { frame } = frames();
  const decoding = frame && frame !== charged ? frame.decodeMs : 0;
  charged = frame;
  const ended = performance.now();
  drawn.times[drawn.n % KEPT] = ended - began + decoding;
  stamps[drawn.n % KEPT] = ended;
  drawn.n += 1;
}

/**
 * The time that this part of the last drawings took at most.
 * @param {number} part
 */
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

/**
 * A small reading of it in a corner, which `toggle` shows and hides.
 * @param {string} painter
 */
export function makeMeter(painter) {
  const element = el('output', { class: 'map-meter', hidden: true, 'aria-live': 'off' });
  let timer = 0;
  const show = () => {
    const [half, most] = [0.5, 0.95].map((part) => percentile(part).toFixed(2));
    const drawings = String(perSecond()).padStart(2);
    element.textContent = `${painter}  draw p50 ${half} ms  p95 ${most} ms  ${drawings} drawn/s`;
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
