// A small line plot: axes, a few lines, a point that is marked. For curves of a few dozen points.

import { short, svg } from './dom.js';
import { last } from './lists.js';

const HIGH = 150,
  LEFT = 44,
  RIGHT = 58,
  TOP = 10,
  BOTTOM = 34;
const DASHES = ['', '6 3', '2 3', '8 3 2 3'];
const COLOURS = ['--blue', '--orange', '--green', '--purple', '--vermilion', '--sky', '--yellow', '--grey'];

/** @typedef {{name: string, points: [number, number | null][], strong: boolean, mark: Page.Point | null}} Series */

/**
 * `series`: `{name, points: [[x, y|null]], strong, mark: [x, y]}`; lines are interrupted where y is null. The name stands at
 * the end of the line, and each line has its own dashes, so that colour is not needed.
 * @param {{series: Series[], x: string, y: string, ticks?: number[], describe: string, width?: number}} options
 */
export function linePlot({ series, x, y, ticks, describe, width = 400 }) {
  const ys = series.flatMap((each) => each.points.map(([, value]) => value)).filter((value) => value !== null);
  const xs = series.flatMap((each) => each.points.map(([value]) => value));
  if (!ys.length) return null;
  const [west, east] = [Math.min(...xs), Math.max(...xs)];
  const marks = nice(Math.min(...ys), Math.max(...ys));
  const [low, high] = [Math.min(marks[0], ...ys), Math.max(last(marks), ...ys)];
  /** @param {number} value */
  const px = (value) => LEFT + ((value - west) / Math.max(1e-9, east - west)) * (width - LEFT - RIGHT);
  /** @param {number} value */
  const py = (value) => TOP + (1 - (value - low) / Math.max(1e-9, high - low)) * (HIGH - TOP - BOTTOM);
  const across = ticks ?? nice(west, east, 6).filter((value) => value >= west && value <= east);
  const names = placed(
    series.map((each) => py(each.points.findLast(([, value]) => Number.isFinite(value))?.[1] ?? low)),
  );
  return svg(
    'svg',
    { class: 'lineplot', viewBox: `0 0 ${width} ${HIGH}`, role: 'img', 'aria-label': describe },
    ...marks.map((value) => svg('path', { class: 'rule', d: `M${LEFT} ${py(value)}H${width - RIGHT}` })),
    ...marks.map((value) => svg('text', { x: LEFT - 6, y: py(value) + 4, 'text-anchor': 'end' }, short(value))),
    ...across.map((value) =>
      svg('text', { x: px(value), y: HIGH - BOTTOM + 14, 'text-anchor': 'middle' }, short(value)),
    ),
    svg('path', { class: 'axis', d: `M${LEFT} ${TOP}V${HIGH - BOTTOM}H${width - RIGHT}` }),
    svg('text', { x: (LEFT + width - RIGHT) / 2, y: HIGH - 4, 'text-anchor': 'middle' }, x),
    svg(
      'text',
      {
        x: 11,
        y: (TOP + HIGH - BOTTOM) / 2,
        'text-anchor': 'middle',
        transform: `rotate(-90 11 ${(TOP + HIGH - BOTTOM) / 2})`,
      },
      y,
    ),
    ...series.map((each, at) => line(each, at, px, py)),
    ...series.map((each, at) =>
      svg(
        'text',
        { class: 'name', x: width - RIGHT + 5, y: names[at] + 4 },
        each.name.length > 8 ? `${each.name.slice(0, 7)}…` : each.name,
      ),
    ),
    ...series
      .map(({ mark }) => mark)
      .filter((mark) => mark !== null)
      .map(([across, up]) => svg('g', {}, ring(px(across), py(up)))),
  );
}

/**
 * @param {number} cx
 * @param {number} cy
 */
function ring(cx, cy) {
  return svg('circle', { cx, cy, r: 6, fill: 'none', stroke: 'currentColor', 'stroke-width': 2 });
}

/**
 * @param {Series} each
 * @param {number} at
 * @param {(value: number) => number} px
 * @param {(value: number) => number} py
 */
function line(each, at, px, py) {
  let d = '',
    drawing = false;
  for (const [x, y] of each.points) {
    if (y === null) {
      drawing = false;
      continue;
    }
    d += `${drawing ? 'L' : 'M'}${px(x).toFixed(1)} ${py(y).toFixed(1)}`;
    drawing = true;
  }
  const path = svg('path', {
    class: each.strong ? 'series strong' : 'series',
    d,
    'stroke-dasharray': DASHES[at % DASHES.length],
  });
  path.style.stroke = `var(${COLOURS[at % COLOURS.length]})`;
  path.append(svg('title', {}, each.name));
  return path;
}

/**
 * Round numbers from below the least to above the most.
 * @param {number} least
 * @param {number} most
 */
function nice(least, most, count = 4) {
  const rough = Math.max(1e-9, (most - least) / count),
    power = 10 ** Math.floor(Math.log10(rough));
  const step = [1, 2, 2.5, 5, 10].map((each) => each * power).find((each) => each >= rough) ?? rough;
  const first = Math.floor(least / step) * step;
  const found = [];
  for (let value = first; found.length < 12; value += step) {
    found.push(Number(value.toPrecision(10)));
    if (value >= most) break;
  }
  return found;
}

/**
 * Names that would lie on each other are moved apart.
 * @param {number[]} ys
 */
function placed(ys) {
  const order = ys.map((y, at) => [y, at]).sort(([a], [b]) => a - b);
  let before = -Infinity;
  for (const one of order) {
    one[0] = before = Math.max(one[0], before + 12);
  }
  let after = HIGH - BOTTOM + 4;
  for (const one of order.reverse()) {
    one[0] = after = Math.min(one[0], after);
    after -= 12;
  }
  return order.sort(([, a], [, b]) => a - b).map(([y]) => y);
}
