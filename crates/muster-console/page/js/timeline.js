// The timeline: all of the run from its beginning to the live edge, or to the end of a recording, with a tick for what the
// log tells. Whoever moves along it looks at the past, alone; LIVE goes back.

import { allow, pressing } from './bar/allow.js';
import { clock, el, setText } from './dom.js';
import { icon, setIcon } from './icons.js';
import { key } from './keys.js';
import {
  edge,
  goTo,
  inPast,
  isPlaying,
  isReplay,
  linesUpTo,
  nextLine,
  play,
  playPause,
  previousLine,
  shownTime,
  toEdge,
} from './play.js';
import { on, onEach, store } from './store.js';
import { Hint } from './timeline/hint.js';
import { Ticks } from './timeline/ticks.js';

const SEEK_MS = 80;

/** @param {HTMLElement} footer */
export function mount(footer) {
  /**
   * @param {Parameters<typeof icon>[0]} name
   * @param {string} label
   * @param {() => void} run
   */
  const button = (name, label, run) =>
    el('button', { type: 'button', class: 'button square', 'aria-label': label, onclick: pressing(run) }, icon(name));
  const first = button('start', 'To the start', () => {
    play(false);
    goTo(0);
  });
  const previous = button('previous', 'Previous log line', previousLine);
  const toggle = button('play', 'Play', () => (inPast() ? playPause() : null));
  const next = button('next', 'Next log line', nextLine);
  const live = el(
    'button',
    {
      type: 'button',
      class: 'button',
      id: 'live',
      onclick: pressing(() => {
        play(false);
        toEdge();
      }),
    },
    el('span', { class: 'live-dot', 'aria-hidden': 'true' }),
    el('span', {}, 'LIVE'),
  );
  const file = el('span', { class: 'timeline-file', hidden: true });
  const canvas = el('canvas', { 'aria-hidden': 'true' });
  const slider = el(
    'div',
    {
      class: 'track',
      role: 'slider',
      tabindex: 0,
      'aria-label': 'Time',
      'aria-valuemin': 0,
      'aria-valuemax': 0,
      'aria-valuenow': 0,
      'aria-valuetext': clock(0),
    },
    canvas,
  );
  const ticks = new Ticks(canvas);
  const hint = new Hint();
  const time = el('span', { class: 'timeline-time' });
  footer.append(
    el(
      'div',
      { class: 'timeline-buttons', role: 'group', 'aria-label': 'Move in time' },
      first,
      previous,
      toggle,
      next,
    ),
    file,
    el('div', { class: 'track-box' }, slider, hint.element),
    time,
    live,
  );

  /** @type {number | null} where the hand is, between two seeks */
  let dragged = null;
  let due = 0;
  let frame = 0;

  const usable = () => Boolean(store.run) && store.link.state === 'open';
  const draw = () => {
    frame ||= requestAnimationFrame(() => {
      frame = 0;
      show();
    });
  };

  function show() {
    const end = edge();
    const at = Math.min(dragged ?? shownTime(), end || Infinity);
    ticks.draw({ end, at, lines: store.lines, past: inPast() || dragged !== null });
    const value = {
      'aria-valuemax': end.toFixed(1),
      'aria-valuenow': at.toFixed(1),
      'aria-valuetext': `${clock(at)} of ${clock(end)}${inPast() ? '' : ', live'}`,
      'aria-disabled': String(!usable()),
    };
    for (const [name, text] of Object.entries(value))
      if (slider.getAttribute(name) !== text) slider.setAttribute(name, text);
    showTime(at, end);
  }
  /**
   * @param {number} at
   * @param {number} end
   */
  function showTime(at, end) {
    setText(time, store.run ? `${clock(at)} / ${clock(end)}` : '');
  }

  function showButtons() {
    const none = store.link.state !== 'open' ? 'No connection' : !store.run ? 'Nothing is loaded' : '';
    const past = inPast(),
      replay = isReplay(),
      goes = past && isPlaying();
    const atStart = past && store.view.at <= 0,
      atEnd = replay && store.view.at >= edge();
    setIcon(toggle, goes ? 'pause' : 'play');
    toggle.setAttribute('aria-label', goes ? 'Hold your own view' : 'Play your own view');
    allow(first, none || (atStart ? 'This is the start' : ''), 'To the start');
    allow(previous, none || (atStart ? 'This is the start' : ''), 'To the log line before (,)');
    allow(
      toggle,
      none || (past ? '' : 'You look at the live edge: Start and Pause are in the controls'),
      `${goes ? 'Holds' : 'Plays'} your own view (Space)`,
    );
    allow(
      next,
      none || (past ? (atEnd ? 'This is the end' : '') : 'There is nothing after the live edge'),
      'To the next log line (.)',
    );
    allow(
      live,
      none || (replay ? (atEnd ? 'This is the end' : '') : past ? '' : 'You look at the live edge'),
      replay ? 'To the end of the recording (E)' : 'Back to the live edge (E)',
    );
    const label = replay ? 'End' : 'LIVE';
    setText(live.lastChild, label);
    live.classList.toggle('is-live', !past && !replay && Boolean(store.run));
    live.classList.toggle('is-replay', replay);
    document.body.classList.toggle('past', past);
    file.hidden = !replay;
    const recording = store.run?.replay;
    if (recording) {
      setText(file, recording.file);
      file.title = `${recording.file}, recorded with Muster ${recording.recorded_by}`;
    }
  }

  function seekSoon() {
    due ||= setTimeout(() => {
      due = 0;
      if (dragged !== null) goTo(dragged);
    }, SEEK_MS);
  }

  /** @param {PointerEvent} event */
  const timeAt = (event) => {
    const box = slider.getBoundingClientRect();
    return Math.min(1, Math.max(0, (event.clientX - box.left) / box.width)) * edge();
  };

  slider.addEventListener('pointerdown', (event) => {
    if (event.button !== 0 || !usable() || edge() <= 0) return;
    slider.setPointerCapture(event.pointerId);
    play(false);
    dragged = timeAt(event);
    goTo(dragged);
    draw();
    /** @param {PointerEvent} now */
    const move = (now) => {
      dragged = timeAt(now);
      seekSoon();
      draw();
    };
    slider.addEventListener('pointermove', move);
    slider.addEventListener(
      'lostpointercapture',
      () => {
        slider.removeEventListener('pointermove', move);
        clearTimeout(due);
        due = 0;
        // The last place counts, also if it came between two seeks.
        if (dragged !== null && dragged !== store.view.at) goTo(dragged);
        dragged = null;
        draw();
      },
      { once: true },
    );
  });
  slider.addEventListener('pointermove', (event) =>
    hint.show(
      timeAt(event),
      ticks.lineNear(timeAt(event), store.lines, linesUpTo),
      event.clientX - slider.getBoundingClientRect().left,
      slider.clientWidth,
    ),
  );
  slider.addEventListener('pointerleave', () => hint.hide());
  slider.addEventListener('keydown', (event) => {
    /** @type {Record<string, number>} */
    const steps = { ArrowLeft: -1, ArrowDown: -1, ArrowRight: 1, ArrowUp: 1, PageDown: -10, PageUp: 10 };
    const by = steps[event.key];
    if (event.ctrlKey || event.altKey || event.metaKey) return;
    if (by === undefined && event.key !== 'Home' && event.key !== 'End') return;
    event.preventDefault();
    if (!usable()) return;
    if (event.key === 'End') {
      play(false);
      toEdge();
    } else goTo(event.key === 'Home' ? 0 : shownTime() + by);
  });

  new ResizeObserver(draw).observe(slider);
  onEach(['view', 'standing', 'moment', 'lines', 'run', 'link'], draw);
  onEach(['view', 'standing', 'run', 'link', 'playing'], showButtons);
  // The time keeps step with that of the bar; the ticks need not.
  on('frame', () => {
    if (dragged === null) showTime(Math.min(shownTime(), edge()), edge());
  });
  on('theme', () => {
    ticks.readColours();
    draw();
  });
  key(',', 'to the log line before', previousLine, { group: 'Time', when: usable });
  key(
    'e',
    'to the live edge, or the end of a recording',
    () => {
      play(false);
      toEdge();
    },
    { group: 'Time', when: usable },
  );
  showButtons();
  draw();
}
