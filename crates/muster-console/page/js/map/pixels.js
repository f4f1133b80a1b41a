// Bodies without WebGL2: dots are written pixel by pixel, which is much faster than paths; shapes are drawn while there are few.

import { GLYPHS } from './glyphs.js';
import { brushOf } from '../dom.js';
import { LOOKS, SHAPE } from '../states.js';
import { numbersOf } from './palette.js';
import { headingOf, stateOf, xOf, yOf } from './poses.js';

const MOST_SHAPES = 400;

/** @implements {Page.Painter} */
export class Pixels {
  name = 'pixels';
  #canvas;
  #context;
  /** @type {ImageData | null} */
  #image = null;
  #words = new Uint32Array();
  /** @type {string[]} */
  #colours = [];
  /** @type {number[]} */
  #inks = [];
  #paths = GLYPHS.map(({ line, fill }) => ({ line: line && new Path2D(line), fill: fill && new Path2D(fill) }));

  /** @param {HTMLCanvasElement} canvas */
  constructor(canvas) {
    this.#canvas = canvas;
    this.#context = brushOf(canvas, { willReadFrequently: true });
  }

  /**
   * Colours of bodies by their shapes.
   * @param {string[]} inks
   */
  colour(inks) {
    this.#colours = inks;
    // The order of bytes in a word is that of the machine, which is little endian wherever browsers run.
    this.#inks = this.#colours.map((colour) => {
      const [red, green, blue] = numbersOf(colour).map((part) => Math.round(part * 255));
      return (0xff000000 | (blue << 16) | (green << 8) | red) >>> 0;
    });
  }

  /**
   * @param {number} width
   * @param {number} height
   */
  resize(width, height) {
    this.#canvas.width = width;
    this.#canvas.height = height;
    this.#image = this.#context.createImageData(width, height);
    this.#words = new Uint32Array(this.#image.data.buffer);
  }

  clear() {
    this.#context.clearRect(0, 0, this.#canvas.width, this.#canvas.height);
  }

  /** @param {Page.Picture} picture */
  draw({ frame, camera, radius, guestRadius, shapes, cars, guests, ratio }) {
    const count = frame.robots + (guests ? frame.guests : 0);
    if ((shapes || cars) && count <= MOST_SHAPES)
      return this.#shapes(frame, count, camera, radius, guestRadius, cars, ratio);
    this.#words.fill(0);
    for (let body = 0; body < count; body += 1) {
      const isRobot = body < frame.robots,
        shape = isRobot ? LOOKS[stateOf(body)].shape : SHAPE.guest;
      this.#dot(
        camera.toScreenX(xOf(body)) * ratio,
        camera.toScreenY(yOf(body)) * ratio,
        (isRobot ? radius : guestRadius) * ratio * (shape === SHAPE.waves ? 1.7 : 1),
        this.#inks[shape],
      );
    }
    if (this.#image) this.#context.putImageData(this.#image, 0, 0);
  }

  /**
   * @param {number} x
   * @param {number} y
   * @param {number} radius
   * @param {number} ink
   */
  #dot(x, y, radius, ink) {
    const width = this.#canvas.width,
      height = this.#canvas.height,
      words = this.#words;
    const first = Math.max(0, Math.ceil(y - radius)),
      last = Math.min(height - 1, Math.floor(y + radius));
    for (let row = first; row <= last; row += 1) {
      const half = Math.sqrt(radius * radius - (row - y) * (row - y));
      const left = Math.max(0, Math.ceil(x - half)),
        right = Math.min(width - 1, Math.floor(x + half));
      if (left <= right) words.fill(ink, row * width + left, row * width + right + 1);
    }
  }

  /**
   * @param {Page.Frame} frame
   * @param {number} count
   * @param {Page.Scene['camera']} camera
   * @param {number} radius
   * @param {number} guestRadius
   * @param {boolean} cars
   * @param {number} ratio
   */
  #shapes(frame, count, camera, radius, guestRadius, cars, ratio) {
    this.clear();
    const context = this.#context;
    for (let body = count - 1; body >= 0; body -= 1) {
      const isRobot = body < frame.robots,
        shape = isRobot ? LOOKS[stateOf(body)].shape : SHAPE.guest;
      const size = (isRobot ? radius : guestRadius) * ratio;
      context.save();
      context.translate(camera.toScreenX(xOf(body)) * ratio, camera.toScreenY(yOf(body)) * ratio);
      context.scale(size, size);
      context.fillStyle = context.strokeStyle = this.#colours[shape];
      context.lineWidth = Math.min(0.4, (2.8 * ratio) / size);
      if (cars || shape === SHAPE.guest) {
        context.beginPath();
        context.arc(0, 0, cars ? 1 : 0.85, 0, 2 * Math.PI);
        if (cars) context.fill();
        else context.stroke();
      } else {
        if (shape === SHAPE.nose) context.rotate(-headingOf(body));
        const { line, fill } = this.#paths[shape];
        if (fill) context.fill(fill);
        if (line) context.stroke(line);
      }
      context.restore();
    }
  }
}
