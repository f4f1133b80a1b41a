// Which time is looked at, and playing it: the shared clock at the live edge, this viewer's own view in the past and in a
// recording. The own view goes on by asking the server for one time after another.

import { lookAt, send } from './link.js';
import { last } from './lists.js';
import { emit, on, store } from './store.js';

const SEEK_MS = 100;
/** "As fast as it goes" has no meaning for what has happened already; this is as fast as the shared clock can be set. */
const FASTEST = 1000;

let playing = false;
/** @type {number | null} */
let ownSpeed = null;
let sought = 0;
let ticked = 0;
// Between two seeks the time goes on here, unseen.
let exact = 0;
// How far the run has come. Who looks at the past is shown no live moments, but every line of the log as it is written.
let reached = 0;
/** @param {number} at */
const reaches = (at) => {
  if (at > reached) reached = at;
};

/** Is the own view being played? */
export const isPlaying = () => playing;
/** Is this a recording? It has no live edge, only an end. */
export const isReplay = () => store.run?.source === 'replay';
/** Does this viewer look at a time of their own? */
export const inPast = () => !store.view.live;

/** The last time that there is something to see of. */
export function edge() {
  if (!isReplay()) return reached;
  const { standing } = store,
    end = store.run?.replay?.end_s ?? standing?.live_s ?? 0;
  // Where a recording and the run made from it part there is nothing more to see, whatever was recorded.
  return standing?.over ? Math.min(end, standing.live_s) : end;
}

/** How much of it the server can show by now: a recording is read while people look at it already. */
export function loaded() {
  if (!isReplay()) return reached;
  return store.standing?.over ? edge() : (store.standing?.live_s ?? 0);
}

/** Does this viewer look at a part of a recording that has not been read yet? */
export const isAwaited = () => isReplay() && inPast() && store.view.at > loaded();

/** The time that is shown. */
export function shownTime() {
  return store.view.live ? edge() : store.view.at;
}

/** How fast what is looked at goes on: the shared speed, or the own one. */
export function speed() {
  return inPast() && ownSpeed !== null ? ownSpeed : (store.standing?.speed ?? 1);
}

/**
 * Sets that speed. In the past it is this viewer's alone.
 * @param {number} value
 */
export function setSpeed(value) {
  if (!inPast()) return send({ do: 'speed', speed: value });
  ownSpeed = value;
  emit('playing', playing);
}

/** Start or pause: of the own view in the past, of everybody's clock at the live edge. */
export function playPause() {
  if (inPast()) return play(!playing);
  const is = store.standing?.is;
  if (is === 'running') send({ do: 'pause' });
  else if (is === 'ready' || is === 'paused') send({ do: 'start' });
}

/**
 * Plays the own view, or holds it.
 * @param {boolean} go
 */
export function play(go) {
  // At the end there is nothing left to play: it begins again, as a player of recordings does.
  if (go && isReplay() && store.view.at >= edge()) lookAt(0);
  if (go === playing) return;
  playing = go;
  ticked = sought = performance.now();
  exact = store.view.at;
  if (go) requestAnimationFrame(tick);
  emit('playing', playing);
}

/** @param {number} now */
function tick(now) {
  if (!playing) return;
  if (!inPast()) return play(false);
  const elapsed = Math.min(Math.max(now - ticked, 0), 1000) / 1000;
  ticked = now;
  // What has not been read yet is waited for.
  const most = isReplay() ? loaded() : Infinity;
  if (exact < most) exact = Math.min(exact + elapsed * (speed() || FASTEST), most);
  if (exact >= edge()) {
    play(false);
    toEdge();
    return;
  }
  if (now - sought >= SEEK_MS && store.link.state === 'open' && exact !== store.view.at) {
    sought = now;
    lookAt(exact);
  }
  requestAnimationFrame(tick);
}

/** To the live edge, or to the end of a recording. */
export function toEdge() {
  lookAt(isReplay() ? edge() : null);
}

/**
 * To a time; at or after the live edge that is the live edge.
 * @param {number} at
 */
export function goTo(at) {
  const time = Math.max(0, at);
  if (time >= edge()) toEdge();
  else lookAt(time);
}

/**
 * The number of lines at or before a time.
 * @param {number} at
 */
export function linesUpTo(at) {
  let low = 0,
    high = store.lines.length;
  while (low < high) {
    const middle = (low + high) >> 1;
    if (store.lines[middle].at <= at) low = middle + 1;
    else high = middle;
  }
  return low;
}

/** To the log line before the time that is shown. */
export function previousLine() {
  play(false);
  const at = shownTime();
  let index = linesUpTo(at) - 1;
  while (index >= 0 && store.lines[index].at >= at) index -= 1;
  goTo(index < 0 ? 0 : store.lines[index].at);
}

/** To the log line after the time that is shown. */
export function nextLine() {
  play(false);
  const line = store.lines[linesUpTo(store.view.at)];
  if (line) goTo(line.at);
  else toEdge();
}

/**
 * One step: of the run at the live edge, to the next line of the log in the past.
 * @param {Wire.StepBy} by
 */
export function step(by = 'event') {
  if (inPast()) return nextLine();
  const is = store.standing?.is;
  if (is === 'ready' || is === 'paused') send({ do: 'step', by });
}

on('newrun', (run) => {
  play(false);
  ownSpeed = null;
  reached = 0;
  // A recording opens at its beginning, not at its end.
  if (run?.source === 'replay') lookAt(0);
});
on('view', (view) => {
  if (view.live) play(false);
});
let awaited = false;
on('view', (view) => {
  awaited = isAwaited();
  // Whoever moves while it plays, by whatever means, goes on playing from there.
  if (!view.live) exact = view.at;
});
on('standing', (standing) => {
  if (!standing) return;
  reaches(standing.live_s);
  if (!isReplay() || !inPast()) return;
  if (standing.over && store.view.at > edge()) toEdge();
  // The server showed the last that it had read: now there is more.
  else if (awaited) lookAt(store.view.at);
});
on('frame', (frame) => {
  if (frame?.live) reaches(frame.at);
});
on('moment', (moment) => {
  if (moment?.live) reaches(moment.at);
});
on('lines', ({ added }) => {
  if (added.length) reaches(last(added).at);
});
