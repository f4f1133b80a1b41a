// The plan view: three canvases, one over the other (ground, bodies, overlay), drawn only when something changed or moves.
// Parts are below map/; what they share is in map/scene.js.

import { brushOf, el, svg } from './dom.js';
import { LOOKS } from './states.js';
import { on, onEach, put, robotName, store } from './store.js';
import { showTests } from './testing.js';
import { forgetArcs, hearArcs } from './map/arcs.js';
import { isCars } from './map/cars.js';
import { listenToPointer } from './map/gestures.js';
import { openGl } from './map/gl.js';
import { drawGround } from './map/ground.js';
import { listenToKeys } from './map/keyboard.js';
import { forgetLabels, settleLabels } from './map/labels.js';
import { makeLegend } from './map/legend.js';
import { makeMeter, tookSince } from './map/meter.js';
import { drawOverlay } from './map/overlay.js';
import { inksOf, readPalette } from './map/palette.js';
import { pickAt } from './map/pick.js';
import { Pixels } from './map/pixels.js';
import * as poses from './map/poses.js';
import { gliding, onStale, outdate, scene, takeStale, wantsCalm } from './map/scene.js';
import { lettersRadius, radiusOf, SHAPES_FROM } from './map/size.js';
import { describe, makeTip } from './map/tip.js';
import { forgetTrails, hasTrails, recordTrails } from './map/trails.js';

const LABEL =
  'Plan view. Arrow keys move the view, plus and minus zoom, 0 shows everything. Shift with an arrow moves a cursor to the next robot, ' +
  'Enter selects it, f follows it, n and p go through all robots. The lists of robots and tasks hold the same as text.';

const CATCH_UP_MS = 90;

const { camera } = scene;
/** @type {HTMLElement} */
let view;
/** @type {HTMLCanvasElement} */
let ground;
/** @type {HTMLCanvasElement} */
let bodies;
/** @type {HTMLCanvasElement} */
let overlay;
/** @type {Page.Painter} */
let painter;
/** @type {ReturnType<typeof makeTip>} */
let tip;
/** @type {ReturnType<typeof makeLegend>} */
let legend;
/** @type {HTMLElement} */
let spoken;
/** @type {HTMLElement} */
let follows;
/** @type {{x: number, y: number} | null} */
let pointer = null;
// How far the view was from the robot when it began to follow it. @type {{x: number, y: number, since: number}|null}
/** @type {{x: number, y: number, since: number} | null} */
let lag = null;
let asked = 0;
// A new run is fitted when its first poses come, unless the person has moved the view by then.
let fitting = false;
// Until the person moves the view, it shows everything, whatever size the map gets.
let untouched = true;

/**
 * Builds the map in its section.
 * @param {HTMLElement} element
 */
export function mount(element) {
  /** @param {string} role */
  const canvas = (role) => el('canvas', { 'data-role': role, 'aria-hidden': 'true' });
  ground = canvas('ground');
  bodies = canvas('bodies');
  overlay = canvas('overlay');
  tip = makeTip();
  legend = makeLegend();
  spoken = el('p', { class: 'map-spoken', role: 'status' });
  follows = el('button', {
    type: 'button',
    class: 'map-follow',
    hidden: true,
    onclick: () => {
      put('follow', null);
      view.focus();
    },
  });
  const drawn = openGl(bodies, () => outdate());
  // A canvas that was asked for WebGL may not give anything else any more.
  if (!drawn) bodies = canvas('bodies');
  painter = drawn ?? new Pixels(bodies);
  view = el(
    'div',
    { class: 'map-view', tabindex: 0, role: 'application', 'aria-label': LABEL },
    ground,
    bodies,
    overlay,
  );
  const meter = makeMeter(painter.name);
  const note =
    painter instanceof Pixels &&
    el('p', { class: 'map-note' }, 'Drawn without WebGL2: simpler, and slower with many robots.');
  element.append(
    el(
      'div',
      { class: 'map-frame' },
      view,
      zoomButtons(),
      follows,
      meter.element,
      note || '',
      tip.element,
      legend.panel,
    ),
    legend.strip,
    spoken,
  );

  new ResizeObserver(resize).observe(view);
  awaitRatio();
  listenToPointer(view, { touched, pointed, left });
  listenToKeys(view, { say, fit: () => fit(gliding()), touched, toggleMeter: meter.toggle, describe });
  listenToStore(element);
  onStale(wake);
  retint(element);
  resize();
  showTests({ __map: { positions } });
}

