// Why a robot got a task: who offered, who kept silent and for what reason, what was said, and the lines of the log about
// it. With only a robot selected: all that it shows, the tasks it has to do with, and what was written about it last.

import { clock, el, focusedElement, setText, short } from './dom.js';
import { glyph, showTaskState } from './glyphs.js';
import { ask, lookAt, reasonOf } from './link.js';
import { gauge, panel } from './panel.js';
import { sequence } from './sequence.js';
import { clearSelection, emit, lineName, on, robotName, selectRobot, selectTask, store, taskName } from './store.js';

const ASK_EVERY_MS = 1000;
const REFRESH_MS = 500;
const LAST_LINES = 12;
const MOST_LINES = 200;
const MOST_ROWS = 60;

/**
 * What is inspected: a task, or else a robot; and what the server told of it.
 * @type {HTMLElement}
 */
let root;
/** @type {number | null} */
let wanted = null;
/** @type {number | null} */
let about = null;
/** @type {Wire.Story | null} */
let story = null;
/** @type {string | null} */
let problem = null;
let award = 0,
  showAll = false,
  shownAs = '';
let timer = 0;
let askedAt = 0;
let asking = false;
let again = false;
let refreshTimer = 0;
/**
 * @typedef {object} Visible what is shown of a robot, and what each part was made of
 * @property {number} robot
 * @property {HTMLElement} place
 * @property {ReturnType<typeof panel>} inside
 * @property {HTMLElement} tasks
 * @property {HTMLElement} said
 * @property {HTMLElement} lines
 * @property {string} tasksAre
 * @property {string} saidIs
 * @property {string} linesAre
 */

/** @type {Visible | null} */
let visible = null;

/**
 * Puts the inspector into its panel.
 * @param {HTMLElement} element
 */
export function mount(element) {
  root = element;
  root.classList.add('inspector');
  on('selection', choose);
  on('lines', ({ added, reset }) => {
    if (reset) {
      story = null;
      render();
    }
    if (added.some((line) => (wanted !== null ? line.task === wanted : line.robot === about))) askSoon();
    refreshSoon();
  });
  on('view', () => {
    askSoon();
    refreshSoon();
  });
  // The link tells of each ping, too: only coming back counts.
  let linked = store.link.state;
  on('link', ({ state }) => {
    if (state === 'open' && linked !== 'open') askSoon();
    linked = state;
  });
  on('moment', refreshSoon);
  on('run', render);
  // A diagram is drawn for the width there is.
  let width = 0;
  new ResizeObserver(() => {
    if (Math.abs(root.clientWidth - width) > 8) {
      width = root.clientWidth;
      shownAs = '';
      render();
    }
  }).observe(root);
  choose();
}

function choose() {
  const { task } = store.selection,
    robot = task === null ? ([...store.selection.robots].pop() ?? null) : null;
  if (task !== wanted || robot !== about) {
    wanted = task;
    about = robot;
    story = problem = null;
    award = askedAt = 0;
    showAll = false;
    askSoon();
  }
  render();
}

/** Asks once a second at most, and never again before the last question is answered. */
function askSoon() {
  if (asking) again = true;
  if (timer || asking) return;
  timer = setTimeout(
    async () => {
      timer = 0;
      const task = wanted,
        robot = about;
      const asks = task !== null ? () => ask('task', { task }) : robot !== null ? () => ask('robot', { robot }) : null;
      if (!asks || !store.run) return;
      askedAt = performance.now();
      asking = true;
      const still = () => task === wanted && robot === about;
      try {
        const answer = await asks();
        if (!still()) return;
        story = answer;
        problem = null;
      } catch (error) {
        if (!still()) return;
        problem = reasonOf(error);
      } finally {
        asking = false;
        if (again) {
          again = false;
          askSoon();
        }
      }
      render();
    },
    Math.max(20, askedAt + ASK_EVERY_MS - performance.now()),
  );
}

function refreshSoon() {
  if (refreshTimer || wanted !== null) return;
  refreshTimer = setTimeout(() => {
    refreshTimer = 0;
    if (wanted === null) render();
  }, REFRESH_MS);
}

function render() {
  if (wanted !== null) renderTask();
  else if (about !== null && store.run) renderRobot(about);
  else renderNothing();
}

