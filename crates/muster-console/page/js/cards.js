// The robots: a list of cards of which only those in sight exist, or, in the manner of CARS, all panels side by side. What
// a card shows in full is the robot's own panel; the server sends it only for robots that are watched.

import { badge } from './badge.js';
import { el, hit, setText } from './dom.js';
import { face } from './face.js';
import { glyph, showRobotState } from './glyphs.js';
import { key } from './keys.js';
import { send } from './link.js';
import { gauge, panel, steady } from './panel.js';
import { stateIn } from './states.js';
import { on, robotName, selectRobot, store } from './store.js';

const CLOSED_PX = 48;
const FIRST_GUESS_PX = 240;
const BEYOND_PX = 200;
const MOST_WATCHED = 100;
const MOST_OPEN = 12;
const MOST_PANELS = 12;
const NARROWEST_PX = 152,
  PANEL_PX = 340;
const WATCH_EVERY_MS = 250;
const REFRESH_MS = 200;
const RESORT_MS = 1000;

/** @type {HTMLElement} */
let root;
/** @type {HTMLElement} */
let title;
/** @type {HTMLInputElement} */
let filter;
/** @type {HTMLSelectElement} */
let sort;
/** @type {HTMLElement} */
let scroller;
/** @type {HTMLElement} */
let spacer;
/** @type {HTMLElement} */
let empty;
/**
 * Robots that pass the filter, in the order shown, and the place of each in it.
 * @type {number[]}
 */
let order = [];
/** @type {Map<number, number>} */
let placeOf = new Map();
/**
 * Cards that exist, by robot.
 * @type {Map<number, RobotCard>}
 */
const cards = new Map();
/**
 * What each open card measures.
 * @type {Map<number, number>}
 */
const heights = new Map();
/** @type {number[]} */
let open = [];
/** @type {number | null} */
let focused = null;
/**
 * The robots asked for last; null: the server that was asked is gone.
 * @type {string | null}
 */
let watched = null;
let watchTimer = 0,
  refreshTimer = 0,
  orderedAt = 0;
/** @type {ResizeObserver} */
let sizes;
/**
 * The cards of the last moment, by robot.
 * @type {{moment: Wire.Moment | null, cards: Map<number, Wire.Card>}}
 */
let told = { moment: null, cards: new Map() };

/**
 * Puts the list into its section.
 * @param {HTMLElement} element
 */
export function mount(element) {
  root = element;
  title = el('h2', { class: 'robots-title' }, 'Robots');
  filter = el('input', {
    type: 'search',
    class: 'field robots-filter',
    placeholder: 'Filter',
    title: 'Part of a name or of a state',
    'aria-label': 'Filter robots by name or state',
    spellcheck: 'false',
    autocomplete: 'off',
  });
  sort = el(
    'select',
    { class: 'field robots-sort', 'aria-label': 'Sort robots by', title: 'Sort by' },
    el('option', { value: 'number' }, 'number'),
    el('option', { value: 'name' }, 'name'),
    el('option', { value: 'state' }, 'state'),
  );
  spacer = el('div', { class: 'robots-list', role: 'list', 'aria-label': 'Robots' });
  empty = el('p', { class: 'nothing' });
  scroller = el('div', { class: 'robots-scroll' }, spacer, empty);
  root.replaceChildren(el('div', { class: 'pane-head' }, title, filter, sort), scroller);

  filter.addEventListener('input', () => {
    reorder();
    render();
  });
  sort.addEventListener('change', () => {
    reorder();
    render();
  });
  scroller.addEventListener('scroll', render, { passive: true });
  spacer.addEventListener('keydown', onKey);
  new ResizeObserver(render).observe(scroller);
  sizes = new ResizeObserver(measured);

  on('newrun', () => {
    forget();
    reorder();
    render();
  });
  // A server that is joined again has forgotten who is watched.
  on('run', () => {
    render();
    watch(true);
  });
  // The link tells of each ping, too: only coming back counts.
  on('link', ({ state }) => {
    if (state !== 'open') watched = null;
    else if (watched === null) watch(true);
  });
  on('moment', refreshSoon);
  on('frame', refreshSoon);
  on('layout', () => {
    forget();
    reorder();
    render();
  });
  on('selection', onSelection);
  key('b', 'filter the robots', () => filter.focus(), { group: 'Robots' });
  reorder();
  render();
}

/** All panels at once, as in CARS: with few robots only. */
function sideBySide() {
  return store.layout === 'cars' && (store.run?.robots.length ?? 0) <= MOST_PANELS;
}

