// What changes over time, drawn by Plotly. Its script is large, so it comes only when somebody opens this tab; it may not
// write style sheets into the page, so the rules that it needs are in css/inspect.css.

import { clock, el, setText, short } from './dom.js';
import { last } from './lists.js';
import { ask, lookAt, reasonOf } from './link.js';
import { on, selectRobot, store } from './store.js';

const EVERY_MS = 2000;
const COLOURS = ['--blue', '--orange', '--green', '--purple', '--vermilion', '--sky', '--yellow', '--grey'];
const DASHES = ['solid', 'dash', 'dot', 'dashdot'];
const MOST_TRACES = 40,
  MOST_NAMED = 8;

/** @type {HTMLElement} */
let root;
/** @type {HTMLElement} */
let figures;
/** @type {HTMLTableSectionElement} */
let table;
/** @type {HTMLDetailsElement} */
let details;
/** @type {HTMLElement} */
let state;
let timer = 0;
let visible = true;
/** @type {HTMLScriptElement | null} */
let loading = null;
/** @type {Wire.Plots | null} */
let plots = null;
let asking = false;
/**
 * @typedef {object} Drawn a plot that was drawn
 * @property {any} plot the element, with what Plotly adds to it
 * @property {Wire.Curve[]} series
 * @property {boolean} listens
 * @property {Promise<unknown>} busy
 * @property {boolean} gone
 */

/** @type {Map<string, Drawn>} */
const drawn = new Map();

/**
 * Puts the plots into their panel.
 * @param {HTMLElement} element
 */
export function mount(element) {
  root = element;
  root.classList.add('plots');
  state = el('div', { class: 'nothing', role: 'status' }, 'Loading the plots …');
  figures = el('div');
  table = el('tbody');
  const heads = ['Plot', 'What', 'Value'].map((name) => el('th', { scope: 'col' }, name));
  details = el(
    'details',
    { hidden: true },
    el('summary', {}, 'Last values as a table'),
    el('table', { class: 'data' }, el('thead', {}, el('tr', {}, heads)), table),
  );
  root.replaceChildren(state, figures, details);
  on('newrun', () => {
    plots = null;
    clear();
    refresh();
  });
  on('selection', () => draw());
  on('theme', () => draw());
  on('view', drawTime);
  on('moment', drawTime);
  new ResizeObserver(() => {
    for (const one of drawn.values())
      then(one, (plot) => (visible && plot.offsetParent ? globalThis.Plotly?.Plots.resize(plot) : null));
  }).observe(root);
  load();
}

/**
 * Told when the tab comes and goes.
 * @param {boolean} now
 */
export function shown(now) {
  visible = now;
  clearInterval(timer);
  if (!now) return;
  timer = setInterval(refresh, EVERY_MS);
  refresh();
}

/** @param {...(Node | string)} content */
function say(...content) {
  state.hidden = content.length === 0;
  state.replaceChildren(...content);
}

function load() {
  if (globalThis.Plotly) {
    say();
    return refresh();
  }
  if (loading) return;
  say('Loading the plots …');
  // With an element of this name and class the script knows that it must not write style sheets.
  if (!document.getElementById('plotly.js-style-global'))
    document.head.append(el('meta', { id: 'plotly.js-style-global', class: 'no-inline-styles' }));
  const script = el('script', { src: '/plotly.js' });
  loading = script;
  script.onload = () => {
    loading = null;
    if (globalThis.Plotly) {
      say();
      refresh();
    } else failed();
  };
  script.onerror = () => {
    script.remove();
    loading = null;
    failed();
  };
  document.head.append(script);
}

function failed() {
  say(
    el('strong', {}, 'The plotting script could not be loaded.'),
    ' Everything else works without it; the last values are in the table below. ',
    el('button', { type: 'button', class: 'button', onclick: load }, 'Try again'),
  );
  refresh();
}

async function refresh() {
  if (!visible || asking || !store.run || store.link.state !== 'open') return;
  asking = true;
  const run = store.run.id;
  try {
    const answer = await ask('plots', {});
    if (run === store.run?.id) {
      plots = answer;
      draw();
    }
  } catch (error) {
    if (!plots && globalThis.Plotly)
      say(
        el('strong', {}, 'The numbers could not be had:'),
        ` ${reasonOf(error)}. They are asked for again every two seconds.`,
      );
  } finally {
    asking = false;
  }
}

