// The bids for a task: what each bidder would take at which time and on which heading, all on one scale of colours.

import { clock, el, setText, short } from './dom.js';
import { linePlot } from './lineplot.js';
import { ask } from './link.js';
import { cellAt, colourOf, drawPolar, sized } from './polar.js';
import { on, robotName, store, taskName } from './store.js';

const ASK_EVERY_MS = 1000;
const HINT = 'Point at a cell to read its cost.';

let root, pick, body, again, readout;
let task = null,
  bids = null,
  problem = null,
  bidder = null,
  drawnAs = '';
let visible = true,
  timer = 0,
  askedAt = 0,
  asking = false,
  pending = false;

/** Puts the inspector of costs into its panel. */
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
    task = bids = problem = bidder = null;
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

/** Told when the tab comes and goes. */
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
  pick.parentElement.hidden = !tasks.length;
  if (pick.dataset.tasks !== now) {
    pick.dataset.tasks = now;
    pick.replaceChildren(...tasks.map((each) => el('option', { value: each }, taskName(each))));
    if (task !== null) pick.value = String(task);
    if (!tasks.length) render();
  }
  if (task === null && tasks.length) choose(tasks.includes(store.selection.task) ? store.selection.task : tasks[0]);
}

function choose(number) {
  if (number === task) return;
  task = number;
  bids = problem = bidder = null;
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
        bids = answer;
        problem = answer ? null : 'It had not been put up for auction by then.';
      } catch (error) {
        if (about !== task) return;
        problem = `The bids could not be had: ${error.message}.`;
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
    bids?.at,
    bids?.bids.length,
    bids?.chosen,
    root.clientWidth,
    offered().length > 0,
  ]);
  if (key === drawnAs) return;
  drawnAs = key;
  if (!bids?.bids.length) return body.replaceChildren(nothing());
  const { chosen } = bids;
  const order = [...bids.bids].sort(
    (a, b) =>
      (b.robot === chosen?.robot) - (a.robot === chosen?.robot) || (a.least ?? Infinity) - (b.least ?? Infinity),
  );
  const all = order.flatMap((bid) => bid.cost.flat()).filter((value) => value !== null);
  const range = [Math.min(...all), Math.max(...all)];
  const one = order.find((bid) => bid.robot === bidder) ?? order[0];
  const focus = body.contains(document.activeElement) ? document.activeElement.dataset.bidder : undefined;
  readout = el('p', { class: 'readout' }, HINT);
  const maps = order.map((bid) => polarOf(bid, range, bid === one));
  body.replaceChildren(
    ...[
      el('p', { class: 'sentence' }, sentence()),
      el(
        'div',
        { class: 'polars' },
        maps.map((map) => map.element),
      ),
      scale(range),
      el(
        'p',
        { class: 'small' },
        `Outward: ${short(bids.times[0])} to ${short(bids.times.at(-1))} s; a line every fifth step. Angle: heading, 0° = east. The ring marks what was chosen.`,
      ),
      readout,
      el('h4', {}, `${robotName(one.robot)}: cost over time on heading ${degrees(headingFor(one))}`),
      overTime(one),
      el('h4', {}, 'Least cost by heading, all bidders'),
      byHeading(order, one),
      table(order),
      bids.left_out
        ? el(
            'p',
            { class: 'small' },
            `${bids.left_out} dearer ${bids.left_out === 1 ? 'bid is' : 'bids are'} left out.`,
          )
        : null,
    ].filter(Boolean),
  );
  for (const map of maps) map.draw();
  drawScale(range);
  if (focus !== undefined) body.querySelector(`[data-bidder="${focus}"]`)?.focus({ preventScroll: true });
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
          : bids
            ? ['Nobody bid for it.', 'Choose another task.']
            : ['Asking …', ''];
  return el('p', { class: 'nothing' }, el('strong', {}, first), ' ', second);
}

/** The choice may lie between the samples. */
const onGrid = (chosen) => Number.isInteger(chosen?.time) && Number.isInteger(chosen?.heading);
const degrees = (at) => `${short(Math.round(bids.headings[at] * 10) / 10)}°`;

