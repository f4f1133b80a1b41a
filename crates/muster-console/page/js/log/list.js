// The lines that are in sight. There may be a hundred thousand; only as many rows exist as fit, and they are used again.

import { clock, el, hit } from '../dom.js';
import { setShape, shapeOf } from '../kinds.js';
import { lineName, store } from '../store.js';

const ROW_PX = 24;

/**
 * @typedef {object} Tell
 * @property {(n: number) => void} look a line was chosen
 * @property {(n: number) => void} moved the cursor is on a line
 * @property {() => void} strayed a person scrolled away from what is followed
 * @property {() => void} caughtUp a person scrolled to the newest line
 */

/**
 * @typedef {object} Row
 * @property {HTMLElement} element
 * @property {HTMLElement} time
 * @property {SVGElement} shape
 * @property {HTMLElement} robot
 * @property {HTMLElement} text
 * @property {Page.Line | null} line
 * @property {number | null} n
 * @property {number | null} place
 * @property {string} size
 * @property {string} look
 */

export class List {
  #filter;
  #tell;
  /** @type {Row[]} */
  #rows = [];
  #height = 0;
  #scrolledTo = 0;
  /** @type {number | null} */
  #cursor = null;
  /** @type {number | null} */
  #now = null;
  #due = 0;
  /**
   * The line that is kept in sight; null: the newest; undefined: none is.
   * @type {number | null | undefined}
   */
  followed = undefined;

  /**
   * @param {import('./filter.js').Filter} filter
   * @param {Tell} tell
   */
  constructor(filter, tell) {
    this.#filter = filter;
    this.#tell = tell;
    this.space = el('div', { class: 'log-space', role: 'presentation' });
    this.element = el(
      'div',
      { class: 'log-list', role: 'listbox', tabindex: 0, 'aria-label': 'Lines of the log' },
      this.space,
    );
    this.element.addEventListener('scroll', () => this.#scrolled(), { passive: true });
    this.element.addEventListener('keydown', (event) => this.#pressed(event));
    this.element.addEventListener('click', (event) => {
      const row = hit(event, '.log-row');
      if (row) this.#choose(Number(row.dataset.place), true);
    });
    new ResizeObserver(([{ contentRect }]) => {
      this.#height = contentRect.height;
      if (this.followed !== undefined) this.follow(this.followed);
      this.changed();
    }).observe(this.element);
  }

  /** The lines have changed: what is in sight is drawn again, once a frame. */
  changed() {
    this.#due ||= requestAnimationFrame(() => {
      this.#due = 0;
      this.#draw();
    });
  }

  /** Nothing is chosen any more. */
  forget() {
    this.#cursor = null;
    this.#now = null;
    this.changed();
  }

