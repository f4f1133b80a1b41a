// Bodies by WebGL2: each frame goes to the graphics card as it came over the wire, once, and one call draws them all.

import { LOOK, FRAGMENT, VERTEX } from './shaders.js';
import { numbersOf } from './palette.js';

const BODY = 6;
// Where attributes are, see `shaders.js`.
const NOW = 0,
  BEFORE = 2,
  CORNER = 4;
// Points are much faster than squares where there is no graphics card, but how large they may be is up to the driver.
const LARGEST_POINT = 64;

/**
 * The painter of bodies for this canvas; null if there is no WebGL2.
 * @param {HTMLCanvasElement} canvas
 * @param {() => void} onRestored
 */
export function openGl(canvas, onRestored) {
  const gl = canvas.getContext('webgl2', {
    alpha: true,
    antialias: false,
    depth: true,
    premultipliedAlpha: true,
    powerPreference: 'high-performance',
  });
  if (!gl) return null;
  try {
    return new Bodies(canvas, gl, onRestored);
  } catch (error) {
    // A driver that does not take the shaders is as good as none.
    console.warn(error);
    return null;
  }
}

/** @typedef {{buffer: WebGLBuffer, size: number}} Lane */

/** @implements {Page.Painter} */
class Bodies {
  name = 'WebGL2';
  #canvas;
  #gl;
  /** @type {Record<string, WebGLUniformLocation | null>} */
  #at = {};
  /** @type {Lane[]} */
  #lanes = [];
  /** @type {boolean | null} */
  #points = null;
  /** @type {(Page.Frame | null)[]} */
  #onCard = [null, null];
  #colours = new Float32Array(21);
  #ground = [1, 1, 1];
  #shapeOf = new Int32Array(8);

  /**
   * @param {HTMLCanvasElement} canvas
   * @param {WebGL2RenderingContext} gl
   * @param {() => void} onRestored
   */
  constructor(canvas, gl, onRestored) {
    this.#canvas = canvas;
    this.#gl = gl;
    this.#prepare();
    canvas.addEventListener('webglcontextlost', (event) => event.preventDefault());
    canvas.addEventListener('webglcontextrestored', () => {
      this.#prepare();
      onRestored();
    });
  }