function forget() {
  for (const card of cards.values()) drop(card);
  cards.clear();
  heights.clear();
  focused = null;
}

/** @param {RobotCard} card */
function drop(card) {
  sizes.unobserve(card.element);
  card.element.remove();
}

// ---- Which robots, in which order ----

/** @param {number} robot */
function stateOf(robot) {
  const card = cardOf(robot);
  if (card) return card.state;
  return frameStateOf(robot) ?? '';
}

/**
 * The state that the last frame shows.
 * @param {number} robot
 */
function frameStateOf(robot) {
  return store.frame && robot < store.frame.robots ? stateIn(store.frame.state[robot]) : null;
}

/** @param {number} robot */
function cardOf(robot) {
  if (told.moment !== store.moment)
    told = { moment: store.moment, cards: new Map(store.moment?.cards?.map((card) => [card.robot, card])) };
  return told.cards.get(robot);
}

function reorder() {
  orderedAt = performance.now();
  const robots = store.run?.robots ?? [];
  const wanted = filter.value.trim().toLowerCase();
  order = robots.map((_, robot) => robot);
  if (wanted)
    order = order.filter(
      (robot) => robots[robot].name.toLowerCase().includes(wanted) || stateOf(robot).includes(wanted),
    );
  if (sort.value === 'name') {
    const collator = new Intl.Collator('en', { numeric: true });
    order.sort((a, b) => collator.compare(robots[a].name, robots[b].name));
  } else if (sort.value === 'state') {
    // States stand in the order in which they want attention, the last first.
    /** @type {Wire.RobotState[]} */
    const states = store.run?.states ?? [];
    /** @param {number} robot */
    const rank = (robot) => states.indexOf(frameStateOf(robot) ?? 'idle');
    order.sort((a, b) => rank(b) - rank(a) || a - b);
  }
  placeOf = new Map(order.map((robot, at) => [robot, at]));
  setText(title, wanted ? `Robots (${order.length} of ${robots.length})` : `Robots (${robots.length})`);
  empty.hidden = order.length > 0;
  setText(
    empty,
    robots.length
      ? `No robot is called, or does, “${filter.value.trim()}”. Clear the filter to see all ${robots.length}.`
      : 'No robots yet: pick a scenario above and press Init.',
  );
  opened();
}

// ---- Where cards are ----

/**
 * The place of a robot in the list; robots that are not in it stand behind it.
 * @param {number} robot
 */
const rankOf = (robot) => placeOf.get(robot) ?? order.length;

function opened() {
  open = sideBySide()
    ? []
    : [...store.selection.robots]
        .filter((robot) => placeOf.has(robot))
        .slice(-MOST_OPEN)
        .sort((a, b) => rankOf(a) - rankOf(b));
}

/** @param {number} robot */
const heightOf = (robot) => (open.includes(robot) ? (heights.get(robot) ?? FIRST_GUESS_PX) : CLOSED_PX);

/**
 * How far from the top the card at a place begins.
 * @param {number} place
 */
function topOf(place) {
  let top = place * CLOSED_PX;
  for (const robot of open) {
    if (rankOf(robot) >= place) break;
    top += heightOf(robot) - CLOSED_PX;
  }
  return top;
}

/**
 * The card that is at a height of the list.
 * @param {number} y
 */
function placeAt(y) {
  let low = 0,
    high = order.length - 1;
  while (low < high) {
    const middle = (low + high + 1) >> 1;
    if (topOf(middle) <= y) low = middle;
    else high = middle - 1;
  }
  return low;
}

function render() {
  if (!root) return;
  const together = sideBySide();
  root.classList.toggle('side-by-side', together);
  /** @type {Set<number>} */
  const shown = new Set();
  if (together) for (const robot of order) shown.add(robot);
  else if (order.length) {
    const from = placeAt(Math.max(0, scroller.scrollTop - BEYOND_PX));
    const to = placeAt(scroller.scrollTop + scroller.clientHeight + BEYOND_PX);
    for (let place = from; place <= to; place += 1) shown.add(order[place]);
    // The card that has the focus stays, however far it is scrolled away: the focus would fall to the page.
    if (focused !== null && placeOf.has(focused) && cards.get(focused)?.element.contains(document.activeElement))
      shown.add(focused);
  }
  spacer.style.height = together ? '' : `${topOf(order.length)}px`;
  spacer.style.setProperty('--columns', String(columns()));
  for (const [robot, card] of cards)
    if (!shown.has(robot)) {
      drop(card);
      cards.delete(robot);
    }
  if (focused === null || !shown.has(focused)) focused = [...shown][0] ?? null;
  /** @type {HTMLElement | null} */
  let before = null;
  for (const robot of [...shown].sort((a, b) => rankOf(a) - rankOf(b))) {
    let card = cards.get(robot);
    if (!card) {
      card = make(robot);
      cards.set(robot, card);
    }
    // In the order of the list, for those who hear it and for the Tab key; nothing is moved that stands right.
    /** @type {Node | null} */
    const next = before ? before.nextSibling : spacer.firstChild;
    if (next !== card.element) spacer.insertBefore(card.element, next);
    before = card.element;
    place(card);
    card.show();
  }
  watch();
}

