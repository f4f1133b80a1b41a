// The bids for a task: what each bidder would take at which time and on which heading, all on one scale of colours.

import { clock, el, focusedElement, setText, short } from './dom.js';
import { linePlot } from './lineplot.js';
import { last } from './lists.js';
import { ask, reasonOf } from './link.js';
import { cellAt, colourOf, drawPolar, sized } from './polar.js';
import { on, robotName, store, taskName } from './store.js';

const ASK_EVERY_MS = 1000;
const HINT = 'Point at a cell to read its cost.';

/** @type {HTMLElement} */
let root;
/** @type {HTMLSelectElement} */
let pick;
/** @type {HTMLElement} */
let body;
/** @type {HTMLElement} */
let again;
/** @type {HTMLElement} */
let readout;
/** @type {number | null} */
let task = null;
/** @type {Wire.Bids | null} */
let told = null;
/** @type {string | null} */
let problem = null;
/** @type {number | null} */
let bidder = null;
let drawnAs = '';
let visible = true,
  timer = 0,
  askedAt = 0,
  asking = false,
  pending = false;

/**
 * Puts the inspector of costs into its panel.
 * @param {HTMLElement} element
 */
export function mount(element) {
  root = element;
  root.classList.add('costs');
  pick = el('select', { class: 'field', id: 'costs-task', onchange: () => choose(Number(pick.value)) });
  again = el(
    'button',
    {
      type: 'button',
      class: 'button',
      onclick: () => {
        askedAt = 0;
        askSoon();
      },
    },
    'Ask again',
  );
  body = el('div');
  root.replaceChildren(el('div', { class: 'pick' }, el('label', { for: 'costs-task' }, 'Bids for'), pick, again), body);
  on('selection', ({ task: selected }) => {
    if (selected !== null && offered().includes(selected)) choose(selected);
  });
  on('newrun', () => {
    task = told = problem = bidder = null;
    drawnAs = '';
    fillPick();
    render();
  });
  on('moment', fillPick);
  on('view', askSoon);
  on('lines', ({ added }) => {
    if (added.some((line) => line.task === task && ['award', 'auction', 'offer'].includes(line.kind))) askSoon();
  });
  on('theme', () => {
    drawnAs = '';
    render();
  });
  let width = 0;
  new ResizeObserver(() => {
    if (Math.abs(root.clientWidth - width) > 8) {
      width = root.clientWidth;
      drawnAs = '';
      render();
    }
  }).observe(root);
  fillPick();
  render();
}

/**
 * Told when the tab comes and goes.
 * @param {boolean} now
 */
export function shown(now) {
  visible = now;
  if (!now) return;
  fillPick();
  askSoon();
}

/** Tasks that may have been auctioned. */
function offered() {
  if (!store.run?.costs) return [];
  const seen = (store.moment?.tasks ?? []).filter((each) => each.state !== 'unseen').map((each) => each.task);
  return seen.sort((a, b) => a - b);
}

function fillPick() {
  const tasks = offered(),
    now = tasks.join();
  if (pick.parentElement) pick.parentElement.hidden = !tasks.length;
  if (pick.dataset.tasks !== now) {
    pick.dataset.tasks = now;
    pick.replaceChildren(...tasks.map((each) => el('option', { value: each }, taskName(each))));
    if (task !== null) pick.value = String(task);
    if (!tasks.length) render();
  }
  if (task === null && tasks.length) choose(tasks.find((each) => each === store.selection.task) ?? tasks[0]);
}

/** @param {number} number */
function choose(number) {
  if (number === task) return;
  task = number;
  told = problem = bidder = null;
  askedAt = 0;
  pick.value = String(task);
  render();
  askSoon();
}

/** Asks once a second at most, and never again before the last question is answered: an auction is held anew for each. */
function askSoon() {
  if (asking) pending = true;
  if (timer || asking || !visible || task === null) return;
  timer = setTimeout(
    async () => {
      timer = 0;
      askedAt = performance.now();
      const about = task;
      if (about === null) return;
      asking = true;
      try {
        const answer = await ask('costs', { task: about });
        if (about !== task) return;
        told = answer;
        problem = answer ? null : 'It had not been put up for auction by then.';
      } catch (error) {
        if (about !== task) return;
        problem = `The bids could not be had: ${reasonOf(error)}.`;
      } finally {
        asking = false;
        if (pending) {
          pending = false;
          askSoon();
        }
      }
      render();
    },
    Math.max(20, askedAt + ASK_EVERY_MS - performance.now()),
  );
}