function clear() {
  for (const one of drawn.values()) {
    one.gone = true;
    one.busy.then(() => globalThis.Plotly?.purge(one.plot));
  }
  drawn.clear();
  figures.replaceChildren();
  table.replaceChildren();
}

// ---- Drawing ----

/**
 * Does something to a plot when what was done to it before is finished: Plotly draws in pieces, and fails if it is taken
 * away meanwhile.
 * @param {Drawn} one
 * @param {(plot: any) => unknown} act
 */
function then(one, act) {
  one.busy = one.busy
    .then(() => (one.gone ? null : act(one.plot)))
    .catch((/** @type {unknown} */ error) => {
      if (!one.gone) console.error(error);
    });
}

function draw() {
  if (!plots) return;
  tell();
  if (!globalThis.Plotly || !visible) return;
  if (plots.at.length < 2) {
    say('There is nothing to plot yet: let the run go on.');
    return;
  }
  say();
  const style = getComputedStyle(root),
    colour = (/** @type {string} */ name) => style.getPropertyValue(name).trim();
  for (const group of plots.groups) {
    const series = plots.series.filter((each) => each.group === group.name && each.y.length);
    if (!series.length) continue;
    const one = drawn.get(group.name) ?? add(group);
    one.series = chosenFirst(series);
    const content = traces(plots.at, one.series, group, colour),
      about = layout(plots.at, group, colour, one.series.length);
    then(one, (plot) =>
      globalThis.Plotly.react(plot, content, about, {
        displayModeBar: false,
        responsive: false,
        scrollZoom: false,
        doubleClick: false,
      }),
    );
    if (!one.listens) listen(one);
  }
}

/** @param {Wire.Curve} curve */
function isSelected({ robot }) {
  return robot !== null && store.selection.robots.has(robot);
}

/**
 * With more robots than can be told apart, those that are selected and the first ones.
 * @param {Wire.Curve[]} series
 */
function chosenFirst(series) {
  if (series.length <= MOST_TRACES) return series;
  const selected = series.filter(isSelected);
  return [...selected, ...series.filter((each) => !isSelected(each))].slice(0, MOST_TRACES);
}

/** @param {Wire.PlotGroup} group */
function add(group) {
  const plot = el('div', {
    class: 'plot',
    role: 'img',
    'aria-label': `${group.name}: ${group.about}. The last values are in the table below`,
  });
  figures.append(el('figure', {}, el('figcaption', {}, el('b', {}, group.name), group.about), plot));
  /** @type {Drawn} */
  const one = { plot, series: [], listens: false, busy: Promise.resolve(), gone: false };
  drawn.set(group.name, one);
  return one;
}

/**
 * Text as Plotly shall write it: it would take names for markup and for templates.
 * @param {string} name
 */
const asText = (name) => name.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('%{', '%&#123;');

/**
 * @param {number[]} times
 * @param {Wire.Curve[]} series
 * @param {Wire.PlotGroup} group
 * @param {(name: string) => string} colour
 */
function traces(times, series, group, colour) {
  const any = series.some(isSelected);
  const shares = group.kind === 'shares';
  return series.map((each, at) => {
    const selected = isSelected(each);
    const line = colour(COLOURS[at % COLOURS.length]);
    return {
      type: 'scatter',
      mode: 'lines',
      name: asText(each.name),
      showlegend: selected || series.length <= MOST_NAMED,
      x: times,
      y: each.y,
      line: {
        color: line,
        width: selected ? 3.5 : any && each.robot !== null ? 1 : 1.75,
        dash: shares ? 'solid' : DASHES[Math.floor(at / COLOURS.length) % DASHES.length],
        shape: shares ? 'linear' : 'hv',
      },
      opacity: any && each.robot !== null && !selected ? 0.35 : 1,
      ...(shares ? { stackgroup: group.name, line: { color: line, width: 1 }, hoveron: 'points' } : {}),
      hovertemplate: `%{y:.4~g}${group.unit ? ` ${asText(group.unit)}` : ''}<extra>%{fullData.name}</extra>`,
    };
  });
}

/**
 * @param {number[]} times
 * @param {Wire.PlotGroup} group
 * @param {(name: string) => string} colour
 * @param {number} count
 */
