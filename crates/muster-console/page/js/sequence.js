// Who said what to whom about a task: lifelines side by side, time downwards. Repeated calls without an answer are put
// together, long silences are cut short and say so, and what was lost is drawn broken.

import { badge } from './badge.js';
import { clock, el, hit, svg } from './dom.js';
import { last } from './lists.js';
import { around, labelOf, lifelines, marked, rowsOf } from './sequence/rows.js';
import { robotName } from './store.js';

/** @import { Lifeline, Marks, Row } from './sequence/rows.js' */

const MOST_LIFELINES = 8;
// "All" has its limits, too: a page of a team of thousands must stay quick.
const ALL_LIFELINES = 60,
  MOST_ROWS = 200,
  MOST_REASONS = 60;
const TIME_PX = 62,
  ROW_PX = 30,
  BREAK_PX = 28,
  RIGHT_PX = 18;
const LONG_SILENCE_S = 3;

/**
 * @typedef {object} Options
 * @property {boolean} [all] every message and every robot is shown
 * @property {number | null} [aim] the time around which messages are shown otherwise
 * @property {number} [width]
 * @property {(at: number) => void} go looks at a time
 * @property {() => void} toggle shows all, or not all any more
 */

/**
 * @typedef {object} Drawing what a row is told of the drawing that it is in
 * @property {number} y
 * @property {string} time
 * @property {number[]} xs where lifelines are
 * @property {Lifeline[]} lines
 * @property {(robot: number) => number | undefined} xOf
 * @property {number} width
 * @property {Marks} marks
 * @property {(at: number) => void} go
 * @property {boolean} first
 */

/**
 * The diagram of a story.
 * @param {Wire.Story} story
 * @param {Options} options
 */
export function sequence(story, { all = false, aim = null, width = 420, go, toggle }) {
  const of = marked(story);
  const rows = rowsOf(story, all);
  const { shown, cut } = all ? { shown: rows, cut: 0 } : around(rows, aim);
  const lines = lifelines(
    of,
    shown,
    all ? ALL_LIFELINES : Math.min(MOST_LIFELINES, Math.max(3, Math.floor((width - TIME_PX) / 46))),
  );
  const robots = lines.reduce((sum, line) => sum + line.robots.length, 0);
  const drawn = draw(story, of, shown, lines, Math.max(width, TIME_PX + lines.length * 40 + RIGHT_PX), go);
  const folded = rows.length < story.messages.length || cut > 0 || lines.at(-1)?.others;
  return el(
    'div',
    { class: 'sequence' },
    el('div', { class: 'sequence-scroll' }, drawn),
    folded || all
      ? el(
          'button',
          { type: 'button', class: 'button more', 'data-focus': 'sequence-all', onclick: toggle },
          all ? 'Show what matters' : showAllOf(story, robots),
        )
      : null,
    el(
      'p',
      { class: 'legend small' },
      el('span', { class: 'key-line' }),
      'heard',
      el('span', { class: 'key-line broken' }),
      'lost',
      el('span', { class: 'key-x' }, '✕'),
      'heard and left alone',
    ),
    marksInWords(story),
    table(story, go),
  );
}

/**
 * @param {Wire.Story} story
 * @param {number} robots
 */
function showAllOf(story, robots) {
  const kept = story.truncated ? ' that are kept' : '';
  return `Show all ${story.messages.length} messages${kept} and ${robots > ALL_LIFELINES ? 'more' : 'all'} robots`;
}

// ---- The drawing ----

/** @param {Row} row */
function inWords(row) {
  const first = row.messages[0],
    newest = last(row.messages);
  const when = row.messages.length === 1 ? `at ${clock(first.at)}` : `from ${clock(first.at)} to ${clock(newest.at)}`;
  const whom = row.to === null ? 'everybody' : robotName(row.to);
  const heard = row.lost ? 'lost' : `heard by ${newest.hearers}`;
  return `${when}: ${robotName(row.from)} to ${whom}, ${labelOf(row)}, ${heard}`;
}

/**
 * @param {Wire.Story} story
 * @param {Marks} marks
 * @param {Row[]} rows
 * @param {Lifeline[]} lines
 * @param {number} width
 * @param {(at: number) => void} go
 */