function zoomButtons() {
  /** @param {string} d */
  const sign = (d) =>
    svg(
      'svg',
      { viewBox: '0 0 16 16', width: 16, height: 16, 'aria-hidden': 'true' },
      svg('path', { d, fill: 'none', stroke: 'currentColor', 'stroke-width': 1.75 }),
    );
  /**
   * @param {string} label
   * @param {string} d
   * @param {() => void} run
   */
  const button = (label, d, run) =>
    el('button', { type: 'button', 'aria-label': label, title: label, onclick: run }, sign(d));
  /** @param {number} factor */
  const zoom = (factor) => {
    if (store.follow === null) touched();
    camera.zoom(factor, undefined, undefined, gliding());
    outdate();
  };
  return el(
    'div',
    { class: 'map-zoom' },
    button('Zoom in (+)', 'M8 3v10M3 8h10', () => zoom(1.4)),
    button('Zoom out (-)', 'M3 8h10', () => zoom(1 / 1.4)),
    button('Show everything (0)', 'M2.5 6v-3.5h3.5M10 2.5h3.5v3.5M13.5 10v3.5h-3.5M6 13.5h-3.5v-3.5', () =>
      fit(gliding()),
    ),
  );
}

/** @param {HTMLElement} element */
function listenToStore(element) {
  on('newrun', (run) => {
    forgetArcs();
    forgetTrails();
    forgetLabels();
    scene.hover = scene.cursor = null;
    if (store.follow !== null) put('follow', null);
    poses.take();
    fitting = true;
    if (run) fitField(run);
    outdate();
  });
  on('frame', (frame) => {
    poses.take();
    if (!frame) return outdate();
    if (fitting) fit();
    if (store.run) recordTrails(frame, store.run);
    if (pointer) point();
    outdate('bodies', 'overlay');
    if (store.layers.trails && hasTrails()) outdate('ground');
  });
  on('moment', (moment) => {
    if (moment) hearArcs(moment, performance.now());
    outdate('ground', 'overlay');
    point();
  });
  on('selection', (selection) => {
    reveal(selection);
    settleLabels();
    outdate();
  });
  on('layers', () => {
    settleLabels();
    outdate();
  });
  onEach(['standing', 'view'], () => outdate('overlay'));
  on('layout', () => retint(element));
  on('theme', () => retint(element));
  on('follow', (robot) => {
    follows.hidden = robot === null;
    if (robot !== null) {
      follows.textContent = `Following ${robotName(robot)} – stop (f)`;
      lag =
        poses.isThere(robot) && !wantsCalm()
          ? { x: camera.x - poses.xOf(robot), y: camera.y - poses.yOf(robot), since: performance.now() }
          : null;
    }
    outdate();
  });
}

/**
 * Reads the colours anew: the theme or the layout is another.
 * @param {HTMLElement} element
 */
function retint(element) {
  scene.cars = isCars();
  element.classList.toggle('cars', scene.cars);
  const palette = (scene.palette = readPalette(element));
  painter.colour(inksOf(palette, scene.cars), palette.ground);
  forgetLabels();
  outdate();
}

/** Calls `resize` when the window goes to a screen of another density, once: the next call asks for the next change. */
function awaitRatio() {
  matchMedia(`(resolution: ${window.devicePixelRatio}dppx)`).addEventListener(
    'change',
    () => {
      awaitRatio();
      resize();
    },
    { once: true },
  );
}

function resize() {
  const width = view.clientWidth,
    height = view.clientHeight;
  scene.ratio = Math.min(3, window.devicePixelRatio || 1);
  camera.resize(width, height);
  for (const canvas of [ground, overlay]) {
    canvas.width = Math.round(width * scene.ratio);
    canvas.height = Math.round(height * scene.ratio);
  }
  painter.resize(Math.max(1, Math.round(width * scene.ratio)), Math.max(1, Math.round(height * scene.ratio)));
  if (store.run && untouched) fit();
  // At once: a canvas that changes its size is empty until it is drawn.
  outdate();
  draw(performance.now());
}

/** The person has moved the view: it is theirs now. */
function touched() {
  untouched = fitting = false;
  if (store.follow !== null) put('follow', null);
}

/** @param {Wire.Run} run */
function fitField({ field }) {
  untouched = true;
  camera.fit([0, 0, field.width, field.height]);
}

/** Shows the field, and the robots beyond it. */
function fit(how = {}) {
  if (!store.run) return;
  let left = 0,
    bottom = 0,
    { width: right, height: top } = store.run.field;
  for (let robot = 0; robot < poses.robotCount(); robot += 1) {
    const x = poses.xOf(robot),
      y = poses.yOf(robot);
    left = Math.min(left, x);
    right = Math.max(right, x);
    bottom = Math.min(bottom, y);
    top = Math.max(top, y);
  }
  fitting = false;
  untouched = true;
  if (store.follow !== null) put('follow', null);
  camera.fit([left, bottom, right, top], how);
  outdate();
}

