// The handshake, as it happens: a call is a wave and thin lines to those that heard it, a directed message a bow with an arrow
// head, a lost one is broken in the middle. They fade; while time stands still, or if the person wants calm, they stay as they
// are.

import { store } from '../store.js';
import { FAMILY_COLOURS } from './families.js';
import { writtenNames } from './labels.js';
import { isThere, xOf, yOf } from './poses.js';
import { wantsCalm } from './scene.js';

const FADE_MS = 1500;
const WAVE_MS = 900;
const MARK_MS = 2500;
// With more messages than this at once lines hide each other: calls are then short waves without lines to those that heard
// them, directed ones straight lines, and only messages of the selected robots are drawn in full.
const CROWD = 24;
const MOST = 80;
const SHORT_REACH = 42;
// Where a word may stand, above or below its place.
const SHIFTS = [0, -16, 16, -32];

/** @type {Map<number, {arc: Wire.Arc, came: number}>} */
const seen = new Map();
/** @type {Map<string, {mark: Wire.Mark, came: number}>} */
const seenMarks = new Map();

/**
 * @typedef {{x: number, y: number, half: number}} Spot where a word stands: its middle, and half its width
 * @typedef {{words: Spot[], names: Spot[]}} Written
 */

/** Forgets all messages. */
export function forgetArcs() {
  seen.clear();
  seenMarks.clear();
}

/**
 * Takes down when each message was first heard of.
 * @param {Wire.Moment} moment
 * @param {number} now
 */
export function hearArcs(moment, now) {
  for (const arc of moment.arcs) {
    const known = seen.get(arc.n);
    if (known) known.arc = arc;
    else seen.set(arc.n, { arc, came: now });
  }
  const marks = new Map(moment.marks.map((mark) => [`${mark.at} ${mark.robot} ${mark.kind} ${mark.task}`, mark]));
  for (const [key, mark] of marks) if (!seenMarks.has(key)) seenMarks.set(key, { mark, came: now });
  forgetOld(seen, new Set(moment.arcs.map(({ n }) => n)), now - FADE_MS);
  forgetOld(seenMarks, marks, now - MARK_MS);
}

/**
 * What the server still tells of is kept, however old: it must not appear as new once more.
 * @param {Map<any, {came: number}>} all
 * @param {{has: (key: any) => boolean}} told
 * @param {number} before
 */
function forgetOld(all, told, before) {
  for (const [key, { came }] of all) if (came < before && !told.has(key)) all.delete(key);
}

/** Time stands still: messages stay. */
export function isStill() {
  return wantsCalm() || !store.view.live || store.standing?.is !== 'running';
}

/**
 * What a robot did with messages lately: marks on it.
 * @param {number} robot
 */
export function marksOf(robot) {
  return shownMarks(performance.now())
    .map(({ mark }) => mark)
    .filter((mark) => mark.robot === robot);
}

/** @param {number} now */
function shownMarks(now) {
  if (isStill()) return (store.moment?.marks ?? []).map((mark) => ({ mark, came: now }));
  return [...seenMarks.values()].filter(({ came }) => now - came < MARK_MS);
}

/**
 * Draws all of them; true while any still fades.
 * @param {CanvasRenderingContext2D} context
 * @param {Page.Scene} scene
 * @param {number} now
 */
