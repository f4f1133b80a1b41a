// The drawing of the timeline: one tick for each pixel at most, the weightiest kind first.

import { brushOf } from '../dom.js';
import { KINDS, looksOf } from '../kinds.js';

const RULER_PX = 13;
const STEPS_S = [0.1, 0.2, 0.5, 1, 2, 5, 10, 15, 30, 60, 120, 300, 600, 900, 1800, 3600, 7200, 14400, 28800, 86400];

export class Ticks {
  #canvas;
  #context;
  /** @type {Record<string, string>} */
  #colours = {};
  /** @type {(Wire.LineKind | null)[]} */
  #columns = [];
  #known = '';

  /** @param {HTMLCanvasElement} canvas */
  constructor(canvas) {
    this.#canvas = canvas;
    this.#context = brushOf(canvas);
    this.readColours();
  }

  /** The colours of the theme that holds now. */
  readColours() {
    const style = getComputedStyle(document.documentElement);
    /** @param {string} token */
    const read = (token) => style.getPropertyValue(token).trim();
    this.#colours = {
      line: read('--line'),
      edge: read('--edge'),
      soft: read('--soft'),
      text: read('--text'),
      accent: read('--accent'),
      sunk: read('--sunk'),
      raised: read('--raised'),
      font: read('--sans'),
    };
    for (const [kind, { colour }] of Object.entries(KINDS)) this.#colours[kind] = read(colour);
  }

  /**
   * Which kind of line is seen in each column. Worked out again only when lines, end or width have changed.
   * @param {Page.Line[]} lines
   * @param {number} end
   * @param {number} width
   */
  #fill(lines, end, width) {
    const known = `${lines.length} ${end} ${width} ${lines[0]?.at}`;
    if (known === this.#known) return;
    this.#known = known;
    this.#columns = new Array(width + 1).fill(null);
    if (end <= 0) return;
    for (const { at, kind } of lines) {
      const column = Math.round((at / end) * width);
      const there = this.#columns[column];
      if (!there || looksOf(there).height < looksOf(kind).height) this.#columns[column] = kind;
    }
  }

  /** @param {{end: number, at: number, lines: Page.Line[], past: boolean}} options */
  draw({ end, at, lines, past }) {
    const canvas = this.#canvas,
      context = this.#context,
      colours = this.#colours;
    const width = canvas.clientWidth,
      height = canvas.clientHeight,
      ratio = devicePixelRatio;
    if (!width) return;
    if (canvas.width !== Math.round(width * ratio) || canvas.height !== Math.round(height * ratio)) {
      canvas.width = Math.round(width * ratio);
      canvas.height = Math.round(height * ratio);
    }
    context.setTransform(ratio, 0, 0, ratio, 0, 0);
    context.clearRect(0, 0, width, height);
    const bottom = height - RULER_PX,
      x = end > 0 ? (at / end) * width : 0;
    context.fillStyle = colours.sunk;
    context.fillRect(0, 0, width, bottom);
    this.#ruler(end, width, bottom);
    this.#fill(lines, end, width);
    for (let column = 0; column <= width; column += 1) {
      const kind = this.#columns[column];
      if (!kind) continue;
      const tall = Math.round(looksOf(kind).height * (bottom - 4));
      // What lies after the time that is looked at is there, but not yet.
      context.globalAlpha = past && column > x ? 0.4 : 1;
      context.fillStyle = colours[kind] ?? colours.note;
      context.fillRect(column - 0.5, bottom - tall, 1.5, tall);
    }
    context.globalAlpha = 1;
    if (end <= 0) return;
    const head = Math.min(width - 1.5, Math.max(1.5, x));
    context.fillStyle = past ? colours.text : colours.accent;
    context.fillRect(head - 1, 0, 2, bottom);
    context.beginPath();
    context.moveTo(head - 6, 0);
    context.lineTo(head + 6, 0);
    context.lineTo(head, 8);
    context.fill();
  }

  /**
   * @param {number} end
   * @param {number} width
   * @param {number} bottom
   */
  #ruler(end, width, bottom) {
    const context = this.#context;
    if (end <= 0) return;
    const step = STEPS_S.find((one) => (one / end) * width >= 72) ?? 86400 * Math.ceil(end / 86400 / (width / 72));
    context.font = `10.5px ${this.#colours.font}`;
    context.textBaseline = 'bottom';
    for (let index = 0; index * step <= end; index += 1) {
      const at = index * step,
        x = Math.round((at / end) * width);
      context.fillStyle = this.#colours.line;
      context.fillRect(x, 0, 1, bottom + 3);
      const label =
        step < 1
          ? `${at.toFixed(1)} s`
          : at < 60
            ? `${at} s`
            : `${Math.floor(at / 60)}:${String(at % 60).padStart(2, '0')}`;
      const wide = context.measureText(label).width;
      if (x + wide + 4 > width) continue;
      context.fillStyle = this.#colours.soft;
      context.fillText(label, x + 3, bottom + RULER_PX);
    }
  }

  /**
   * The line that a hand at this time means: the nearest within a few pixels.
   * @param {number} at
   * @param {Page.Line[]} lines
   * @param {(at: number) => number} linesUpTo
   */
  lineNear(at, lines, linesUpTo) {
    const end = Number(this.#known.split(' ')[1]),
      width = this.#canvas.clientWidth;
    const reach = (5 / width) * end;
    const after = linesUpTo(at),
      candidates = [lines[after - 1], lines[after]].filter((line) => line && Math.abs(line.at - at) <= reach);
    return candidates.sort((a, b) => Math.abs(a.at - at) - Math.abs(b.at - at))[0] ?? null;
  }
}