function sentence() {
  const { chosen } = bids;
  const lead = bids.lead === null || bids.lead === undefined ? '' : `${robotName(bids.lead)} led the auction; `;
  if (!chosen) return `${lead}nobody has been chosen yet. Times count from ${clock(bids.t0)}.`;
  return `${lead}${robotName(chosen.robot)} was chosen: cost ${short(chosen.cost)}, over the target at ${clock(chosen.at_s)} (${short(Number((chosen.at_s - bids.t0).toFixed(1)))} s after ${clock(bids.t0)})${Number.isInteger(chosen.heading) ? ` on heading ${degrees(chosen.heading)}` : ''}.`;
}

function polarOf(bid, range, selected) {
  const won = bid.robot === bids.chosen?.robot,
    cell = won && onGrid(bids.chosen) ? bids.chosen : null;
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
    const value = at && bid.cost[at.time]?.[at.heading];
    setText(
      readout,
      at
        ? `${robotName(bid.robot)}, ${short(bids.times[at.time])} s, heading ${degrees(at.heading)}: ${value === null || value === undefined ? 'cannot be done' : `cost ${short(value)}`}`
        : HINT,
    );
  });
  canvas.addEventListener('pointerleave', () => setText(readout, HINT));
  return { element, draw: () => drawPolar(canvas, all, range, cell) };
}

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
  const canvas = body.querySelector('.scale canvas');
  const wide = canvas.clientWidth || 200,
    context = sized(canvas, wide, 12);
  for (let x = 0; x < wide; x += 1) {
    context.fillStyle = colourOf(x / wide);
    context.fillRect(x, 0, 1.5, 12);
  }
}

/** The heading of the choice if it is this one's, else that of its least cost. */
function headingFor(bid) {
  if (bid.robot === bids.chosen?.robot && Number.isInteger(bids.chosen.heading)) return bids.chosen.heading;
  return bid.cost
    .flatMap((row) => row.map((value, heading) => [value ?? Infinity, heading]))
    .reduce((a, b) => (b[0] < a[0] ? b : a))[1];
}

function overTime(bid) {
  const heading = headingFor(bid),
    chosen = bid.robot === bids.chosen?.robot && onGrid(bids.chosen) ? bids.chosen : null;
  const points = bid.cost.map((row, time) => [bids.times[time], row[heading]]);
  return (
    linePlot({
      series: [
        {
          name: robotName(bid.robot),
          points,
          strong: true,
          mark: chosen ? [bids.times[chosen.time], chosen.cost] : null,
        },
      ],
      x: `s after ${clock(bids.t0)}`,
      y: 'cost',
      width: plotWidth(),
      describe: `Cost of ${robotName(bid.robot)} over time on heading ${degrees(heading)}`,
    }) ?? el('p', { class: 'small' }, 'On this heading it cannot be done.')
  );
}

/** The ring is closed: the first heading stands at the end again. */
function byHeading(order, one) {
  const series = order.map((bid) => {
    const least = bids.headings.map((heading, at) => [
      heading,
      Math.min(...bid.cost.map((row) => row[at] ?? Infinity)),
    ]);
    const points = [...least, [bids.headings[0] + 360, least[0][1]]].map(([heading, value]) => [
      heading,
      Number.isFinite(value) ? value : null,
    ]);
    const chosen = bid.robot === bids.chosen?.robot && onGrid(bids.chosen) ? bids.chosen : null;
    return {
      name: robotName(bid.robot),
      points,
      strong: bid === one,
      mark: chosen ? [bids.headings[chosen.heading], chosen.cost] : null,
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

function table(order) {
  const leastAt = (bid, heading) => Math.min(...bid.cost.map((row) => row[heading] ?? Infinity));
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
            bids.headings.map((_, at) => el('th', { scope: 'col', class: 'right' }, degrees(at))),
          ),
        ),
        el(
          'tbody',
          {},
          order.map((bid) =>
            el(
              'tr',
              { class: bid.robot === bids.chosen?.robot ? 'chosen' : null },
              el('th', { scope: 'row' }, robotName(bid.robot), bid.robot === bids.chosen?.robot ? ' ✓' : ''),
              el('td', { class: 'right number' }, short(bid.least)),
              bids.headings.map((_, at) => {
                const value = leastAt(bid, at);
                return el('td', { class: 'right number' }, Number.isFinite(value) ? short(value) : '–');
              }),
            ),
          ),
        ),
      ),
    ),
  );
}