export function drawArcs(context, scene, now) {
  const still = isStill();
  /** @type {Written} */
  const written = { words: [], names: writtenNames(scene) };
  const arcs = still
    ? (store.moment?.arcs ?? []).map((arc) => ({ arc, came: 0 }))
    : [...seen.values()].filter(({ came }) => now - came < FADE_MS);
  const marks = shownMarks(now);
  const shown = arcs.slice(-MOST),
    crowded = shown.length > CROWD;
  context.font = `600 11px ${scene.palette.sans}`;
  context.textBaseline = 'middle';
  context.textAlign = 'center';
  context.lineJoin = context.lineCap = 'round';
  // What a robot says to everybody again and again is named once.
  const newest = new Map(shown.map(({ arc }) => [said(arc), arc]));
  // The newest on top.
  shown.forEach(({ arc, came }, index) => {
    const age = Math.max(0, now - came);
    const strength = still
      ? Math.max(0.4, 1 - 0.06 * (shown.length - 1 - index))
      : Math.min(1, 1.6 * (1 - age / FADE_MS));
    const grown = still ? 1 : Math.min(1, age / WAVE_MS);
    if (crowded && !isOfChosen(arc)) addBrief(scene, arc, strength, grown);
    else drawArc(context, scene, arc, strength, grown, written, newest.get(said(arc)) === arc ? arc.kind : '');
  });
  strokeBrief(context, scene.palette);
  for (const { mark, came } of marks.slice(-MOST))
    drawMark(context, scene, mark, Math.min(1, 2 * (1 - (now - came) / MARK_MS)));
  context.globalAlpha = 1;
  context.lineCap = 'butt';
  return !still && shown.length + marks.length > 0;
}

/** @param {Wire.Arc} arc */
const said = ({ from, to, kind, n }) => (to === null ? `${from} ${kind}` : n);

/** @param {Wire.Arc} arc */
function isOfChosen({ from, to }) {
  const { robots } = store.selection;
  return robots.has(from) || (to !== null && robots.has(to));
}

// In a crowd messages of one family and one strength are one path: many short strokes are slow.
/** @type {Map<string, Path2D>} */
const brief = new Map();

/**
 * @param {Page.Scene} scene
 * @param {Wire.Arc} arc
 * @param {number} strength
 * @param {number} grown
 */
function addBrief({ camera, radius }, arc, strength, grown) {
  if (!isThere(arc.from)) return;
  const key = `${FAMILY_COLOURS[arc.family]} ${Math.ceil(strength * 3) / 3}`;
  const path = brief.get(key) ?? new Path2D();
  brief.set(key, path);
  const x = camera.toScreenX(xOf(arc.from)),
    y = camera.toScreenY(yOf(arc.from));
  if (arc.to === null) {
    const reach = radius + 4 + (SHORT_REACH - radius) * easeOut(grown);
    path.moveTo(x + reach, y);
    path.arc(x, y, reach, 0, 2 * Math.PI);
  } else if (isThere(arc.to)) {
    const toX = camera.toScreenX(xOf(arc.to)),
      toY = camera.toScreenY(yOf(arc.to));
    path.moveTo(x, y);
    if (arc.lost) {
      // As far as the middle, where it ends in a cross.
      const midX = (x + toX) / 2,
        midY = (y + toY) / 2;
      path.lineTo(midX, midY);
      path.moveTo(midX - 4, midY - 4);
      path.lineTo(midX + 4, midY + 4);
      path.moveTo(midX - 4, midY + 4);
      path.lineTo(midX + 4, midY - 4);
    } else path.lineTo(toX, toY);
  }
}

/**
 * @param {CanvasRenderingContext2D} context
 * @param {Page.Palette} palette
 */
function strokeBrief(context, palette) {
  context.lineWidth = 1.25;
  for (const [key, path] of brief) {
    const [colour, strength] = key.split(' ');
    context.strokeStyle = palette[colour];
    context.globalAlpha = Number(strength);
    context.stroke(path);
  }
  brief.clear();
}

/**
 * @param {CanvasRenderingContext2D} context
 * @param {Page.Scene} scene
 * @param {Wire.Arc} arc
 * @param {number} strength
 * @param {number} grown
 * @param {Written} written
 * @param {string} word
 */
function drawArc(context, scene, arc, strength, grown, written, word) {
  if (!isThere(arc.from)) return;
  const { task } = store.selection;
  // With a task selected, talk about others steps back.
  const shown = task !== null && arc.task !== task && !isOfChosen(arc) ? strength * 0.25 : strength;
  context.globalAlpha = shown;
  context.strokeStyle = context.fillStyle = scene.palette[FAMILY_COLOURS[arc.family]];
  context.lineWidth = 2;
  if (arc.to === null) drawCall(context, scene, arc, shown, grown, word, written);
  else if (isThere(arc.to)) drawBow(context, scene, arc, arc.to, word, written);
}

