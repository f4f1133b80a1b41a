// The tasks, as a table that can be sorted. Rows are changed in place; choosing one tells its story in the inspector.

import { clock, el, focusedElement, hit, setText, short } from './dom.js';
import { glyph, showTaskState } from './glyphs.js';
import { emit, on, robotName, selectRobot, selectTask, store, taskName } from './store.js';

/** @type {Wire.Progress[]} */
const SETTLED = ['done', 'expired', 'called off'];
/** @type {Wire.Progress[]} */
const RANK = ['open', 'taken', 'worked', 'unseen', 'done', 'expired', 'called off'];

/**
 * Who, as a word, or null.
 * @param {number | null} robot
 */
const who = (robot) => (robot === null ? null : robotName(robot));
/**
 * @param {Wire.TaskState} task
 * @param {number} now
 */
const waited = (task, now) => (task.seen === null ? null : (task.served ?? now) - task.seen);

/**
 * @typedef {object} Column null is nothing; a column in which nothing was ever said is not shown
 * @property {string} id
 * @property {string} label
 * @property {string} [title]
 * @property {boolean} [always] it is shown, whatever is in it
 * @property {boolean} [numeric]
 * @property {(task: Wire.TaskState, now: number) => string | number | null} by what it sorts by
 * @property {(task: Wire.TaskState, now: number) => string | null} text what it says
 * @property {(task: Wire.TaskState) => number | null} [robot] the robot that it names
 */

/**
 * The first five are what fits into a narrow pane; the others are reached by scrolling.
 * @type {Column[]}
 */
const COLUMNS = [
  { id: 'name', label: 'Task', always: true, by: (task) => task.task, text: (task) => taskName(task.task) },
  { id: 'state', label: 'State', always: true, by: (task) => RANK.indexOf(task.state), text: (task) => task.state },
  {
    id: 'holder',
    label: 'Holder / lead',
    title: 'Who has it, or else who leads its auction',
    by: (task) => who(task.holder ?? task.lead),
    text: (task) => who(task.holder ?? task.lead),
    robot: (task) => task.holder ?? task.lead,
  },
  {
    id: 'calls',
    label: 'Calls',
    title: 'How often it was called or put up for auction',
    numeric: true,
    by: (task) => task.calls,
    text: (task) => (task.calls ? String(task.calls) : null),
  },
  {
    id: 'wait',
    label: 'Age',
    title: 'Since it came up; how long it took once it is done',
    numeric: true,
    by: waited,
    text: (task, now) => span(waited(task, now)),
  },
  { id: 'by', label: 'Asked by', by: (task) => who(task.by), text: (task) => who(task.by), robot: (task) => task.by },
  {
    id: 'lead',
    label: 'Lead',
    title: 'Who leads its auction',
    by: (task) => who(task.lead),
    text: (task) => who(task.lead),
    robot: (task) => task.lead,
  },
  {
    id: 'epoch',
    label: 'Attempt',
    numeric: true,
    by: (task) => task.epoch,
    text: (task) => (task.epoch ? String(task.epoch) : null),
  },
  {
    id: 'workers',
    label: 'At work',
    by: (task) => task.workers.length,
    text: (task) => task.workers.map(robotName).join(', ') || null,
  },
  {
    id: 'served',
    label: 'Done at',
    numeric: true,
    by: (task) => task.served,
    text: (task) => (task.served === null ? null : clock(task.served)),
  },
  {
    id: 'place',
    label: 'Place',
    numeric: true,
    by: (task) => task.x,
    text: (task) => `${short(round(task.x))}, ${short(round(task.y))}`,
  },
];

/** @type {HTMLElement} */
let root;
/** @type {HTMLElement} */
let note;
/** @type {HTMLTableElement} */
let table;
/** @type {HTMLTableRowElement} */
let head;
/** @type {HTMLTableSectionElement} */
let body;
/** @type {HTMLElement} */
let scroller;
/**
 * The head of each column, by its name.
 * @type {Map<string, {head: HTMLElement, sorted: HTMLElement}>}
 */
const heads = new Map();
/** @type {HTMLElement} */
let count;
/** @type {HTMLElement} */
let empty;
let sortBy = 'state',
  down = false,
  openOnly = false;
/** @type {Map<number, ReturnType<typeof make>>} */
const rows = new Map();
/** @type {Set<string>} */
const used = new Set();
/** @type {number | null} */
let focused = null;

/** @param {number} value */
const round = (value) => Math.round(value * 10) / 10;
/** @param {number | null} seconds */
const span = (seconds) =>
  seconds === null || !Number.isFinite(seconds) ? null : seconds < 100 ? `${seconds.toFixed(1)} s` : clock(seconds, 0);

/**
 * Puts the table into its panel.
 * @param {HTMLElement} element
 */
