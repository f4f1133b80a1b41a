// The tasks, as a table that can be sorted. Rows are changed in place; choosing one tells its story in the inspector.

import { clock, el, setText, short } from './dom.js';
import { glyph, showTaskState } from './glyphs.js';
import { emit, on, robotName, selectRobot, selectTask, store, taskName } from './store.js';

const SETTLED = ['done', 'expired', 'called off'];
const RANK = ['open', 'taken', 'worked', 'unseen', 'done', 'expired', 'called off'];

/** Who, as a word, or null. */
const who = (robot) => (robot === null || robot === undefined ? null : robotName(robot));
const waited = (task, now) => (task.seen === null || task.seen === undefined ? null : (task.served ?? now) - task.seen);

// Each column: what it sorts by, and what it says; null is nothing. A column in which nothing was ever said is not shown. The
// first five are what fits into a narrow pane; the others are reached by scrolling.
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
    by: (task) => task.workers?.length ?? 0,
    text: (task) => task.workers?.map(robotName).join(', ') || null,
  },
  {
    id: 'served',
    label: 'Done at',
    numeric: true,
    by: (task) => task.served ?? null,
    text: (task) => (Number.isFinite(task.served) ? clock(task.served) : null),
  },
  {
    id: 'place',
    label: 'Place',
    numeric: true,
    by: (task) => task.x,
    text: (task) => (Number.isFinite(task.x) ? `${short(round(task.x))}, ${short(round(task.y))}` : null),
  },
];

let root, note, table, head, body, count, empty;
let sortBy = 'state',
  down = false,
  openOnly = false;
const rows = new Map();
const used = new Set();
let focused = null;

const round = (value) => Math.round(value * 10) / 10;
const span = (seconds) =>
  seconds === null || !Number.isFinite(seconds) ? null : seconds < 100 ? `${seconds.toFixed(1)} s` : clock(seconds, 0);

/** Puts the table into its panel. */
export function mount(element) {
  root = element;
  root.classList.add('tasks');
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
    el('div', { class: 'table-scroll', tabindex: 0, role: 'region', 'aria-label': 'Table of tasks' }, table),
    note,
    empty,
  );
  const scroller = table.parentElement;
  const hint = () =>
    scroller.classList.toggle('goes-on', scroller.scrollLeft + scroller.clientWidth < scroller.scrollWidth - 2);
  scroller.addEventListener('scroll', hint, { passive: true });
  const sizes = new ResizeObserver(hint);
  for (const each of [scroller, table]) sizes.observe(each);
  for (const column of COLUMNS) {
    column.button = el(
      'button',
      { type: 'button', title: column.title, onclick: () => order(column.id) },
      column.label,
      el('span', { class: 'sorted', 'aria-hidden': 'true' }),
    );
    column.head = el('th', { scope: 'col', class: column.numeric ? 'right' : null }, column.button);
    head.append(column.head);
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

function order(id) {
  if (sortBy === id) down = !down;
  else {
    sortBy = id;
    down = false;
  }
  render();
}

function sorted(tasks, now) {
  const { by } = COLUMNS.find((column) => column.id === sortBy);
  const keyed = tasks.map((task) => [by(task, now) ?? null, task]);
  const sign = down ? -1 : 1;
  keyed.sort(([a, one], [b, other]) => {
    // What has no value stands last, whichever way.
    if (a === null || b === null) return (a === null) - (b === null) || one.task - other.task;
    const found = typeof a === 'string' ? a.localeCompare(b, 'en', { numeric: true }) : a - b;
    return found * sign || one.task - other.task;
  });
  return keyed.map(([, task]) => task);
}

function render() {
  const now = store.moment?.at ?? store.view.at;
  const all = (store.moment?.tasks ?? []).filter((task) => task.state !== 'unseen' || !openOnly);
  const tasks = sorted(openOnly ? all.filter((task) => !SETTLED.includes(task.state)) : all, now);
  explain(all, tasks);
  for (const column of COLUMNS) {
    const is = column.id === sortBy;
    if (is) column.head.setAttribute('aria-sort', down ? 'descending' : 'ascending');
    else column.head.removeAttribute('aria-sort');
    setText(column.button.lastChild, is ? (down ? '▼' : '▲') : '');
    if (column.always || all.some((task) => column.text(task, now) !== null)) used.add(column.id);
    column.head.hidden = !used.has(column.id);
  }
  const here = new Set(tasks.map((task) => task.task));
  for (const [task, row] of rows)
    if (!here.has(task)) {
      row.element.remove();
      rows.delete(task);
    }
  if (!here.has(focused)) focused = tasks[0]?.task ?? null;
  let before = null;
  for (const task of tasks) {
    let row = rows.get(task.task);
    if (!row) {
      row = make(task.task);
      rows.set(task.task, row);
    }
    const next = before ? before.nextSibling : body.firstChild;
    // A row that has the focus is left where it is, and the others move about it: moving it would lose the focus.
    if (next !== row.element) moveTo(row.element, next);
    before = row.element;
    row.show(task, now);
  }
}

function moveTo(element, next) {
  const had = element.contains(document.activeElement) ? document.activeElement : null;
  body.insertBefore(element, next);
  had?.focus({ preventScroll: true });
}

function explain(all, shown) {
  table.parentElement.hidden = shown.length === 0;
  const total = store.run?.tasks?.length ?? 0;
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
    return { column, text, cell, robot: null };
  });
  const element = el(
    'tr',
    { 'data-task': number },
    cells.map((each) => each.cell),
  );
  element.addEventListener('click', (event) => {
    const cell = cells.find((each) => each.cell.contains(event.target));
    if (cell?.column.robot && event.target === cell.text && cell.robot !== null)
      return selectRobot(cell.robot, { add: event.shiftKey });
    choose(number);
  });
  element.addEventListener('focusin', () => {
    focused = number;
  });
  return { element, name: cells[0].text, show };

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
        each.robot = each.column.robot(task) ?? null;
        each.text.disabled = each.robot === null;
      }
    }
  }
}

function choose(task) {
  selectTask(task);
  emit('open', { tab: 'inspector' });
}

function onKey(event) {
  const row = event.target.closest('tr');
  if (!row || event.altKey || event.ctrlKey || event.metaKey) return;
  const list = [...body.rows],
    at = list.indexOf(row);
  const to = { ArrowDown: at + 1, ArrowUp: at - 1, Home: 0, End: list.length - 1 }[event.key];
  if (to !== undefined && list[to]) {
    event.preventDefault();
    event.stopPropagation();
    focused = Number(list[to].dataset.task);
    for (const each of rows.values()) each.name.tabIndex = -1;
    const { name } = rows.get(focused);
    name.tabIndex = 0;
    name.focus();
    return;
  }
  // Left and right go along the robots of the row.
  if (event.key === 'ArrowRight' || event.key === 'ArrowLeft') {
    const links = [...row.querySelectorAll('button:not([disabled])')].filter((each) => each.offsetParent);
    const next = links[links.indexOf(event.target) + (event.key === 'ArrowRight' ? 1 : -1)];
    if (next) {
      event.preventDefault();
      event.stopPropagation();
      next.focus();
    }
  }
}
