// Where the map looks: a place in the middle, and how many pixels a unit of the field is. North is up.

const NEAREST = 300;
const FURTHEST = 0.25;
// How much of the way to its goal the camera still has to go after this time is 1/e.
const SETTLE_MS = 70;

/** @typedef {{x: number, y: number, scale: number}} Goal */

export class Camera {
  width = 1;
  height = 1;
  x = 0;
  y = 0;
  scale = 1;
  /** The scale at which everything is in sight: the measure for how near and how far one may go. */
  fitted = 1;
  /** @type {Goal | null} */
  #goal = null;
  /** @type {{x: number, y: number} | null} */
  #anchor = null;
  #last = 0;

  /**
   * Where a place is on the screen.
   * @param {number} x
   */
  toScreenX(x) {
    return (x - this.x) * this.scale + this.width / 2;
  }
  /** @param {number} y */
  toScreenY(y) {
    return this.height / 2 - (y - this.y) * this.scale;
  }

  /**
   * What place is there on the screen.
   * @param {number} x
   */
  toFieldX(x) {
    return (x - this.width / 2) / this.scale + this.x;
  }
  /** @param {number} y */
  toFieldY(y) {
    return (this.height / 2 - y) / this.scale + this.y;
  }

  get moves() {
    return this.#goal !== null;
  }

  /**
   * @param {number} width
   * @param {number} height
   */
  resize(width, height) {
    this.width = Math.max(1, width);
    this.height = Math.max(1, height);
  }

  /**
   * Shows all of a box: [left, bottom, right, top].
   * @param {Wire.Run['bounds']} box
   */
  fit([left, bottom, right, top], { glide = false } = {}) {
    const roomX = Math.max(40, this.width - 88),
      roomY = Math.max(40, this.height - 60);
    this.fitted = Math.min(roomX / Math.max(right - left, 1e-6), roomY / Math.max(top - bottom, 1e-6));
    this.#aim({ x: (left + right) / 2, y: (bottom + top) / 2, scale: this.fitted }, null, glide);
  }

  /**
   * Moves by pixels of the screen, at once or gliding.
   * @param {number} right
   * @param {number} up
   */
  pan(right, up, { glide = false } = {}) {
    const from = this.#goal ?? this;
    this.#aim({ x: from.x + right / from.scale, y: from.y + up / from.scale, scale: from.scale }, null, glide);
  }

  /**
   * Goes nearer (factor above 1) or further, keeping what is at this point of the screen where it is.
   * @param {number} factor
   */
  zoom(factor, atX = this.width / 2, atY = this.height / 2, { glide = false } = {}) {
    const anchor = { x: this.toFieldX(atX), y: this.toFieldY(atY) };
    const wanted = (this.#goal?.scale ?? this.scale) * factor;
    const scale = Math.min(this.fitted * NEAREST, Math.max(this.fitted * FURTHEST, wanted));
    const shrink = this.scale / scale;
    this.#aim(
      { x: anchor.x + (this.x - anchor.x) * shrink, y: anchor.y + (this.y - anchor.y) * shrink, scale },
      anchor,
      glide,
    );
  }

  /**
   * Keeps a place in the middle; if the scale is changing, it goes on doing so.
   * @param {number} x
   * @param {number} y
   */
  centre(x, y) {
    this.x = x;
    this.y = y;
    if (!this.#goal) return;
    this.#goal = { x, y, scale: this.#goal.scale };
    this.#anchor = null;
  }

  /**
   * Whether a place is in sight.
   * @param {number} x
   * @param {number} y
   */
  sees(x, y) {
    const atX = this.toScreenX(x),
      atY = this.toScreenY(y);
    return atX >= 0 && atY >= 0 && atX <= this.width && atY <= this.height;
  }

  /**
   * Moves just so far that a place is well in sight.
   * @param {number} x
   * @param {number} y
   */
  reveal(x, y, { glide = false } = {}) {
    const from = this.#goal ?? this;
    const roomX = Math.max(0, this.width / 2 - 60) / from.scale,
      roomY = Math.max(0, this.height / 2 - 60) / from.scale;
    const toX = Math.min(x + roomX, Math.max(x - roomX, from.x)),
      toY = Math.min(y + roomY, Math.max(y - roomY, from.y));
    if (toX !== from.x || toY !== from.y) this.#aim({ x: toX, y: toY, scale: from.scale }, null, glide);
  }

  /**
   * @param {Goal} goal
   * @param {{x: number, y: number} | null} anchor
   * @param {boolean} glide
   */
  #aim(goal, anchor, glide) {
    this.#anchor = anchor;
    if (glide) {
      if (!this.#goal) this.#last = 0;
      this.#goal = goal;
    } else {
      this.#goal = null;
      this.x = goal.x;
      this.y = goal.y;
      this.scale = goal.scale;
    }
  }

  /**
   * Goes some of the way to its goal; true if it moved.
   * @param {number} now
   */
  step(now) {
    if (!this.#goal) return false;
    const goal = this.#goal,
      passed = this.#last ? Math.min(100, now - this.#last) : 16;
    this.#last = now;
    const part = 1 - Math.exp(-passed / SETTLE_MS);
    const scale = this.scale * (goal.scale / this.scale) ** part;
    if (this.#anchor) {
      // What the pointer points at stays under it on the way, too.
      this.x = this.#anchor.x + (this.x - this.#anchor.x) * (this.scale / scale);
      this.y = this.#anchor.y + (this.y - this.#anchor.y) * (this.scale / scale);
    } else {
      this.x += (goal.x - this.x) * part;
      this.y += (goal.y - this.y) * part;
    }
    this.scale = scale;
    const restPx = Math.max(Math.abs(goal.x - this.x), Math.abs(goal.y - this.y)) * scale;
    if (restPx < 0.3 && Math.abs(Math.log(goal.scale / scale)) < 0.001) {
      this.x = goal.x;
      this.y = goal.y;
      this.scale = goal.scale;
      this.#goal = null;
    }
    return true;
  }
}