export function mount(element) {
  root = element;
  root.classList.add('tasks');
  /** @param {boolean} only */
  const choose = (only) =>
    el(
      'label',
      { class: 'choice' },
      el('input', {
        type: 'radio',
        name: 'which-tasks',
        checked: !only,
        onchange: () => {
          openOnly = only;
          render();
        },
      }),
      only ? 'Open' : 'All',
    );
  count = el('span', { class: 'tasks-count', role: 'status' });
  head = el('tr');
  body = el('tbody');
  table = el('table', { class: 'data', 'aria-label': 'Tasks' }, el('thead', {}, head), body);
  empty = el('div', { class: 'nothing' });
  note = el('p', { class: 'small' });
  scroller = el('div', { class: 'table-scroll', tabindex: 0, role: 'region', 'aria-label': 'Table of tasks' }, table);
  root.replaceChildren(
    el(
      'div',
      { class: 'toolbar' },
      el(
        'fieldset',
        { class: 'choices' },
        el('legend', { class: 'sr-only' }, 'Which tasks'),
        choose(false),
        choose(true),
      ),
      count,
    ),
    scroller,
    note,
    empty,
  );
  const hint = () =>
    scroller.classList.toggle('goes-on', scroller.scrollLeft + scroller.clientWidth < scroller.scrollWidth - 2);
  scroller.addEventListener('scroll', hint, { passive: true });
  const sizes = new ResizeObserver(hint);
  for (const each of [scroller, table]) sizes.observe(each);
  for (const column of COLUMNS) {
    const sorted = el('span', { class: 'sorted', 'aria-hidden': 'true' });
    const button = el(
      'button',
      { type: 'button', title: column.title, onclick: () => order(column.id) },
      column.label,
      sorted,
    );
    const own = el('th', { scope: 'col', class: column.numeric ? 'right' : null }, button);
    heads.set(column.id, { head: own, sorted });
    head.append(own);
  }
  body.addEventListener('keydown', onKey);
  on('moment', render);
  on('selection', render);
  on('newrun', () => {
    rows.clear();
    used.clear();
    body.replaceChildren();
    focused = null;
    render();
  });
  render();
}

/** @param {string} id */
function order(id) {
  if (sortBy === id) down = !down;
  else {
    sortBy = id;
    down = false;
  }
  render();
}

/**
 * @param {string} a
 * @param {string} b
 */
function inOrder(a, b) {
  return a.localeCompare(b, 'en', { numeric: true });
}

/**
 * @param {Wire.TaskState[]} tasks
 * @param {number} now
 */
function sorted(tasks, now) {
  const { by } = COLUMNS.find((column) => column.id === sortBy) ?? COLUMNS[0];
  const keyed = tasks.map((task) => ({ key: by(task, now), task }));
  const sign = down ? -1 : 1;
  keyed.sort(({ key: a, task: one }, { key: b, task: other }) => {
    // What has no value stands last, whichever way.
    if (a === null || b === null) return Number(a === null) - Number(b === null) || one.task - other.task;
    const found = typeof a === 'number' && typeof b === 'number' ? a - b : inOrder(String(a), String(b));
    return found * sign || one.task - other.task;
  });
  return keyed.map(({ task }) => task);
}

function render() {
  const now = store.moment?.at ?? store.view.at;
  const all = (store.moment?.tasks ?? []).filter((task) => task.state !== 'unseen' || !openOnly);
  const tasks = sorted(openOnly ? all.filter((task) => !SETTLED.includes(task.state)) : all, now);
  explain(all, tasks);
  for (const column of COLUMNS) {
    const is = column.id === sortBy,
      own = heads.get(column.id);
    if (column.always || all.some((task) => column.text(task, now) !== null)) used.add(column.id);
    if (!own) continue;
    if (is) own.head.setAttribute('aria-sort', down ? 'descending' : 'ascending');
    else own.head.removeAttribute('aria-sort');
    setText(own.sorted, is ? (down ? '▼' : '▲') : '');
    own.head.hidden = !used.has(column.id);
  }
  const here = new Set(tasks.map((task) => task.task));
  for (const [task, row] of rows)
    if (!here.has(task)) {
      row.element.remove();
      rows.delete(task);
    }
  if (focused === null || !here.has(focused)) focused = tasks[0]?.task ?? null;
  /** @type {HTMLElement | null} */
  let before = null;
  for (const task of tasks) {
    let row = rows.get(task.task);
    if (!row) {
      row = make(task.task);
      rows.set(task.task, row);
    }
    /** @type {Node | null} */
    const next = before ? before.nextSibling : body.firstChild;
    // A row that has the focus is left where it is, and the others move about it: moving it would lose the focus.
    if (next !== row.element) moveTo(row.element, next);
    before = row.element;
    row.show(task, now);
  }
}

/**
 * @param {HTMLElement} element
 * @param {Node | null} next
 */