  /**
   * Lines after this one have not happened yet for this viewer; null: all have.
   * @param {number | null} n
   */
  setNow(n) {
    if (n === this.#now) return;
    this.#now = n;
    this.changed();
  }

  /**
   * Brings that line into sight; null: the newest.
   * @param {number | null} n
   */
  follow(n) {
    this.followed = n;
    const { passing } = this.#filter;
    const total = passing.length * ROW_PX;
    this.#stretch(total);
    let top = this.element.scrollTop;
    if (n === null) top = total - this.#height;
    else {
      const at = this.#filter.placeOf(n) * ROW_PX;
      // Not at the very edge: some of what comes next is seen, too.
      if (at < top || at + 3 * ROW_PX > top + this.#height) top = at - this.#height * 0.6;
    }
    this.#scrollTo(Math.max(0, Math.min(top, total - this.#height)));
    this.changed();
  }

  /** @param {number} top */
  #scrollTo(top) {
    if (Math.abs(this.element.scrollTop - top) < 1) return;
    this.element.scrollTop = top;
    this.#scrolledTo = this.element.scrollTop;
  }

  #scrolled() {
    const top = this.element.scrollTop;
    this.changed();
    // Only what a person does counts, not what following did.
    if (Math.abs(top - this.#scrolledTo) < 2) return;
    const up = top < this.#scrolledTo;
    this.#scrolledTo = top;
    const atEnd = top + this.#height >= this.#filter.passing.length * ROW_PX - ROW_PX / 2;
    if (this.#now === null && atEnd) {
      if (!up) this.#tell.caughtUp();
    } else if (up || this.#now !== null) this.#stray();
  }

  #stray() {
    this.followed = undefined;
    this.#tell.strayed();
  }

  /**
   * @param {number} place
   * @param {boolean} look
   */
  #choose(place, look) {
    const { passing } = this.#filter;
    if (!passing.length) return;
    const to = Math.min(Math.max(place, 0), passing.length - 1);
    this.#cursor = passing[to];
    const at = to * ROW_PX,
      top = this.element.scrollTop;
    if (at < top || at + ROW_PX > top + this.#height) {
      this.#stray();
      this.#scrollTo(at < top ? at : at + ROW_PX - this.#height);
    }
    this.#draw();
    if (look) this.#tell.look(this.#cursor);
    else {
      this.#stray();
      this.#tell.moved(this.#cursor);
    }
  }

  /** @param {KeyboardEvent} event */
  #pressed(event) {
    const { passing } = this.#filter;
    const page = Math.max(1, Math.floor(this.#height / ROW_PX) - 1);
    const from =
      this.#cursor === null ? this.#filter.placeOf(this.#now ?? Infinity) : this.#filter.placeOf(this.#cursor);
    const first = this.#cursor === null ? from : undefined;
    const to = {
      ArrowDown: first ?? from + 1,
      ArrowUp: first ?? from - 1,
      PageDown: from + page,
      PageUp: from - page,
      Home: 0,
      End: passing.length - 1,
      Enter: from,
    }[event.key];
    if (to === undefined || event.ctrlKey || event.altKey || event.metaKey) return;
    event.preventDefault();
    this.#choose(to, event.key === 'Enter');
  }

  /** @param {number} total */
  #stretch(total) {
    const height = `${total}px`;
    if (this.space.style.height !== height) this.space.style.height = height;
  }

  #draw() {
    const { passing } = this.#filter;
    this.#stretch(passing.length * ROW_PX);
    const first = Math.max(0, Math.floor(this.element.scrollTop / ROW_PX) - 2);
    const wanted = Math.min(passing.length - first, Math.ceil(this.#height / ROW_PX) + 5);
    while (this.#rows.length < wanted) this.#rows.push(this.#row());
    // A line keeps its row while it is in sight, so that scrolling by one changes one row.
    const size = this.#rows.length;
    for (let offset = 0; offset < size; offset += 1) {
      const place = first + ((offset - (first % size) + size) % size);
      this.#put(this.#rows[offset], place < first + wanted ? place : -1);
    }
    const here = this.#cursor !== null && passing[this.#filter.placeOf(this.#cursor)] === this.#cursor;
    const shown = here && this.#rows.some((row) => row.n === this.#cursor && !row.element.hidden);
    if (shown) this.element.setAttribute('aria-activedescendant', `line-${this.#cursor}`);
    else this.element.removeAttribute('aria-activedescendant');
  }

  /** @returns {Row} */
  #row() {
    const parts = {
      time: el('span', { class: 'log-time' }),
      shape: shapeOf('note'),
      robot: el('span', { class: 'log-robot' }),
      text: el('span', { class: 'log-text' }),
    };
    const element = el(
      'div',
      { class: 'log-row', role: 'option', 'aria-selected': 'false', hidden: true },
      parts.time,
      parts.shape,
      parts.robot,
      parts.text,
    );
    this.space.append(element);
    return { element, ...parts, line: null, n: null, place: null, size: '', look: '' };
  }

  /**
   * @param {Row} row
   * @param {number} place
   */
  #put(row, place) {
    if (place < 0) {
      if (!row.element.hidden) row.element.hidden = true;
      row.n = row.place = null;
      return;
    }
    const n = this.#filter.passing[place];
    const line = store.lines[n];
    if (row.line !== line) {
      row.n = n;
      row.line = line;
      row.time.textContent = clock(line.at);
      setShape(row.shape, line.kind);
      row.robot.textContent = lineName(line);
      row.text.textContent = line.text;
      row.element.id = `line-${n}`;
      row.element.title = `${line.kind}: ${line.text}`;
    }
    row.n = n;
    if (row.place !== place) {
      row.place = place;
      row.element.dataset.place = String(place);
      row.element.style.transform = `translateY(${place * ROW_PX}px)`;
      row.element.setAttribute('aria-posinset', String(place + 1));
    }
    const size = String(this.#filter.passing.length);
    if (row.size !== size) row.element.setAttribute('aria-setsize', (row.size = size));
    const chosen = n === this.#cursor;
    const later = this.#now !== null && n > this.#now,
      now = this.#now !== null && n === this.#now;
    const look = ['log-row', chosen && 'log-chosen', later && 'log-later', now && 'log-now'].filter(Boolean).join(' ');
    if (row.look !== look) {
      row.element.className = row.look = look;
      row.element.setAttribute('aria-selected', String(chosen));
    }
    if (row.element.hidden) row.element.hidden = false;
  }
}