function render() {
  const key = JSON.stringify([
    store.run?.id,
    task,
    bidder,
    problem,
    told?.at,
    told?.bids.length,
    told?.chosen,
    root.clientWidth,
    offered().length > 0,
  ]);
  if (key === drawnAs) return;
  drawnAs = key;
  if (!told?.bids.length) return body.replaceChildren(nothing());
  const bids = told;
  // The winner first, then the cheapest.
  const rank = (/** @type {Wire.Bid} */ bid) => (bid.robot === bids.chosen.robot ? -Infinity : (bid.least ?? Infinity));
  const order = [...bids.bids].sort((a, b) => (rank(a) === rank(b) ? 0 : rank(a) - rank(b)));
  const all = order.flatMap((bid) => bid.cost.flat()).filter((value) => value !== null);
  /** @type {Page.Point} */
  const range = [Math.min(...all), Math.max(...all)];
  const one = order.find((bid) => bid.robot === bidder) ?? order[0];
  const focus = body.contains(document.activeElement) ? focusedElement()?.dataset.bidder : undefined;
  readout = el('p', { class: 'readout' }, HINT);
  const maps = order.map((bid) => polarOf(bids, bid, range, bid === one));
  body.replaceChildren(
    ...[
      el('p', { class: 'sentence' }, sentence(bids)),
      el(
        'div',
        { class: 'polars' },
        maps.map((map) => map.element),
      ),
      scale(range),
      el(
        'p',
        { class: 'small' },
        `Outward: ${short(bids.times[0])} to ${short(last(bids.times))} s; a line every fifth step. ` +
          'Angle: heading, 0° = east. The ring marks what was chosen.',
      ),
      readout,
      el('h4', {}, `${robotName(one.robot)}: cost over time on heading ${degrees(bids, headingFor(bids, one))}`),
      overTime(bids, one),
      el('h4', {}, 'Least cost by heading, all bidders'),
      byHeading(bids, order, one),
      table(bids, order),
      bids.left_out
        ? el(
            'p',
            { class: 'small' },
            `${bids.left_out} dearer ${bids.left_out === 1 ? 'bid is' : 'bids are'} left out.`,
          )
        : null,
    ].filter((part) => part !== null),
  );
  for (const map of maps) map.draw();
  drawScale();
  /** @type {HTMLElement | null} */
  const again = focus === undefined ? null : body.querySelector(`[data-bidder="${focus}"]`);
  again?.focus({ preventScroll: true });
}

function nothing() {
  const [first, second] = !store.run
    ? ['Nothing is loaded.', 'Pick a scenario at the top and press Init.']
    : !store.run.costs
      ? [
          'There are no bids in this run.',
          'Robots bid with costs only where tasks are auctioned: load hotspot, for instance.',
        ]
      : problem
        ? [problem, 'Choose another task, or look at a later time.']
        : task === null
          ? ['No task has been auctioned yet.', 'Let the run go on; bids are shown as soon as there are some.']
          : told
            ? ['Nobody bid for it.', 'Choose another task.']
            : ['Asking …', ''];
  return el('p', { class: 'nothing' }, el('strong', {}, first), ' ', second);
}

/**
 * The cell of the choice, if this bid won; the choice may lie between the samples.
 * @param {Wire.Bids} bids
 * @param {Wire.Bid} bid
 */
function cellOf({ chosen }, bid) {
  const { time, heading, cost } = chosen;
  return bid.robot === chosen.robot && time !== null && heading !== null ? { time, heading, cost } : null;
}

/**
 * @param {Wire.Bids} bids
 * @param {number} at
 */
const degrees = (bids, at) => `${short(Math.round(bids.headings[at] * 10) / 10)}°`;

/** @param {Wire.Bids} bids */
function sentence(bids) {
  const { chosen, lead, t0 } = bids;
  const after = short(Number((chosen.at_s - t0).toFixed(1)));
  const heading = chosen.heading === null ? '' : ` on heading ${degrees(bids, chosen.heading)}`;
  return (
    `${robotName(lead)} led the auction; ${robotName(chosen.robot)} was chosen: cost ${short(chosen.cost)}, ` +
    `over the target at ${clock(chosen.at_s)} (${after} s after ${clock(t0)})${heading}.`
  );
}

/**
 * @param {Wire.Bids} bids
 * @param {Wire.Bid} bid
 * @param {Page.Point} range
 * @param {boolean} selected
 */
function polarOf(bids, bid, range, selected) {
  const won = bid.robot === bids.chosen.robot,
    cell = cellOf(bids, bid);
  const canvas = el('canvas');
  const all = { cost: bid.cost, times: bids.times, headings: bids.headings };
  const element = el(
    'button',
    {
      type: 'button',
      class: 'polar',
      'data-bidder': bid.robot,
      'aria-pressed': String(selected),
      onclick: () => {
        bidder = bid.robot;
        render();
      },
    },
    el(
      'span',
      { class: 'polar-name' },
      won ? el('span', { class: 'tick', 'aria-hidden': 'true' }, '✓') : '',
      robotName(bid.robot),
      el('span', { class: 'sr-only' }, won ? ', chosen:' : ':'),
    ),
    canvas,
    el('span', { class: 'polar-least' }, `least ${short(bid.least)}`),
  );
  canvas.addEventListener('pointermove', (event) => {
    const at = cellAt(canvas, all, event.offsetX, event.offsetY);
    if (!at) return setText(readout, HINT);
    const value = bid.cost[at.time][at.heading];
    const where = `${robotName(bid.robot)}, ${short(bids.times[at.time])} s, heading ${degrees(bids, at.heading)}`;
    setText(readout, `${where}: ${value === null ? 'cannot be done' : `cost ${short(value)}`}`);
  });
  canvas.addEventListener('pointerleave', () => setText(readout, HINT));
  return { element, draw: () => drawPolar(canvas, all, range, cell) };
}