  #prepare() {
    const gl = this.#gl,
      program = gl.createProgram();
    for (const { kind, source } of [
      { kind: gl.VERTEX_SHADER, source: VERTEX },
      { kind: gl.FRAGMENT_SHADER, source: FRAGMENT },
    ]) {
      // Of a context that was lost; it is prepared again when it comes back.
      const shader = gl.createShader(kind);
      if (!shader) return;
      gl.shaderSource(shader, source);
      gl.compileShader(shader);
      gl.attachShader(program, shader);
      if (!gl.getShaderParameter(shader, gl.COMPILE_STATUS) && !gl.isContextLost())
        throw new Error(gl.getShaderInfoLog(shader) ?? 'a shader does not compile');
    }
    gl.linkProgram(program);
    if (!gl.getProgramParameter(program, gl.LINK_STATUS) && !gl.isContextLost())
      throw new Error(gl.getProgramInfoLog(program) ?? 'shaders do not fit together');
    gl.useProgram(program);
    this.#at = Object.fromEntries(
      [
        'spread',
        'origin',
        'pixel',
        'mixing',
        'radius',
        'guestRadius',
        'look',
        'robots',
        'points',
        'colours',
        'shapeOf',
        'ground',
        'line',
      ].map((name) => [name, gl.getUniformLocation(program, name)]),
    );
    const corners = gl.createBuffer();
    gl.bindBuffer(gl.ARRAY_BUFFER, corners);
    gl.bufferData(gl.ARRAY_BUFFER, new Int8Array([-1, -1, 1, -1, -1, 1, 1, 1]), gl.STATIC_DRAW);
    gl.vertexAttribPointer(CORNER, 2, gl.BYTE, false, 0, 0);
    for (let place = NOW; place < CORNER; place += 1) gl.enableVertexAttribArray(place);
    this.#points = null;
    this.#lanes = [
      { buffer: gl.createBuffer(), size: 0 },
      { buffer: gl.createBuffer(), size: 0 },
    ];
    this.#onCard = [null, null];
    gl.enable(gl.BLEND);
    gl.blendFunc(gl.ONE, gl.ONE_MINUS_SRC_ALPHA);
    gl.enable(gl.DEPTH_TEST);
    gl.depthFunc(gl.LEQUAL);
    gl.clearColor(0, 0, 0, 0);
  }

  /**
   * Colours of bodies by their shapes, and of the ground.
   * @param {string[]} inks
   * @param {string} ground
   */
  colour(inks, ground) {
    this.#colours.set(inks.flatMap(numbersOf));
    this.#ground = numbersOf(ground);
  }

  /**
   * @param {number} width
   * @param {number} height
   */
  resize(width, height) {
    this.#canvas.width = width;
    this.#canvas.height = height;
    this.#gl.viewport(0, 0, width, height);
  }

  clear() {
    this.#gl.clear(this.#gl.COLOR_BUFFER_BIT | this.#gl.DEPTH_BUFFER_BIT);
  }

  /**
   * Draws robots and, if asked, guests; `ratio` is device pixels for each pixel of the page.
   * @param {Page.Picture} picture
   */
  draw({ frame, before, mix, camera, bounds, shapeOf, radius, guestRadius, shapes, cars, guests, ratio }) {
    this.clear();
    const gl = this.#gl,
      at = this.#at;
    const now = this.#laneOf(frame),
      old = before ? this.#laneOf(before, frame) : now;
    this.#shape(Math.max(radius, guestRadius) * ratio * 4 <= LARGEST_POINT);
    this.#point(now, NOW);
    this.#point(old, BEFORE);
    const [left, bottom, right, top] = bounds;
    const perX = (2 * camera.scale) / camera.width,
      perY = (2 * camera.scale) / camera.height;
    gl.uniform2f(at.spread, (right - left) * perX, (top - bottom) * perY);
    gl.uniform2f(at.origin, (left - camera.x) * perX, (bottom - camera.y) * perY);
    gl.uniform2f(at.pixel, 2 / this.#canvas.width, 2 / this.#canvas.height);
    gl.uniform1f(at.mixing, before ? mix : 1);
    gl.uniform1f(at.radius, radius * ratio);
    gl.uniform1f(at.guestRadius, guestRadius * ratio);
    gl.uniform1f(at.line, Math.min(0.2, Math.max(0.05, 1.4 / radius)));
    gl.uniform1i(at.look, cars ? LOOK.cars : shapes ? LOOK.shapes : LOOK.dots);
    gl.uniform1i(at.robots, frame.robots);
    gl.uniform3fv(at.colours, this.#colours);
    this.#shapeOf.set(shapeOf);
    gl.uniform1iv(at.shapeOf, this.#shapeOf);
    gl.uniform3fv(at.ground, this.#ground);
    const count = frame.robots + (guests ? frame.guests : 0);
    if (this.#points) gl.drawArrays(gl.POINTS, 0, count);
    else gl.drawArraysInstanced(gl.TRIANGLE_STRIP, 0, 4, count);
  }

  /**
   * Bodies are points, or squares of four corners.
   * @param {boolean} points
   */
  #shape(points) {
    if (this.#points === points) return;
    this.#points = points;
    const gl = this.#gl;
    gl.uniform1i(this.#at.points, points ? 1 : 0);
    if (points) gl.disableVertexAttribArray(CORNER);
    else gl.enableVertexAttribArray(CORNER);
    for (let place = NOW; place < CORNER; place += 1) gl.vertexAttribDivisor(place, points ? 0 : 1);
  }

  /**
   * The buffer that holds a frame; it is uploaded if no buffer does, but never over the frame that is kept.
   * @param {Page.Frame} frame
   * @param {Page.Frame | null} [kept]
   */
  #laneOf(frame, kept = null) {
    const known = this.#onCard.indexOf(frame);
    if (known >= 0) return this.#lanes[known];
    const other = kept ? this.#onCard.indexOf(kept) : this.#newer();
    const lane = other === 0 ? 1 : 0;
    this.#onCard[lane] = frame;
    const gl = this.#gl,
      { buffer, size } = this.#lanes[lane];
    gl.bindBuffer(gl.ARRAY_BUFFER, buffer);
    if (size !== frame.wire.byteLength) {
      this.#lanes[lane].size = frame.wire.byteLength;
      gl.bufferData(gl.ARRAY_BUFFER, frame.wire, gl.DYNAMIC_DRAW);
    } else gl.bufferSubData(gl.ARRAY_BUFFER, 0, frame.wire);
    return this.#lanes[lane];
  }

  #newer() {
    const [a, b] = this.#onCard;
    return (a?.came ?? -1) >= (b?.came ?? -1) ? 0 : 1;
  }

  /**
   * @param {Lane} options
   * @param {number} place
   */
  #point({ buffer }, place) {
    const gl = this.#gl;
    gl.bindBuffer(gl.ARRAY_BUFFER, buffer);
    gl.vertexAttribPointer(place, 2, gl.UNSIGNED_SHORT, true, BODY, 0);
    gl.vertexAttribPointer(place + 1, 2, gl.UNSIGNED_BYTE, false, BODY, 4);
  }
}