/**
 * @param {CanvasRenderingContext2D} context
 * @param {Page.Scene} scene
 * @param {Wire.Arc} arc
 * @param {number} strength
 * @param {number} grown
 * @param {string} word
 * @param {Written} written
 */
function drawCall(context, { camera, palette, radius }, arc, strength, grown, word, written) {
  const x = camera.toScreenX(xOf(arc.from)),
    y = camera.toScreenY(yOf(arc.from));
  const reach = Math.max(SHORT_REACH, drawHearing(context, camera, arc.heard, x, y, radius, strength));
  context.lineWidth = 2;
  if (arc.lost) context.setLineDash([5, 6]);
  context.beginPath();
  context.arc(x, y, radius + 4 + (reach - radius) * easeOut(grown), 0, 2 * Math.PI);
  context.globalAlpha = strength * (grown < 1 ? 0.9 : 0.45);
  context.stroke();
  context.setLineDash([]);
  context.globalAlpha = strength;
  write(context, palette, word && arc.lost ? `${word} ×` : word, x, y - radius - 15, written);
}

/**
 * Thin lines to those that heard it; how far the furthest of them is.
 * @param {CanvasRenderingContext2D} context
 * @param {Page.Scene['camera']} camera
 * @param {number[]} heard
 * @param {number} x
 * @param {number} y
 * @param {number} radius
 * @param {number} strength
 */
function drawHearing(context, camera, heard, x, y, radius, strength) {
  let reach = 0;
  context.lineWidth = 1;
  context.globalAlpha = strength * 0.7;
  context.beginPath();
  for (const robot of heard) {
    if (!isThere(robot)) continue;
    const toX = camera.toScreenX(xOf(robot)),
      toY = camera.toScreenY(yOf(robot)),
      far = Math.hypot(toX - x, toY - y);
    reach = Math.max(reach, far);
    if (far < 2 * radius) continue;
    const skip = (radius + 2) / far;
    context.moveTo(x + (toX - x) * skip, y + (toY - y) * skip);
    context.quadraticCurveTo(
      (x + toX) / 2 - (toY - y) * 0.06,
      (y + toY) / 2 + (toX - x) * 0.06,
      toX - (toX - x) * skip,
      toY - (toY - y) * skip,
    );
  }
  context.stroke();
  return reach;
}

/** @param {number} part */
function easeOut(part) {
  return 1 - (1 - part) ** 2;
}

/**
 * @param {CanvasRenderingContext2D} context
 * @param {Page.Scene} scene
 * @param {Wire.Arc} arc
 * @param {number} to
 * @param {string} word
 * @param {Written} written
 */
function drawBow(context, { camera, palette, radius }, arc, to, word, written) {
  const fromX = camera.toScreenX(xOf(arc.from)),
    fromY = camera.toScreenY(yOf(arc.from));
  const toX = camera.toScreenX(xOf(to)),
    toY = camera.toScreenY(yOf(to));
  const far = Math.hypot(toX - fromX, toY - fromY);
  if (far < 4) return write(context, palette, word, fromX, fromY - radius - 15, written);
  // Answers bow to the other side than what they answer; those that follow each other bow more and less.
  const bow = 0.16 + 0.05 * (arc.n % 3);
  const midX = (fromX + toX) / 2 + (toY - fromY) * bow,
    midY = (fromY + toY) / 2 - (toX - fromX) * bow;
  /**
   * The point that belongs to two parts of the way: a point of the bow if they are the same, else what bends the stretch
   * between them.
   * @param {number} a
   * @param {number} b
   * @returns {Page.Point}
   */
  const between = (a, b) => [
    (1 - a) * (1 - b) * fromX + (a + b - 2 * a * b) * midX + a * b * toX,
    (1 - a) * (1 - b) * fromY + (a + b - 2 * a * b) * midY + a * b * toY,
  ];
  /** @param {number} part */
  const at = (part) => between(part, part);
  const skip = Math.min(0.35, (radius + 4) / far);
  context.beginPath();
  /** @type {Page.Point[]} */
  const stretches = arc.lost
    ? [
        [skip, 0.42],
        [0.58, 1 - skip],
      ]
    : [[skip, 1 - skip]];
  for (const [start, end] of stretches) {
    context.moveTo(...at(start));
    context.quadraticCurveTo(...between(start, end), ...at(end));
  }
  if (arc.lost) context.setLineDash([4, 5]);
  context.stroke();
  context.setLineDash([]);
  const [middleX, middleY] = at(0.5);
  if (arc.lost) cross(context, middleX, middleY, 4.5);
  else arrowHead(context, at(1 - skip - 0.02), at(1 - skip));
  const awayX = (midX - (fromX + toX) / 2) / (far * bow),
    awayY = (midY - (fromY + toY) / 2) / (far * bow);
  // Beside the cross, not on it.
  const away = arc.lost ? 12 + Math.abs(awayX) * (context.measureText(word).width / 2) + Math.abs(awayY) * 6 : 0;
  write(context, palette, word, middleX + awayX * away, middleY + awayY * away, written);
}