/**
 * Puts new content in place of the old, and leaves focus, scroll and what was unfolded as they were.
 * @param {...Part} content
 */
function replace(...content) {
  const focus = root.contains(document.activeElement) ? focusedElement()?.dataset.focus : null;
  /** @returns {NodeListOf<HTMLDetailsElement>} */
  const details = () => root.querySelectorAll('details[data-keep]');
  const folded = new Map([...details()].map((each) => [each.dataset.keep, each.open]));
  const at = root.scrollTop;
  root.replaceChildren(...flat(content));
  for (const each of details()) each.open = folded.get(each.dataset.keep) ?? each.open;
  root.scrollTop = at;
  /** @type {HTMLElement | null} */
  const same = focus ? root.querySelector(`[data-focus="${CSS.escape(focus)}"]`) : null;
  same?.focus({ preventScroll: true });
}

/** @typedef {Node | null | Part[]} Part elements, one within the other; null is nothing */

/**
 * @param {Part[]} parts
 * @returns {Node[]}
 */
function flat(parts) {
  return parts.flatMap((part) => (Array.isArray(part) ? flat(part) : part ? [part] : []));
}

function renderNothing() {
  visible = null;
  if (shownAs === 'nothing' && root.firstChild) return;
  shownAs = 'nothing';
  replace(
    el(
      'div',
      { class: 'nothing' },
      el('strong', {}, 'Nothing is selected.'),
      el(
        'p',
        {},
        'Select a task, on the map or in the table, to see why it went to whom: the offers, those that kept silent and ' +
          'their reasons, and every message.',
      ),
      el('p', {}, 'Select a robot to see all that it shows of itself.'),
    ),
  );
}

/**
 * How many there are beyond those that are listed; nothing if all are.
 * @param {number} count
 * @param {number} listed
 */
function andMore(count, listed) {
  return count > listed
    ? el('p', { class: 'small and-more' }, `and ${(count - listed).toLocaleString('en')} more`)
    : null;
}

/** @param {number} count */
const counted = (count) => count.toLocaleString('en');

/**
 * @param {number} robot
 * @param {string} focus
 */
function robotLink(robot, focus) {
  return el(
    'button',
    {
      type: 'button',
      class: 'link',
      'data-focus': focus,
      /** @param {MouseEvent} event */
      onclick: (event) => selectRobot(robot, { add: event.shiftKey }),
    },
    robotName(robot),
  );
}

// ---- A task ----

/**
 * What tells one telling of a story from the next.
 * @param {Wire.Story} story
 */
function edition({ messages, marks, awards, lines, nobody }) {
  const newest = messages.at(-1);
  const newestMark = marks.at(-1)?.at;
  return [messages.length, newest?.n, newest?.hearers, marks.length, newestMark, awards.length, lines.length, nobody];
}

function renderTask() {
  visible = null;
  const key = ['task', wanted, award, showAll, problem, story && edition(story), root.clientWidth].join(' ');
  if (key === shownAs) return;
  shownAs = key;
  const name = taskName(wanted);
  if (!story) {
    return replace(
      title(name),
      problem
        ? el(
            'div',
            { class: 'nothing' },
            el('strong', {}, problem),
            ' ',
            el(
              'button',
              {
                type: 'button',
                class: 'button',
                onclick: () => {
                  problem = null;
                  askSoon();
                  shownAs = '';
                  render();
                },
              },
              'Ask again',
            ),
          )
        : el('p', { class: 'nothing' }, 'Asking …'),
    );
  }
  const awards = [...story.awards].reverse();
  award = Math.min(award, Math.max(0, awards.length - 1));
  const one = awards[award];
  const width = Math.max(300, root.clientWidth - 24);
  replace(
    title(one ? `Why ${robotName(one.chosen)}?` : name, one ? name : null),
    problem ? el('p', { class: 'small bad' }, `✕ This may be old: ${problem}.`) : null,
    one ? stepper(awards) : null,
    one ? explain(one) : unexplained(story),
    whyNobody(story),
    story.messages.length
      ? [
          el('h4', {}, 'What was said'),
          sequence(story, {
            all: showAll,
            aim: one?.at ?? null,
            width,
            go: lookAt,
            toggle: () => {
              showAll = !showAll;
              render();
            },
          }),
        ]
      : null,
    lines(story.lines.map((n) => store.lines[n]).filter(Boolean)),
  );
}

