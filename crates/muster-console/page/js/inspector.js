// Why a robot got a task: who offered, who kept silent and for what reason, what was said, and the lines of the log about
// it. With only a robot selected: all that it shows, the tasks it has to do with, and what was written about it last.

import { clock, el, setText, short } from './dom.js';
import { glyph, showTaskState } from './glyphs.js';
import { ask, lookAt } from './link.js';
import { gauge, panel } from './panel.js';
import { sequence } from './sequence.js';
import { clearSelection, emit, on, robotName, selectRobot, selectTask, store, taskName } from './store.js';

const ASK_EVERY_MS = 1000;
const REFRESH_MS = 500;
const LAST_LINES = 12;
const MOST_LINES = 200;
const MOST_ROWS = 60;

/** What is inspected: a task, or else a robot; and what the server told of it. */
let root,
  wanted = null,
  about = null,
  story = null,
  problem = null;
let award = 0,
  showAll = false,
  shownAs = '';
let timer = 0,
  askedAt = 0,
  asking = false,
  again = false,
  refreshTimer = 0,
  visible = null;

/** Puts the inspector into its panel. */
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
      if ((task === null && robot === null) || !store.run) return;
      askedAt = performance.now();
      asking = true;
      const still = () => task === wanted && robot === about;
      try {
        const answer = task === null ? await ask('robot', { robot }) : await ask('task', { task });
        if (!still()) return;
        story = answer;
        problem = answer ? null : 'Nothing is known of it at that time.';
      } catch (error) {
        if (!still()) return;
        problem = error.message;
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

/** Puts new content in place of the old, and leaves focus, scroll and what was unfolded as they were. */
function replace(...content) {
  const focus = root.contains(document.activeElement) ? document.activeElement.dataset?.focus : null;
  const folded = new Map(
    [...root.querySelectorAll('details[data-keep]')].map((each) => [each.dataset.keep, each.open]),
  );
  const at = root.scrollTop;
  root.replaceChildren(...content.flat(Infinity).filter(Boolean));
  for (const each of root.querySelectorAll('details[data-keep]'))
    if (folded.has(each.dataset.keep)) each.open = folded.get(each.dataset.keep);
  root.scrollTop = at;
  if (focus) root.querySelector(`[data-focus="${CSS.escape(focus)}"]`)?.focus({ preventScroll: true });
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
        'Select a task, on the map or in the table, to see why it went to whom: the offers, those that kept silent and their reasons, and every message.',
      ),
      el('p', {}, 'Select a robot to see all that it shows of itself.'),
    ),
  );
}

/** How many there are beyond those that are listed; nothing if all are. */
function andMore(count, listed) {
  return count > listed
    ? el('p', { class: 'small and-more' }, `and ${(count - listed).toLocaleString('en')} more`)
    : null;
}

const counted = (count) => count.toLocaleString('en');

function robotLink(robot, focus) {
  return el(
    'button',
    {
      type: 'button',
      class: 'link',
      'data-focus': focus,
      onclick: (event) => selectRobot(robot, { add: event.shiftKey }),
    },
    robotName(robot),
  );
}

// ---- A task ----

function renderTask() {
  visible = null;
  const at = story
    ? `${story.messages.length} ${story.messages.at(-1)?.n} ${story.messages.at(-1)?.hearers} ${story.marks.length} ${story.marks.at(-1)?.at} ${story.awards.length} ${story.lines.length}`
    : '';
  const key = `task ${wanted} ${award} ${showAll} ${problem} ${at} ${root.clientWidth}`;
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
    one ? explain(one) : unexplained(),
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

function stepper(awards) {
  if (awards.length < 2) return null;
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

function explain(one) {
  return [
    el('p', { class: 'sentence' }, goButton(one.at, 'award'), ' ', robotLink(one.by, 'award-by'), ` ${one.text}`),
    offers(one),
    store.run.costs && one.offers.length
      ? el(
          'button',
          { type: 'button', class: 'button more', 'data-focus': 'bids', onclick: () => emit('open', { tab: 'costs' }) },
          'Show all bids over time and heading',
        )
      : null,
    silent(one),
  ];
}

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

function offers(one) {
  // One without a value cannot do it: it stands last.
  const given = [...one.offers]
    .sort((a, b) => b.chosen - a.chosen || (a.value ?? Infinity) - (b.value ?? Infinity))
    .slice(0, MOST_ROWS);
  const count = Math.max(one.offer_count ?? 0, one.offers.length);
  if (!given.length) return el('p', { class: 'small' }, 'Nobody offered.');
  const values = given.map((offer) => offer.value).filter(Number.isFinite);
  const most = Math.max(...values),
    least = Math.min(...values);
  const unit = given[0].unit;
  const what = unit === 'cost' ? 'Cost' : unit === 's' ? 'Time needed' : 'Value';
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
          const can = Number.isFinite(offer.value);
          bar.style.setProperty('--share', can && most > 0 ? (offer.value / most).toFixed(3) : '0');
          bar.hidden = !can;
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
              can
                ? `${offer.value.toFixed(unit === 's' ? 1 : 2)}${unit && unit !== 'cost' ? ` ${unit}` : ''}`
                : 'cannot',
            ),
            el(
              'td',
              { class: 'bar-cell' },
              bar,
              el(
                'span',
                { class: 'behind' },
                offer.value > least ? `+${short(Number((offer.value - least).toFixed(2)))}` : '',
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

function silent(one) {
  if (!one.silent?.length) return null;
  const listed = one.silent.slice(0, MOST_ROWS),
    count = Math.max(one.silent_count ?? 0, one.silent.length);
  // What a threshold is compared with is told in words by the robot itself; here is how far it is from it.
  const measured = listed.some((each) => Number.isFinite(each.shame));
  const limit = Number.isFinite(one.threshold) ? `Threshold ${short(one.threshold)}` : 'Threshold';
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
          measured ? el('th', { scope: 'col', class: 'bar-cell' }, limit) : null,
        ),
      ),
      el(
        'tbody',
        {},
        listed.map((each) => {
          let beside = '–';
          if (Number.isFinite(each.shame)) {
            const bar = gauge(`${robotName(each.robot)}, beside the threshold`);
            bar.show({ value: each.shame, min: 0, max: 1, mark: one.threshold ?? null });
            beside = el(
              'span',
              { class: 'with-bar' },
              bar.element,
              el('span', { class: 'number' }, each.shame.toFixed(2)),
            );
          }
          return el(
            'tr',
            {},
            el('th', { scope: 'row' }, robotLink(each.robot, `silent-${each.robot}`)),
            el('td', { title: each.text }, each.text || each.why),
            measured ? el('td', { class: 'bar-cell' }, beside) : null,
          );
        }),
      ),
    ),
    andMore(count, listed.length),
  ];
}