function draw(story, marks, rows, lines, width, go) {
  const step = (width - TIME_PX - RIGHT_PX) / Math.max(1, lines.length);
  const xs = lines.map((_, at) => TIME_PX + step * (at + 0.5));
  /** @param {number} robot */
  const xOf = (robot) => xs[lines.findIndex((line) => line.robots.includes(robot))];
  const slanted = lines.some((line) => line.name.length * 6.6 > step - 4);
  const top = slanted ? 26 + Math.min(14, Math.max(...lines.map((line) => line.name.length))) * 4.6 : 30;

  const parts = [];
  let y = top + 8,
    before = null,
    written = null;
  for (const row of rows) {
    const { at } = row.messages[0];
    if (before !== null && at - before > LONG_SILENCE_S) {
      parts.push(
        svg('path', { class: 'break', d: `M${TIME_PX - 6} ${y + 20}H${width - RIGHT_PX + 6}` }),
        svg(
          'text',
          { class: 'break-text', x: TIME_PX - 10, y: y + 24, 'text-anchor': 'end' },
          `+${(at - before).toFixed(at - before < 100 ? 1 : 0)} s`,
        ),
      );
      y += BREAK_PX;
    }
    y += ROW_PX;
    const time = clock(at, at < 600 ? 2 : 1);
    parts.push(
      drawRow(row, {
        y,
        time: time === written ? '' : time,
        xs,
        lines,
        xOf,
        width,
        marks,
        go,
        first: parts.length === 0,
      }),
    );
    written = time;
    before = last(row.messages).at;
  }
  const bottom = y + 18;
  const heads = lines.map((line, at) => {
    const name = svg(
      'text',
      {
        class: 'who',
        x: xs[at],
        y: top - 12,
        'text-anchor': slanted ? 'start' : 'middle',
        transform: slanted ? `rotate(-42 ${xs[at]} ${top - 12})` : null,
      },
      line.name.length > 14 && slanted ? `${line.name.slice(0, 13)}…` : line.name,
    );
    name.append(svg('title', {}, line.robots.map(robotName).join(', ')));
    return svg(
      'g',
      { class: line.others ? 'lifeline others' : 'lifeline' },
      svg('path', { d: `M${xs[at]} ${top - 6}V${bottom}` }),
      name,
    );
  });
  const drawing = svg(
    'svg',
    {
      class: 'sequence-drawing',
      width,
      height: bottom + 4,
      viewBox: `0 0 ${width} ${bottom + 4}`,
      role: 'group',
      'aria-label':
        `Sequence of ${story.messages.length} messages about ${story.name} ` +
        `between ${lines.map((line) => line.name).join(', ')}. The same stands in the table below.`,
    },
    ...heads,
    ...parts,
  );
  drawing.addEventListener('keydown', rove);
  return drawing;
}

/**
 * @param {Row} row
 * @param {Drawing} options
 */
function drawRow(row, { y, time, xs, lines, xOf, width, marks, go, first }) {
  const from = xOf(row.from) ?? xs[0];
  const heard = new Set(row.messages.flatMap((message) => message.heard.map(([robot]) => robot)));
  const newest = last(row.messages);
  /** @type {SVGElement[]} */
  const parts = [];
  let left = from,
    right = from,
    label = from;
  if (row.to === null) {
    const reached = lines
      .map((line, at) => (line.robots.some((robot) => robot !== row.from && heard.has(robot)) ? xs[at] : null))
      .filter((x) => x !== null);
    left = Math.min(from, ...reached);
    right = Math.max(from, ...reached);
    if (row.lost && !reached.length) right = Math.min(width - RIGHT_PX, from + 60);
    parts.push(
      svg('path', { class: row.lost ? 'said broken' : 'said', d: `M${left} ${y}H${right}` }),
      svg('circle', { class: 'said-from', cx: from, cy: y, r: 3.5 }),
    );
    for (const x of reached) if (x !== from) parts.push(arrow(x, y, x > from));
    if (row.lost) parts.push(cross(right, y, 'lost'));
    label = right - from >= from - left ? from + 8 : from - 8;
  } else {
    const to = xOf(row.to) ?? last(xs),
      east = to >= from;
    // A robot that tells itself would be a point: drawn as a loop.
    if (to === from)
      parts.push(svg('path', { class: 'said', d: `M${from} ${y - 5}h22v10h-16` }), arrow(from, y + 5, false));
    else {
      const end = row.lost ? from + (to - from) * 0.62 : to;
      parts.push(
        svg('path', { class: row.lost ? 'said broken' : 'said', d: `M${from} ${y}H${end}` }),
        svg('circle', { class: 'said-from', cx: from, cy: y, r: 2.5 }),
      );
      parts.push(row.lost ? cross(end, y, 'lost') : arrow(to, y, east));
    }
    left = Math.min(from, to);
    right = Math.max(from, to);
    label = east ? from + 8 : from - 8;
  }
  const anchor = label >= from ? 'start' : 'end';
  if (row.messages.length > 1) parts.push(svg('path', { class: 'said again', d: `M${left} ${y + 3}H${right}` }));
  for (const mark of row.messages.flatMap((message) => marks.get(message.n) ?? []).slice(-40)) {
    const x = xOf(mark.robot);
    if (x !== undefined) parts.push(cross(x, y + 8, 'ignored', `${robotName(mark.robot)}: ${mark.why}`));
  }
  const text = labelOf(row) + (row.messages.length > 1 ? ', no answer' : '') + (row.lost ? ' (lost)' : '');
  const words = inWords(row);
  const group = svg(
    'g',
    {
      class: 'message',
      tabindex: first ? 0 : -1,
      role: 'button',
      'aria-label': `${words}. Go to that time`,
      'data-focus': `message-${newest.n}`,
    },
    svg('rect', { class: 'reach', x: 0, y: y - 18, width, height: ROW_PX }),
    svg('title', {}, words),
    time ? svg('text', { class: 'when', x: TIME_PX - 10, y: y + 4, 'text-anchor': 'end' }, time) : null,
    ...parts,
    svg('text', { class: 'label', x: label, y: y - 5, 'text-anchor': anchor }, text),
  );
  group.addEventListener('click', () => go(newest.at));
  return group;
}