/**
 * @param {string} text
 * @param {string | null} [beside]
 */
function title(text, beside) {
  return el(
    'div',
    { class: 'inspector-title' },
    el('h3', {}, text, beside ? el('span', { class: 'beside' }, beside) : null),
    el(
      'button',
      {
        type: 'button',
        class: 'button quiet',
        'data-focus': 'clear',
        onclick: clearSelection,
        title: 'Select nothing (Esc)',
      },
      'Clear',
    ),
  );
}

/** @param {Wire.Award[]} awards */
function stepper(awards) {
  if (awards.length < 2) return null;
  /** @param {number} to */
  const go = (to) => {
    award = to;
    render();
  };
  return el(
    'div',
    { class: 'stepper' },
    el(
      'button',
      {
        type: 'button',
        class: 'button',
        'data-focus': 'older',
        disabled: award === awards.length - 1,
        onclick: () => go(award + 1),
      },
      '◀ Earlier',
    ),
    el('span', {}, `Award ${awards.length - award} of ${awards.length}`),
    el(
      'button',
      { type: 'button', class: 'button', 'data-focus': 'newer', disabled: award === 0, onclick: () => go(award - 1) },
      'Later ▶',
    ),
  );
}

/** @param {Wire.Award} one */
function explain(one) {
  return [
    el('p', { class: 'sentence' }, goButton(one.at, 'award'), ' ', robotLink(one.by, 'award-by'), ` ${one.text}`),
    offers(one),
    store.run?.costs && one.offers.length
      ? el(
          'button',
          { type: 'button', class: 'button more', 'data-focus': 'bids', onclick: () => emit('open', { tab: 'costs' }) },
          'Show all bids over time and heading',
        )
      : null,
    silent(one),
  ];
}

/**
 * @param {number} at
 * @param {string} focus
 */
function goButton(at, focus) {
  return el(
    'button',
    {
      type: 'button',
      class: 'at-time',
      'data-focus': focus ? `go-${focus}` : null,
      title: 'Look at that time',
      onclick: () => lookAt(at),
    },
    clock(at),
  );
}

/** @param {Wire.Award} one */
function offers(one) {
  // One without a value cannot do it: it stands last.
  const given = [...one.offers]
    .sort((a, b) => Number(b.chosen) - Number(a.chosen) || (a.value ?? Infinity) - (b.value ?? Infinity))
    .slice(0, MOST_ROWS);
  const count = one.offer_count;
  if (!given.length) return el('p', { class: 'small' }, 'Nobody offered.');
  const values = given.map((offer) => offer.value).filter((value) => value !== null);
  const most = Math.max(...values),
    least = Math.min(...values);
  const unit = given[0].unit;
  const what = { cost: 'Cost', s: 'Time needed' }[unit];
  return [
    el(
      'table',
      { class: 'data offers' },
      el('caption', {}, `${counted(count)} ${count === 1 ? 'offer' : 'offers'}: the less the better`),
      el(
        'thead',
        {},
        el(
          'tr',
          {},
          el('th', { scope: 'col' }, 'Robot'),
          el('th', { scope: 'col', class: 'right' }, what),
          el('th', { scope: 'col', class: 'bar-cell' }, el('span', { class: 'sr-only' }, 'Compared')),
          el('th', { scope: 'col' }, 'Heard'),
        ),
      ),
      el(
        'tbody',
        {},
        given.map((offer) => {
          const bar = el('span', { class: 'bar' });
          const { value } = offer;
          bar.style.setProperty('--share', value !== null && most > 0 ? (value / most).toFixed(3) : '0');
          bar.hidden = value === null;
          return el(
            'tr',
            { class: offer.chosen ? 'chosen' : null },
            el(
              'th',
              { scope: 'row' },
              el('span', { class: 'tick', 'aria-hidden': 'true' }, offer.chosen ? '✓' : ''),
              robotLink(offer.robot, `offer-${offer.robot}`),
              offer.chosen ? el('span', { class: 'sr-only' }, ' (chosen)') : null,
            ),
            el(
              'td',
              { class: 'right number' },
              value === null ? 'cannot' : unit === 's' ? `${value.toFixed(1)} s` : value.toFixed(2),
            ),
            el(
              'td',
              { class: 'bar-cell' },
              bar,
              el(
                'span',
                { class: 'behind' },
                value !== null && value > least ? `+${short(Number((value - least).toFixed(2)))}` : '',
              ),
            ),
            el('td', {}, offer.heard ? '✓ yes' : el('span', { class: 'bad' }, '✕ lost')),
          );
        }),
      ),
    ),
    andMore(count, given.length),
  ];
}