function moveTo(element, next) {
  const had = element.contains(document.activeElement) ? focusedElement() : null;
  body.insertBefore(element, next);
  had?.focus({ preventScroll: true });
}

/**
 * @param {Wire.TaskState[]} all
 * @param {Wire.TaskState[]} shown
 */
function explain(all, shown) {
  scroller.hidden = shown.length === 0;
  const total = store.run?.tasks.length ?? 0;
  setText(count, all.length ? `${shown.length} of ${total}` : '');
  setText(
    note,
    total > all.length && all.length >= 500
      ? `Of ${total} tasks the ${all.length} that matter most now are listed.`
      : '',
  );
  note.hidden = note.textContent === '';
  empty.hidden = shown.length > 0;
  if (shown.length) return;
  const [first, second] = !store.run
    ? ['Nothing is loaded.', 'Pick a scenario at the top and press Init.']
    : store.run.kind === 'reception'
      ? ['A reception has no tasks.', 'What the robots do, and why, is in the log and in their panels.']
      : all.length
        ? ['No task is open.', 'Choose All to see those that are done.']
        : [
            'No task has come up yet.',
            store.standing?.is === 'ready' ? 'Press Start.' : 'They are listed here as soon as a robot sees one.',
          ];
  const text = `${first} ${second}`;
  if (empty.textContent !== text) empty.replaceChildren(el('strong', {}, first), ' ', second);
}

/** @param {number} number */
function make(number) {
  const shape = glyph();
  const cells = COLUMNS.map((column) => {
    const text =
      column.id === 'name'
        ? el('button', { type: 'button', class: 'link' })
        : column.robot
          ? el('button', { type: 'button', class: 'link', tabindex: -1 })
          : el('span');
    const cell = el(
      column.id === 'name' ? 'th' : 'td',
      {
        class: column.numeric ? 'right number' : column.id === 'state' ? 'state-cell' : null,
        scope: column.id === 'name' ? 'row' : null,
      },
      column.id === 'state' ? shape : null,
      text,
    );
    return { column, text, cell, robot: /** @type {number | null} */ (null) };
  });
  const element = el(
    'tr',
    { 'data-task': number },
    cells.map((each) => each.cell),
  );
  element.addEventListener('click', (event) => {
    const cell = cells.find((each) => each.cell.contains(/** @type {Node} */ (event.target)));
    if (cell?.column.robot && event.target === cell.text && cell.robot !== null)
      return selectRobot(cell.robot, { add: event.shiftKey });
    choose(number);
  });
  element.addEventListener('focusin', () => {
    focused = number;
  });
  return { element, name: cells[0].text, show };

  /**
   * @param {Wire.TaskState} task
   * @param {number} now
   */
  function show(task, now) {
    const selected = store.selection.task === number;
    element.classList.toggle('selected', selected);
    element.classList.toggle('settled', SETTLED.includes(task.state));
    cells[0].text.setAttribute('aria-pressed', String(selected));
    cells[0].text.tabIndex = focused === number ? 0 : -1;
    showTaskState(shape, task.state);
    for (const each of cells) {
      const text = each.column.text(task, now);
      setText(each.text, text ?? '–');
      each.cell.hidden = !used.has(each.column.id);
      if (each.column.robot) {
        each.robot = each.column.robot(task);
        each.text.toggleAttribute('disabled', each.robot === null);
      }
    }
  }
}

/** @param {number} task */
function choose(task) {
  selectTask(task);
  emit('open', { tab: 'inspector' });
}

/** @param {KeyboardEvent} event */
function onKey(event) {
  const row = /** @type {HTMLTableRowElement | null} */ (hit(event, 'tr'));
  if (!row || event.altKey || event.ctrlKey || event.metaKey) return;
  const list = [...body.rows],
    at = list.indexOf(row);
  /** @type {Record<string, number>} */
  const places = { ArrowDown: at + 1, ArrowUp: at - 1, Home: 0, End: list.length - 1 };
  const next = list[places[event.key]];
  if (next) {
    event.preventDefault();
    event.stopPropagation();
    focused = Number(next.dataset.task);
    for (const each of rows.values()) each.name.tabIndex = -1;
    const name = rows.get(focused)?.name;
    if (name) name.tabIndex = 0;
    name?.focus();
    return;
  }
  // Left and right go along the robots of the row.
  if (event.key === 'ArrowRight' || event.key === 'ArrowLeft') {
    /** @type {NodeListOf<HTMLButtonElement>} */
    const all = row.querySelectorAll('button:not([disabled])');
    const links = [...all].filter((each) => each.offsetParent);
    const at = links.indexOf(/** @type {HTMLButtonElement} */ (event.target));
    const beside = links[at + (event.key === 'ArrowRight' ? 1 : -1)];
    if (beside) {
      event.preventDefault();
      event.stopPropagation();
      beside.focus();
    }
  }
}