/**
 * @param {number} x
 * @param {number} y
 * @param {boolean} east
 */
function arrow(x, y, east) {
  const back = east ? -7 : 7;
  return svg('path', { class: 'tip', d: `M${x} ${y}l${back} -4v8z` });
}

/**
 * @param {number} x
 * @param {number} y
 * @param {string} kind
 * @param {string} [why]
 */
function cross(x, y, kind, why) {
  const mark = svg('path', { class: `cross ${kind}`, d: `M${x - 4} ${y - 4}l8 8M${x + 4} ${y - 4}l-8 8` });
  if (why) mark.append(svg('title', {}, why));
  return mark;
}

/** @param {KeyboardEvent} event */
function rove(event) {
  const at = hit(event, '.message');
  if (!at) return;
  if (event.key === 'Enter' || event.key === ' ') {
    event.preventDefault();
    at.dispatchEvent(new MouseEvent('click'));
    return;
  }
  /** @type {NodeListOf<HTMLElement>} */
  const all = /** @type {Element} */ (event.currentTarget).querySelectorAll('.message');
  const list = [...all],
    now = list.indexOf(at);
  /** @type {Record<string, number>} */
  const places = { ArrowDown: now + 1, ArrowUp: now - 1, Home: 0, End: list.length - 1 };
  const next = list[places[event.key]];
  if (!next) return;
  event.preventDefault();
  event.stopPropagation();
  at.setAttribute('tabindex', '-1');
  next.setAttribute('tabindex', '0');
  next.focus();
}

// ---- The same in words ----

/** @param {Wire.Story} story */
function marksInWords(story) {
  if (!story.marks.length) return null;
  // What each robot said last is enough: the reasons of one robot differ little from call to call.
  const newest = new Map(story.marks.map((mark) => [mark.robot, mark]));
  const last = [...newest.values()].sort((a, b) => b.at - a.at).slice(0, MOST_REASONS);
  return el(
    'details',
    { 'data-keep': 'marks' },
    el('summary', {}, `${newest.size}${story.truncated ? ' or more' : ''} heard it and left it alone`),
    el(
      'ul',
      { class: 'plain' },
      last.map((mark) => el('li', {}, el('b', {}, robotName(mark.robot)), ` (${clock(mark.at)}): ${mark.why}`)),
    ),
    newest.size > last.length ? el('p', { class: 'small' }, `and ${newest.size - last.length} more`) : null,
  );
}

/**
 * @param {Wire.Story} story
 * @param {(at: number) => void} go
 */
function table(story, go) {
  const last = story.messages.slice(-MOST_ROWS),
    cut = story.truncated || last.length < story.messages.length;
  return el(
    'details',
    { 'data-keep': 'messages' },
    el('summary', {}, `The same as a table (${cut ? `the newest ${last.length}` : last.length} messages)`),
    el(
      'div',
      { class: 'table-scroll', tabindex: 0, role: 'region', 'aria-label': 'Messages' },
      el(
        'table',
        { class: 'data' },
        el(
          'thead',
          {},
          el(
            'tr',
            {},
            ['Time', 'From', 'To', 'Message', 'Heard by'].map((name) => el('th', { scope: 'col' }, name)),
          ),
        ),
        el(
          'tbody',
          {},
          last.map((message) =>
            el(
              'tr',
              {},
              el(
                'td',
                { class: 'number' },
                el('button', { type: 'button', class: 'link', onclick: () => go(message.at) }, clock(message.at, 2)),
              ),
              el('td', {}, robotName(message.from)),
              el('td', {}, message.to === null ? 'everybody' : robotName(message.to)),
              el('td', {}, message.label),
              el(
                'td',
                {},
                message.lost
                  ? '✕ lost'
                  : message.to === null
                    ? String(message.hearers)
                    : message.heard.map(([robot]) => badge(robotName(robot))).join(', ') || '–',
              ),
            ),
          ),
        ),
      ),
    ),
  );
}