function layout(times, group, colour, count) {
  const text = colour('--soft'),
    grid = colour('--grid'),
    edge = colour('--edge');
  const axis = {
    gridcolor: grid,
    linecolor: edge,
    tickcolor: edge,
    zeroline: false,
    fixedrange: true,
    color: text,
    automargin: false,
  };
  return {
    margin: { l: 44, r: 10, t: 6, b: 34 },
    height: 190,
    paper_bgcolor: 'rgba(0,0,0,0)',
    plot_bgcolor: 'rgba(0,0,0,0)',
    font: { family: colour('--sans'), size: 11, color: text },
    xaxis: { ...axis, title: { text: 's', standoff: 2 }, range: [times[0], last(times)] },
    yaxis: { ...axis, title: group.unit ? { text: asText(group.unit), standoff: 2 } : undefined, rangemode: 'tozero' },
    hovermode: count > 6 ? 'closest' : 'x',
    dragmode: false,
    hoverlabel: { bgcolor: colour('--raised'), bordercolor: edge, font: { color: colour('--text'), size: 11 } },
    showlegend: count > 1,
    legend: { orientation: 'v', font: { size: 11, color: colour('--text') }, itemclick: false, itemdoubleclick: false },
    shapes: [timeLine(colour)],
  };
}

/** @param {(name: string) => string} colour */
function timeLine(colour) {
  const at = store.view.live ? (store.moment?.at ?? store.view.at) : store.view.at;
  return {
    type: 'line',
    x0: at,
    x1: at,
    yref: 'paper',
    y0: 0,
    y1: 1,
    line: { color: colour('--text'), width: 1.5, dash: 'dot' },
  };
}

let moved = 0;
function drawTime() {
  if (!visible || !globalThis.Plotly || moved) return;
  // A shape is cheap to move, but not thirty times a second.
  moved = setTimeout(
    () => {
      moved = 0;
      const style = getComputedStyle(root),
        line = timeLine((name) => style.getPropertyValue(name).trim());
      for (const one of drawn.values())
        then(one, (plot) =>
          plot.isConnected && plot.layout ? globalThis.Plotly.relayout(plot, { shapes: [line] }) : null,
        );
    },
    store.view.live ? 1000 : 80,
  );
}

/** @param {Drawn} one */
function listen(one) {
  one.listens = true;
  /** @type {{curveNumber: number} | null} */
  let hit = null;
  // Only what has been drawn can be listened to.
  then(one, (plot) => {
    plot.on('plotly_hover', (/** @type {any} */ { points }) => {
      hit = points?.[0] ?? null;
    });
    plot.on('plotly_unhover', () => {
      hit = null;
    });
    plot.on('plotly_legendclick', (/** @type {any} */ { curveNumber }) => {
      choose(one.series[curveNumber]?.robot);
      return false;
    });
  });
  const { plot } = one;
  plot.addEventListener('click', (/** @type {MouseEvent} */ event) => {
    const axis = plot._fullLayout?.xaxis;
    if (!axis) return;
    const box = plot.getBoundingClientRect(),
      x = event.clientX - box.left - axis._offset;
    if (x < 0 || x > axis._length) return;
    lookAt(Math.max(0, axis.p2d(x)));
    choose(hit && one.series[hit.curveNumber]?.robot, event.shiftKey);
  });
}

/** @param {number | null | undefined} robot */
function choose(robot, add = false) {
  if (robot === null || robot === undefined) return;
  selectRobot(robot, { add });
}

// ---- The same in words ----

function tell() {
  if (!plots) return;
  const { at, groups, series: all } = plots;
  details.hidden = false;
  if (!details.open) {
    details.ontoggle = tell;
    return;
  }
  const series = groups
    .flatMap((group) => all.filter((each) => each.group === group.name).map((each) => ({ group, each })))
    .slice(0, 400);
  setText(details.firstChild, `Last values as a table (at ${clock(at.at(-1) ?? 0)})`);
  table.replaceChildren(
    ...series.map(({ group, each }) =>
      el(
        'tr',
        {},
        el('td', {}, group.name),
        el('th', { scope: 'row' }, each.name),
        el(
          'td',
          { class: 'right number' },
          each.y.length ? `${short(last(each.y))}${group.unit ? ` ${group.unit}` : ''}` : '–',
        ),
      ),
    ),
  );
}