/**
 * What was chosen elsewhere, in a list or in the log, comes into sight.
 * @param {Page.Selection} selection
 */
function reveal({ robots, task }) {
  const [robot] = robots,
    spot =
      robots.size === 1 && poses.isThere(robot)
        ? { x: poses.xOf(robot), y: poses.yOf(robot) }
        : robots.size === 0 && task !== null
          ? store.moment?.tasks?.find((one) => one.task === task)
          : null;
  if (!spot || store.follow !== null || camera.sees(spot.x, spot.y)) return;
  touched();
  camera.reveal(spot.x, spot.y, gliding());
}

/** @param {string} words */
function say(words) {
  spoken.textContent = words;
}

/**
 * The pointer is there.
 * @param {number} x
 * @param {number} y
 */
function pointed(x, y) {
  pointer = { x, y };
  point();
}

/** The pointer is nowhere on the map. */
function left() {
  pointer = null;
  point();
}

/** Says what is under the pointer: things move under it, too. */
function point() {
  const target =
    pointer && store.run && !view.classList.contains('is-held') ? pickAt(pointer.x, pointer.y, scene) : null;
  if (target?.robot !== scene.hover?.robot || target?.task !== scene.hover?.task) {
    scene.hover = target;
    view.classList.toggle('is-over', target !== null);
    settleLabels();
    outdate('ground', 'overlay');
  }
  tip.show(target, pointer?.x ?? 0, pointer?.y ?? 0, camera.width, camera.height);
  const digits = camera.scale > 30 ? 2 : camera.scale > 3 ? 1 : 0;
  legend.point(
    pointer && store.run
      ? `x ${camera.toFieldX(pointer.x).toFixed(digits)}  y ${camera.toFieldY(pointer.y).toFixed(digits)} ${store.run.field.unit}`
      : '',
  );
}

function wake() {
  if (!asked) asked = requestAnimationFrame(draw);
}

/** @param {number} now */
function draw(now) {
  cancelAnimationFrame(asked);
  asked = 0;
  const began = performance.now();
  const gliding = poses.step(now);
  const moved = [camera.step(now), followRobot(now)].includes(true);
  if (store.run) size(store.run);
  if (takeStale('ground') || moved) drawGround(brushOf(ground), scene);
  if (takeStale('bodies') || moved || gliding) drawBodies();
  let fading = false;
  if (takeStale('overlay') || moved || gliding) fading = drawOverlay(brushOf(overlay), scene, now);
  tookSince(began);
  if (moved && pointer) point();
  if (camera.moves || lag) outdate();
  else if (gliding) outdate('bodies', 'overlay');
  else if (fading) outdate('overlay');
}

/**
 * Keeps the robot that is followed in the middle, catching up with it first; true if the view moved.
 * @param {number} now
 */
function followRobot(now) {
  if (store.follow === null || !poses.isThere(store.follow)) {
    lag = null;
    return false;
  }
  const { x, y } = camera;
  const rest = lag ? Math.exp(-Math.max(0, now - lag.since) / CATCH_UP_MS) : 0;
  if (rest < 0.005) lag = null;
  camera.centre(poses.xOf(store.follow) + (lag?.x ?? 0) * rest, poses.yOf(store.follow) + (lag?.y ?? 0) * rest);
  return x !== camera.x || y !== camera.y;
}

/** @param {Wire.Run} run */
function size(run) {
  scene.radius = scene.cars ? lettersRadius(run, camera) : radiusOf(run, poses.robotCount(), camera);
  scene.guestRadius = Math.max(2.5, run.body > 0 ? (run.body / 2) * camera.scale : scene.radius * 0.8);
}

function drawBodies() {
  const { frame, before } = poses.frames();
  if (!frame || !store.run) return painter.clear();
  painter.draw({
    frame,
    before,
    mix: poses.mix,
    camera,
    bounds: store.run.bounds,
    shapeOf: store.run.states.map((state) => LOOKS[state].shape),
    radius: scene.radius,
    guestRadius: scene.guestRadius,
    shapes: scene.radius >= SHAPES_FROM,
    cars: scene.cars,
    guests: store.layers.guests,
    ratio: scene.ratio,
  });
}

/** Where robots are in the window, in the order of their numbers: what tests click on. */
export function positions() {
  const { left, top } = view.getBoundingClientRect();
  return Array.from({ length: poses.robotCount() }, (_, robot) => ({
    robot,
    x: left + camera.toScreenX(poses.xOf(robot)),
    y: top + camera.toScreenY(poses.yOf(robot)),
  }));
}