/** @param {Page.Point} range */
function scale(range) {
  return el(
    'div',
    { class: 'scale' },
    el('span', { class: 'number' }, short(range[0])),
    el('canvas', {
      role: 'img',
      'aria-label': `Colours from bright, cost ${short(range[0])}, to dark, cost ${short(range[1])}`,
    }),
    el('span', { class: 'number' }, `${short(range[1])}: cost`),
    el('span', { class: 'cannot' }),
    'cannot be done',
  );
}

function drawScale() {
  /** @type {HTMLCanvasElement | null} */
  const canvas = body.querySelector('.scale canvas');
  if (!canvas) return;
  const wide = canvas.clientWidth || 200,
    context = sized(canvas, wide, 12);
  for (let x = 0; x < wide; x += 1) {
    context.fillStyle = colourOf(x / wide);
    context.fillRect(x, 0, 1.5, 12);
  }
}

/**
 * The heading of the choice if it is this one's, else that of its least cost.
 * @param {Wire.Bids} bids
 * @param {Wire.Bid} bid
 */
function headingFor({ chosen }, bid) {
  if (bid.robot === chosen.robot && chosen.heading !== null) return chosen.heading;
  const all = bid.cost.flatMap((row) => row.map((value, heading) => ({ value: value ?? Infinity, heading })));
  return all.reduce((a, b) => (b.value < a.value ? b : a)).heading;
}

/**
 * The least cost on a heading, whatever the time; null if it cannot be done.
 * @param {Wire.Bid} bid
 * @param {number} heading
 */
function leastAt(bid, heading) {
  const least = Math.min(...bid.cost.map((row) => row[heading] ?? Infinity));
  return Number.isFinite(least) ? least : null;
}

/**
 * @param {Wire.Bids} bids
 * @param {Wire.Bid} bid
 */
function overTime(bids, bid) {
  const heading = headingFor(bids, bid),
    cell = cellOf(bids, bid),
    name = robotName(bid.robot);
  /** @type {[number, number | null][]} */
  const points = bid.cost.map((row, time) => [bids.times[time], row[heading]]);
  return (
    linePlot({
      series: [{ name, points, strong: true, mark: cell && [bids.times[cell.time], cell.cost] }],
      x: `s after ${clock(bids.t0)}`,
      y: 'cost',
      width: plotWidth(),
      describe: `Cost of ${name} over time on heading ${degrees(bids, heading)}`,
    }) ?? el('p', { class: 'small' }, 'On this heading it cannot be done.')
  );
}

/**
 * The ring is closed: the first heading stands at the end again.
 * @param {Wire.Bids} bids
 * @param {Wire.Bid[]} order
 * @param {Wire.Bid} one
 */
function byHeading(bids, order, one) {
  /** @type {import('./lineplot.js').Series[]} */
  const series = order.map((bid) => {
    const cell = cellOf(bids, bid);
    /** @type {[number, number | null][]} */
    const least = bids.headings.map((heading, at) => [heading, leastAt(bid, at)]);
    return {
      name: robotName(bid.robot),
      points: [...least, [bids.headings[0] + 360, least[0][1]]],
      strong: bid === one,
      mark: cell && [bids.headings[cell.heading], cell.cost],
    };
  });
  return linePlot({
    series,
    x: 'approach heading in degrees, from the east',
    y: 'least cost',
    ticks: [0, 90, 180, 270, 360],
    width: plotWidth(),
    describe: 'Least cost of each bidder by heading; the numbers are in the table below',
  });
}

const plotWidth = () => Math.max(300, Math.min(640, root.clientWidth - 24));

/**
 * @param {Wire.Bids} bids
 * @param {Wire.Bid[]} order
 */
function table(bids, order) {
  return el(
    'details',
    {},
    el('summary', {}, 'Least costs as a table'),
    el(
      'div',
      { class: 'table-scroll', tabindex: 0, role: 'region', 'aria-label': 'Least costs' },
      el(
        'table',
        { class: 'data' },
        el(
          'thead',
          {},
          el(
            'tr',
            {},
            el('th', { scope: 'col' }, 'Bidder'),
            el('th', { scope: 'col', class: 'right' }, 'Least'),
            bids.headings.map((_, at) => el('th', { scope: 'col', class: 'right' }, degrees(bids, at))),
          ),
        ),
        el(
          'tbody',
          {},
          order.map((bid) =>
            el(
              'tr',
              { class: bid.robot === bids.chosen.robot ? 'chosen' : null },
              el('th', { scope: 'row' }, robotName(bid.robot), bid.robot === bids.chosen.robot ? ' ✓' : ''),
              el('td', { class: 'right number' }, short(bid.least)),
              bids.headings.map((_, at) => el('td', { class: 'right number' }, short(leastAt(bid, at)))),
            ),
          ),
        ),
      ),
    ),
  );
}