function unexplained() {
  const task = store.moment?.tasks?.find((each) => each.task === wanted);
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
    task && (task.holder ?? null) !== null
      ? [
          robotLink(task.holder, 'holder'),
          ' has it. Nobody was asked to choose: the lines below say who took it up and why.',
        ]
      : 'Nobody has been chosen for it yet. The lines below say what happened.',
  );
}

/** Lines of the log, each a way to its time; only so many that the page stays quick. */
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
              el(
                'span',
                {},
                line.robot === null || line.robot === undefined ? '' : el('b', {}, robotName(line.robot)),
                ` ${line.text}`,
              ),
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

function renderRobot(robot) {
  const card = store.moment?.cards?.find((each) => each.robot === robot);
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
    const unit = store.run.field?.unit ?? '';
    setText(
      visible.place,
      `${card.state}${card.place ? `, at ${card.place.map((each) => each.toFixed(1)).join(', ')} ${unit}` : ''}`,
    );
  } else setText(visible.place, 'Its panel is on the way …');
  const involved = (store.moment?.tasks ?? []).filter(
    (task) => task.holder === robot || task.by === robot || task.lead === robot || task.workers?.includes(robot),
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
    visible.lines.replaceChildren(...lines(last, 'In the log, last').filter(Boolean));
  }
  tellWhatWasSaid();
}

function tellWhatWasSaid() {
  const messages = story?.messages ?? [];
  const now = `${messages.length} ${messages.at(-1)?.n} ${messages.at(-1)?.hearers} ${showAll} ${root.clientWidth}`;
  if (
    now === visible.saidIs ||
    (visible.said.contains(document.activeElement) && !visible.said.contains(document.activeElement.closest?.('.more')))
  )
    return;
  visible.saidIs = now;
  visible.said.replaceChildren(
    ...(messages.length
      ? [
          el('h4', {}, 'What it said and heard'),
          sequence(story, {
            all: showAll,
            width: Math.max(300, root.clientWidth - 24),
            go: lookAt,
            toggle: () => {
              showAll = !showAll;
              render();
              visible.said.querySelector('.more')?.focus({ preventScroll: true });
            },
          }),
        ]
      : []),
  );
}

function taskOf(task, robot) {
  const shape = glyph();
  showTaskState(shape, task.state);
  const part = [
    task.by === robot && 'asked for it',
    task.lead === robot && 'leads it',
    task.holder === robot && 'has it',
    task.workers?.includes(robot) && 'is at work',
  ].filter(Boolean);
  return el(
    'li',
    { class: 'task-of' },
    shape,
    el('button', { type: 'button', class: 'link', onclick: () => selectTask(task.task) }, taskName(task.task)),
    el('span', { class: 'small' }, `${task.state}: ${part.join(', ')}`),
  );
}

function lastAbout(robot) {
  const found = [],
    until = store.view.live ? Infinity : store.view.at + 1e-6;
  for (let n = store.lines.length - 1; n >= 0 && found.length < LAST_LINES; n -= 1) {
    const line = store.lines[n];
    if (line.robot === robot && line.at <= until) found.push(line);
  }
  return found.reverse();
}