/** As few columns as let all panels be seen at once; if they cannot be, as many as there is room for, in rows of like length. */
function columns() {
  const count = Math.max(1, order.length),
    fit = Math.max(1, Math.floor(scroller.clientWidth / NARROWEST_PX));
  for (let each = 1; each < Math.min(fit, count); each += 1) {
    if (Math.ceil(count / each) * PANEL_PX <= scroller.clientHeight) return each;
  }
  return Math.ceil(count / Math.ceil(count / fit));
}

/** @param {RobotCard} card */
function place(card) {
  const { element, robot } = card;
  const at = rankOf(robot);
  element.style.transform = sideBySide() ? '' : `translateY(${topOf(at)}px)`;
  element.setAttribute('aria-posinset', String(at + 1));
  element.setAttribute('aria-setsize', String(order.length));
  card.head.tabIndex = robot === focused ? 0 : -1;
}

/** @param {ResizeObserverEntry[]} entries */
function measured(entries) {
  let changed = false;
  for (const { target, borderBoxSize } of entries) {
    const robot = Number(target.getAttribute('data-robot'));
    if (sideBySide() || !open.includes(robot)) continue;
    // The gap below a card is part of it here.
    const high = Math.ceil(borderBoxSize[0].blockSize) + 4;
    if (heights.get(robot) !== high) {
      heights.set(robot, high);
      changed = true;
    }
  }
  if (changed) render();
}

// ---- One card ----

/** @typedef {ReturnType<typeof make>} RobotCard */

/** @param {number} robot */
function make(robot) {
  const called = el('span', { class: 'card-name' }),
    letters = el('span', { class: 'badge', 'aria-hidden': 'true' });
  const shape = glyph(),
    state = el('span', { class: 'card-state-word' });
  const mini = face(32),
    bar = gauge(''),
    number = el('span', { class: 'number' });
  bar.element.removeAttribute('role');
  const glance = el('span', { class: 'card-glance', 'aria-hidden': 'true' }, mini.element, bar.element, number);
  const head = el(
    'button',
    { type: 'button', class: 'card-head' },
    letters,
    el('span', { class: 'card-who' }, called, el('span', { class: 'card-state' }, shape, state)),
    glance,
  );
  const element = el('div', { class: 'card', role: 'listitem', 'data-robot': robot }, head);
  sizes.observe(element);
  /** @type {ReturnType<typeof panel> | null} */
  let inside = null;
  // What the panel measured at most, for this width of the list.
  let wide = 0,
    tallest = 0;
  head.addEventListener('click', (event) =>
    selectRobot(robot, { add: event.shiftKey || event.ctrlKey || event.metaKey }),
  );
  head.addEventListener('focus', () => {
    focused = robot;
    for (const each of cards.values()) each.head.tabIndex = each.robot === robot ? 0 : -1;
  });
  return { robot, element, head, show };

  function show() {
    const card = cardOf(robot),
      together = sideBySide(),
      name = robotName(robot);
    if (called.textContent !== name) {
      called.textContent = called.title = name;
      letters.textContent = badge(name);
    }
    const selected = store.selection.robots.has(robot),
      unfolded = together || open.includes(robot);
    element.classList.toggle('selected', selected);
    element.classList.toggle('open', unfolded);
    head.setAttribute('aria-pressed', String(selected));
    if (together) head.removeAttribute('aria-expanded');
    else head.setAttribute('aria-expanded', String(unfolded));
    const word = stateOf(robot);
    const failed = Boolean(card?.failure) || frameStateOf(robot) === 'not working';
    element.classList.toggle('failed', failed);
    showRobotState(shape, failed ? 'not working' : (card?.state ?? frameStateOf(robot) ?? 'idle'));
    setText(state, failed && card?.failure && !unfolded ? card.failure : word);
    glanceAt(card, unfolded);
    if (unfolded) {
      if (!inside) {
        inside = panel();
        element.append(inside.element);
      }
      if (card) inside.show(card);
      inside.element.classList.toggle('to-come', !card);
      if (together) keepTallest(inside.element);
      else inside.element.style.minHeight = '';
    } else if (inside) {
      inside.element.remove();
      inside = null;
      wide = 0;
    }
  }

  /**
   * A closed card shows its emotion, or else its first gauge.
   * @param {Wire.Card | undefined} card
   * @param {boolean} unfolded
   */
  function glanceAt(card, unfolded) {
    const fields = unfolded ? [] : (card?.fields ?? []);
    const feeling = fields.find((field) => field.kind === 'emotion');
    const first = fields.find((field) => field.kind === 'gauge');
    mini.element.toggleAttribute('hidden', !feeling);
    if (feeling) mini.show(feeling.face, feeling.intensity);
    bar.element.hidden = number.hidden = !first;
    if (first) {
      bar.show(first);
      setText(number, steady(first.value));
      glance.title = `${first.label} ${steady(first.value)}`;
    } else glance.title = feeling ? `${feeling.value}, ${feeling.level}` : '';
  }

  /**
   * Panels side by side only grow: what stands below them must not jump when a field comes and goes.
   * @param {HTMLElement} shown
   */
  function keepTallest(shown) {
    if (wide !== spacer.clientWidth) {
      wide = spacer.clientWidth;
      tallest = 0;
      shown.style.minHeight = '';
    }
    const parts = /** @type {HTMLElement[]} */ ([...shown.children]);
    const high = parts.reduce((sum, part) => sum + part.offsetHeight, 0);
    if (high > tallest) {
      tallest = high;
      shown.style.minHeight = `${high}px`;
    }
  }
}

