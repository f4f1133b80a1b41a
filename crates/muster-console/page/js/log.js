// The log: every line, to follow, filter, read and jump to.

import { clock, el, setText } from './dom.js';
import { icon } from './icons.js';
import { key } from './keys.js';
import { ALL_KINDS, shapeOf } from './kinds.js';
import { addressOf } from './link.js';
import { Filter } from './log/filter.js';
import { List } from './log/list.js';
import { goTo, inPast, linesUpTo } from './play.js';
import { lineName, on, put, store, taskName } from './store.js';

/** @param {HTMLElement} section */
export function mount(section) {
  const filter = new Filter();
  const search = el('input', {
    class: 'field',
    type: 'search',
    placeholder: 'Filter: words',
    'aria-label': 'Filter the log',
    title: 'Lines that hold all of these words (/)',
    spellcheck: 'false',
    autocomplete: 'off',
  });
  const selected = toggle('Selected', 'Only lines of what is selected');
  const follow = toggle('Follow', 'Keeps the newest line in sight, or the time that you look at');
  const save = el(
    'a',
    { class: 'button', download: 'run.log', href: '/run.log' },
    icon('save'),
    el('span', {}, 'Save'),
  );
  const count = el('span', { class: 'log-count' });
  const file = el('span', { class: 'log-file' });
  const chips = new Map(ALL_KINDS.map((kind) => [kind, chip(kind)]));
  const list = new List(filter, {
    look,
    moved: showDetail,
    strayed: () => setFollow(false),
    caughtUp: () => setFollow(true),
  });
  const nothing = el('p', { class: 'log-nothing' });
  const clear = el('button', { type: 'button', class: 'button', onclick: clearFilters }, 'Clear the filters');
  const detail = el('div', { class: 'log-detail', role: 'region', 'aria-label': 'Chosen line', tabindex: 0 });
  const empty = el('div', { class: 'log-empty', hidden: true }, nothing, clear);
  const body = el(
    'div',
    { class: 'log-body', role: 'log', 'aria-live': 'off', 'aria-label': 'Log' },
    list.element,
    empty,
  );
  section.append(
    el('div', { class: 'pane-head log-head' }, el('h2', {}, 'Log'), count, file, save),
    el('div', { class: 'log-tools' }, search, selected, follow),
    el('div', { class: 'log-kinds', role: 'group', 'aria-label': 'Kinds of lines' }, [...chips.values()]),
    body,
    detail,
  );

  let following = true;
  let typing = 0;
  setFollow(true);
  showDetail(null);

  /**
   * @param {string} label
   * @param {string} title
   */
  function toggle(label, title) {
    return el('button', { type: 'button', class: 'button', 'aria-pressed': 'false', title }, label);
  }
  /** @param {Wire.LineKind} kind */
  function chip(kind) {
    return el(
      'button',
      {
        type: 'button',
        class: 'chip',
        'aria-pressed': 'true',
        'data-kind': kind,
        hidden: true,
        title: `Lines of kind ${kind}. Shift and click: only these`,
        /** @param {MouseEvent} event */
        onclick: (event) => chooseKind(kind, event.shiftKey),
      },
      shapeOf(kind),
      kind,
    );
  }

  /**
   * @param {Wire.LineKind} kind
   * @param {boolean} alone
   */
  function chooseKind(kind, alone) {
    const { hidden } = filter;
    if (alone) {
      const already = ALL_KINDS.every((one) => (one === kind) !== hidden.has(one));
      hidden.clear();
      if (!already) for (const one of ALL_KINDS) if (one !== kind) hidden.add(one);
    } else if (!hidden.delete(kind)) hidden.add(kind);
    for (const [one, button] of chips) button.setAttribute('aria-pressed', String(!hidden.has(one)));
    refilter();
  }
  function clearFilters() {
    search.value = '';
    filter.words = [];
    filter.hidden.clear();
    filter.selectedOnly = false;
    selected.setAttribute('aria-pressed', 'false');
    for (const button of chips.values()) button.setAttribute('aria-pressed', 'true');
    refilter();
    search.focus();
  }
  function refilter() {
    filter.again(store.lines);
    show();
  }
  /** @param {boolean} on */
  function setFollow(on) {
    following = on;
    follow.setAttribute('aria-pressed', String(on));
    if (on) list.follow(inPast() ? linesUpTo(store.view.at) - 1 : null);
  }

  function show() {
    const all = store.lines.length,
      some = filter.passing.length;
    const says = filter.isOn()
      ? `${some.toLocaleString('en')} of ${all.toLocaleString('en')}`
      : `${all.toLocaleString('en')} line${all === 1 ? '' : 's'}`;
    setText(count, says);
    const none = some === 0;
    empty.hidden = !none;
    if (none) {
      const text = !store.run
        ? 'Nothing is loaded.'
        : all === 0
          ? 'Nothing has been logged yet: press Start.'
          : filter.selectedOnly && !store.selection.robots.size && store.selection.task === null
            ? 'Nothing is selected: choose a robot or a task.'
            : 'No line is like that.';
      setText(nothing, text);
      clear.hidden = all === 0;
    }
    list.setNow(inPast() ? linesUpTo(store.view.at) - 1 : null);
    list.changed();
    if (following) list.follow(inPast() ? linesUpTo(store.view.at) - 1 : null);
  }

  /**
   * Looks at the moment of a line, and selects what it tells of.
   * @param {number} index
   */
  function look(index) {
    const line = store.lines[index];
    if (!line) return;
    goTo(line.at);
    put('selection', { robots: new Set(line.robot === null ? [] : [line.robot]), task: line.task });
    showDetail(index);
  }
  /** @param {number | null} index */
  function showDetail(index) {
    const line = index === null ? null : store.lines[index];
    if (!line) {
      detail.replaceChildren(
        el('p', { class: 'log-hint' }, 'Choose a line to read it whole and to look at its moment.'),
      );
      return;
    }
    detail.replaceChildren(
      el(
        'p',
        { class: 'log-whole' },
        shapeOf(line.kind),
        el('b', {}, `${clock(line.at, 3)} ${lineName(line)}`),
        ` ${line.text}`,
      ),
      el(
        'p',
        { class: 'log-about' },
        [line.kind, line.task === null || line.task === undefined ? null : taskName(line.task), `line ${line.n + 1}`]
          .filter(Boolean)
          .join(' · '),
      ),
    );
  }
  function showFile() {
    const { run, standing } = store;
    const path = standing?.log;
    const says = path ? `also in ${path}` : '';
    setText(file, says);
    file.title = path ? `The server writes the log to ${path}, too` : '';
    save.setAttribute('href', addressOf('/run.log'));
    save.setAttribute('download', run ? `${run.scenario}-${run.seed}.log` : 'run.log');
    save.title = `Saves the log so far${run ? ` as ${run.scenario}-${run.seed}.log` : ''}${path ? `; it is also written to ${path}` : ''}`;
    save.toggleAttribute('inert', !run || store.link.state !== 'open');
  }

  follow.addEventListener('click', () => setFollow(!following));
  selected.addEventListener('click', () => {
    filter.selectedOnly = !filter.selectedOnly;
    selected.setAttribute('aria-pressed', String(filter.selectedOnly));
    refilter();
  });
  search.addEventListener('input', () => {
    clearTimeout(typing);
    typing = setTimeout(() => {
      filter.words = search.value.toLowerCase().split(/\s+/).filter(Boolean);
      refilter();
    }, 80);
  });
  search.addEventListener('keydown', (event) => {
    if (event.key === 'Escape' && !search.value) list.element.focus();
    if (event.key === 'ArrowDown') {
      event.preventDefault();
      list.element.focus();
    }
  });

  on('lines', ({ added, reset }) => {
    if (reset) {
      filter.again([]);
      list.forget();
      showDetail(null);
      for (const button of chips.values()) button.hidden = true;
      setFollow(true);
    }
    for (const kind of new Set(added.map((line) => line.kind))) {
      const chip = chips.get(kind) ?? chips.get('note');
      if (chip) chip.hidden = false;
    }
    filter.add(added);
    show();
  });
  on('selection', () => {
    if (filter.selectedOnly) refilter();
  });
  on('view', show);
  on('run', (run) => {
    // The column of names is as wide as the longest of them, within reason.
    const longest = Math.max(4, ...(run?.robots ?? []).slice(0, 2000).map(({ name }) => name.length));
    section.style.setProperty('--log-names', `${Math.min(longest + 0.5, 14)}ch`);
    showFile();
    show();
  });
  on('standing', showFile);
  on('link', showFile);
  key(
    '/',
    'filter the log',
    () => {
      search.focus();
      search.select();
    },
    { group: 'Log' },
  );
  key('g', 'follow the log again', () => setFollow(true), { group: 'Log' });
  showFile();
  show();
}