/**
 * @param {CanvasRenderingContext2D} context
 * @param {Page.Point} back
 * @param {Page.Point} tip
 */
function arrowHead(context, [backX, backY], [x, y]) {
  const angle = Math.atan2(y - backY, x - backX);
  context.beginPath();
  context.moveTo(x + 2 * Math.cos(angle), y + 2 * Math.sin(angle));
  for (const side of [2.6, -2.6]) context.lineTo(x + 10 * Math.cos(angle + side), y + 10 * Math.sin(angle + side));
  context.closePath();
  context.fill();
}

/**
 * @param {CanvasRenderingContext2D} context
 * @param {number} x
 * @param {number} y
 * @param {number} half
 */
function cross(context, x, y, half) {
  context.lineWidth = 2.25;
  context.beginPath();
  context.moveTo(x - half, y - half);
  context.lineTo(x + half, y + half);
  context.moveTo(x - half, y + half);
  context.lineTo(x + half, y - half);
  context.stroke();
}

/**
 * A word on a small plate of the ground's colour; it steps aside for those written before, or is left out.
 * @param {CanvasRenderingContext2D} context
 * @param {Page.Palette} palette
 * @param {string} word
 * @param {number} x
 * @param {number} y
 * @param {Written} written
 */
function write(context, palette, word, x, y, written) {
  if (!word) return;
  const half = context.measureText(word).width / 2 + 4;
  /**
   * @param {Spot[]} others
   * @param {number} shift
   */
  const clear = (others, shift) =>
    others.every((other) => Math.abs(other.x - x) > other.half + half || Math.abs(other.y - (y + shift)) > 15);
  const spots = SHIFTS.filter((shift) => clear(written.words, shift));
  // Beside names if there is room, else over one: what is said counts for more, and fades.
  const free = spots.find((shift) => clear(written.names, shift)) ?? spots[0];
  if (free === undefined) return;
  written.words.push({ x, y: y + free, half });
  const colour = context.fillStyle;
  context.fillStyle = palette.ground;
  context.beginPath();
  context.roundRect(x - half, y + free - 8, 2 * half, 16, 4);
  context.fill();
  context.fillStyle = colour;
  context.fillText(word, x, y + free + 0.5);
}

/**
 * @param {CanvasRenderingContext2D} context
 * @param {Page.Scene} scene
 * @param {Wire.Mark} mark
 * @param {number} strength
 */
function drawMark(context, { camera, palette, radius }, { robot }, strength) {
  if (!isThere(robot)) return;
  const x = camera.toScreenX(xOf(robot)) + radius + 3,
    y = camera.toScreenY(yOf(robot)) - radius - 3;
  context.globalAlpha = strength;
  context.fillStyle = palette.ground;
  context.beginPath();
  context.arc(x, y, 7, 0, 2 * Math.PI);
  context.fill();
  context.strokeStyle = palette.vermilion;
  cross(context, x, y, 3.5);
}