// ---- What changes it ----

function refreshSoon() {
  if (refreshTimer) return;
  refreshTimer = setTimeout(() => {
    refreshTimer = 0;
    const byState = sort.value === 'state' || filter.value.trim() !== '';
    if (byState && performance.now() - orderedAt > RESORT_MS) {
      reorder();
      render();
    } else for (const card of cards.values()) card.show();
  }, REFRESH_MS);
}

function onSelection() {
  opened();
  for (const robot of heights.keys()) if (!open.includes(robot)) heights.delete(robot);
  const last = [...store.selection.robots].pop();
  render();
  if (last !== undefined) bringIntoSight(last);
}

/** @param {number} robot */
function bringIntoSight(robot) {
  if (!placeOf.has(robot)) return;
  if (sideBySide()) {
    cards.get(robot)?.element.scrollIntoView({ block: 'nearest' });
    return;
  }
  const top = topOf(rankOf(robot)),
    bottom = top + heightOf(robot);
  const seen = scroller.scrollTop,
    high = scroller.clientHeight;
  if (top < seen || bottom - top > high) scroller.scrollTop = top;
  else if (bottom > seen + high) scroller.scrollTop = bottom - high;
  render();
}

/** Asks for the cards of those in sight and of those selected, when they are others than before. */
function watch(again = false) {
  if (again) watched = '';
  if (watchTimer) return;
  watchTimer = setTimeout(() => {
    watchTimer = 0;
    if (!store.run) return;
    const robots = [...new Set([...store.selection.robots, ...cards.keys()])]
      .slice(0, MOST_WATCHED)
      .sort((a, b) => a - b);
    const now = robots.join();
    if (now === watched || store.link.state !== 'open') return;
    watched = now;
    send({ do: 'watch', robots });
  }, WATCH_EVERY_MS);
}

// ---- Keyboard ----

/** @param {number} place */
function focusOn(place) {
  const robot = order[Math.min(order.length - 1, Math.max(0, place))];
  if (robot === undefined) return;
  focused = robot;
  bringIntoSight(robot);
  if (!cards.has(robot)) render();
  cards.get(robot)?.head.focus({ preventScroll: !sideBySide() });
}

/** @param {KeyboardEvent} event */
function onKey(event) {
  if (!hit(event, '.card-head') || event.altKey || event.ctrlKey || event.metaKey) return;
  const place = focused === null ? 0 : (placeOf.get(focused) ?? 0),
    page = Math.max(1, Math.floor(scroller.clientHeight / CLOSED_PX) - 1);
  const across = sideBySide() ? columns() : 1;
  /** @type {Record<string, number>} */
  const places = {
    ArrowDown: place + across,
    ArrowUp: place - across,
    Home: 0,
    End: order.length - 1,
    PageDown: place + page,
    PageUp: place - page,
    ...(sideBySide() ? { ArrowRight: place + 1, ArrowLeft: place - 1 } : {}),
  };
  const to = places[event.key];
  if (to === undefined) return;
  event.preventDefault();
  event.stopPropagation();
  focusOn(to);
}