/** @param {Wire.Award} one */
function silent(one) {
  if (!one.silent.length) return null;
  const listed = one.silent.slice(0, MOST_ROWS),
    count = one.silent_count;
  // What a threshold is compared with is told in words by the robot itself; here is how far it is from it.
  const limit = one.threshold === null ? 'Threshold' : `Threshold ${short(one.threshold)}`;
  return [
    el(
      'table',
      { class: 'data silent' },
      el('caption', {}, `${counted(count)} kept silent`),
      el(
        'thead',
        {},
        el(
          'tr',
          {},
          el('th', { scope: 'col' }, 'Robot'),
          el('th', { scope: 'col' }, 'Because'),
          el('th', { scope: 'col', class: 'bar-cell' }, limit),
        ),
      ),
      el(
        'tbody',
        {},
        listed.map((each) => {
          const bar = gauge(`${robotName(each.robot)}, beside the threshold`);
          bar.show({ value: each.value, min: 0, max: 1, mark: one.threshold });
          const number = el('span', { class: 'number' }, each.value.toFixed(2));
          const beside = el('span', { class: 'with-bar' }, bar.element, number);
          return el(
            'tr',
            {},
            el('th', { scope: 'row' }, robotLink(each.robot, `silent-${each.robot}`)),
            el('td', { title: each.text }, each.text || each.why),
            el('td', { class: 'bar-cell' }, beside),
          );
        }),
      ),
    ),
    andMore(count, listed.length),
  ];
}

/** @param {Wire.Story} story */
function unexplained(story) {
  const task = store.moment?.tasks.find((each) => each.task === wanted);
  if (!story.lines.length && !story.messages.length) {
    return el(
      'div',
      { class: 'nothing' },
      el('strong', {}, 'Nothing has happened to it yet.'),
      ' ',
      store.view.live ? 'Let the run go on, or step to the next line of the log.' : 'Look at a later time.',
    );
  }
  return el(
    'p',
    { class: 'sentence' },
    task && task.holder !== null
      ? [
          robotLink(task.holder, 'holder'),
          ' has it. Nobody was asked to choose: the lines below say who took it up and why.',
        ]
      : 'Nobody has been chosen for it yet. The lines below say what happened.',
  );
}

/**
 * Why nobody took the task, or why it is not done, as of now; nothing if it is, or before anything happened to it.
 * @param {Wire.Story} story
 */
function whyNobody(story) {
  if (!story.nobody.length || !story.lines.length) return null;
  return [
    el('h4', {}, story.under_way ? 'Not done' : 'Why nobody'),
    el(
      'ul',
      { class: 'why-nobody' },
      story.nobody.map((reason) => el('li', {}, reason)),
    ),
  ];
}

/**
 * Lines of the log, each a way to its time; only so many that the page stays quick.
 * @param {Page.Line[]} list
 */
function lines(list, heading = 'In the log', most = MOST_LINES) {
  const upTo = store.view.live ? list : list.filter((line) => line.at <= store.view.at + 1e-6);
  const shown = upTo.slice(-most);
  return [
    el('h4', {}, heading),
    shown.length
      ? el(
          'ol',
          { class: 'about' },
          shown.map((line) =>
            el(
              'li',
              { class: `line-${line.kind}` },
              goButton(line.at, `line-${line.n}`),
              el('span', {}, lineName(line) ? el('b', {}, lineName(line)) : '', ` ${line.text}`),
            ),
          ),
        )
      : el('p', { class: 'small' }, 'Nothing yet.'),
    upTo.length > shown.length
      ? el(
          'p',
          { class: 'small' },
          `These are the last ${shown.length} of ${upTo.length}; filter the log for the others.`,
        )
      : null,
  ];
}

// ---- A robot ----

/** @param {number} robot */
function renderRobot(robot) {
  const card = store.moment?.cards.find((each) => each.robot === robot);
  if (!visible || visible.robot !== robot || shownAs !== `robot ${robot}`) {
    shownAs = `robot ${robot}`;
    const place = el('p', { class: 'small place number' }),
      inside = panel(),
      [tasks, said, lines] = [el('div'), el('div'), el('div')];
    visible = { robot, place, inside, tasks, said, lines, tasksAre: '', saidIs: '', linesAre: '' };
    replace(title(robotName(robot)), place, inside.element, tasks, said, lines);
  }
  if (card) {
    visible.inside.show(card);
    const unit = store.run?.field.unit ?? '';
    const at = card.place.map((each) => each.toFixed(1)).join(', ');
    setText(visible.place, `${card.state}, at ${at} ${unit}`);
  } else setText(visible.place, 'Its panel is on the way …');
  const involved = (store.moment?.tasks ?? []).filter(
    (task) => task.holder === robot || task.by === robot || task.lead === robot || task.workers.includes(robot),
  );
  const is = involved
    .map((task) => `${task.task} ${task.state} ${task.holder} ${task.lead} ${task.by} ${task.workers}`)
    .join();
  if (is !== visible.tasksAre) {
    visible.tasksAre = is;
    visible.tasks.replaceChildren(
      ...(involved.length
        ? [
            el('h4', {}, 'Its tasks'),
            el(
              'ul',
              { class: 'plain' },
              involved.slice(0, 30).map((task) => taskOf(task, robot)),
            ),
          ]
        : []),
    );
  }
  const last = lastAbout(robot);
  const now = last.map((line) => line.n).join();
  if (now !== visible.linesAre && !visible.lines.contains(document.activeElement)) {
    visible.linesAre = now;
    visible.lines.replaceChildren(...flat(lines(last, 'In the log, last')));
  }
  tellWhatWasSaid(visible);
}

/** @param {Visible} shown */
function tellWhatWasSaid(shown) {
  const messages = story?.messages ?? [],
    newest = messages.at(-1);
  const now = [messages.length, newest?.n, newest?.hearers, showAll, root.clientWidth].join(' ');
  const focus = shown.said.contains(document.activeElement) ? focusedElement() : null;
  // Who is at a message stays there; who switches what is shown is at the switch.
  if (now === shown.saidIs || (focus && !focus.closest('.more'))) return;
  shown.saidIs = now;
  if (!story || !messages.length) return shown.said.replaceChildren();
  const diagram = sequence(story, {
    all: showAll,
    width: Math.max(300, root.clientWidth - 24),
    go: lookAt,
    toggle: () => {
      showAll = !showAll;
      render();
      /** @type {HTMLElement | null} */
      const more = shown.said.querySelector('.more');
      more?.focus({ preventScroll: true });
    },
  });
  shown.said.replaceChildren(el('h4', {}, 'What it said and heard'), diagram);
}

/**
 * @param {Wire.TaskState} task
 * @param {number} robot
 */
function taskOf(task, robot) {
  const shape = glyph();
  showTaskState(shape, task.state);
  const part = [
    task.by === robot && 'asked for it',
    task.lead === robot && 'leads it',
    task.holder === robot && 'has it',
    task.workers.includes(robot) && 'is at work',
  ].filter(Boolean);
  return el(
    'li',
    { class: 'task-of' },
    shape,
    el('button', { type: 'button', class: 'link', onclick: () => selectTask(task.task) }, taskName(task.task)),
    el('span', { class: 'small' }, `${task.state}: ${part.join(', ')}`),
  );
}

/** @param {number} robot */
function lastAbout(robot) {
  /** @type {Page.Line[]} */
  const found = [];
  const until = store.view.live ? Infinity : store.view.at + 1e-6;
  for (let n = store.lines.length - 1; n >= 0 && found.length < LAST_LINES; n -= 1) {
    const line = store.lines[n];
    if (line.robot === robot && line.at <= until) found.push(line);
  }
  return found.reverse();
}
