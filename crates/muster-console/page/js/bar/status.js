// How it stands: the time, what was sent and lost, what became of the tasks, and whether the server is there.

import { clock, el, setText } from '../dom.js';
import { edge, inPast, isAwaited, isReplay, loaded, shownTime } from '../play.js';
import { emit, on, store } from '../store.js';

/** @typedef {[keyof Wire.Counts, string, string]} Entry the count, its word, and what it is */

/** @type {Entry[]} */
const MESSAGES = [
  ['sent', 'sent', 'Messages sent'],
  ['lost', 'lost', 'Messages lost on the way'],
];
/** @type {Entry[]} */
const TASKS = [
  ['open', 'open', 'Tasks seen and not done'],
  ['done', 'done', 'Tasks done'],
  ['duplicated', 'duplicated', 'Tasks done more than once'],
  ['gone', 'lost', 'Tasks expired or lost'],
];

/**
 * A group of counts: its button, and what shows new ones.
 * @param {string} title
 * @param {Entry[]} entries
 * @param {string} tab
 * @returns {[HTMLElement, (numbers: Wire.Counts | undefined) => void]}
 */
function counts(title, entries, tab) {
  const values = new Map(entries.map(([name, , about]) => [name, el('b', { title: about }, '0')]));
  const button = el(
    'button',
    {
      type: 'button',
      class: 'counts',
      'data-counts': tab,
      title: `${entries.map(([, word, about]) => `${word}: ${about.toLowerCase()}`).join('; ')}. Click for more`,
      onclick: () => emit('open', { tab }),
    },
    el('span', { class: 'counts-title' }, title),
    entries.map(([name, word]) => el('span', { class: 'count', 'data-count': name }, values.get(name), ` ${word}`)),
  );
  return [
    button,
    (numbers) => {
      for (const [name, element] of values) {
        const value = numbers?.[name];
        setText(element, value === undefined ? '–' : value.toLocaleString('en'));
        const bad = ['lost', 'duplicated', 'gone'].includes(name) && (value ?? 0) > 0;
        element.parentElement?.classList.toggle('bad', bad);
      }
    },
  ];
}

/** The pieces of the lower row. */
export function mountStatus() {
  const time = el('span', { id: 'time' }, clock(0));
  const standing = el('span', { id: 'standing', role: 'status' });
  const over = el('span', { class: 'standing-why' });
  const [messages, showMessages] = counts('Messages', MESSAGES, 'plots');
  const [tasks, showTasks] = counts('Tasks', TASKS, 'tasks');
  const state = el('span', { class: 'link-state', role: 'status' });
  const viewers = el('span', { class: 'viewers' });
  const rtt = el('span', { class: 'rtt', title: 'Time for a message to the server and back' });
  const link = el(
    'div',
    { class: 'bar-link', id: 'link' },
    el('span', { class: 'link-dot', 'aria-hidden': 'true' }),
    state,
    rtt,
    viewers,
  );

  const showTime = () => setText(time, store.run ? clock(shownTime()) : '–:––.–');
  function showStanding() {
    const is = store.standing?.is;
    const word = !store.run ? 'empty' : isReplay() ? 'recording' : inPast() ? 'past' : (is ?? 'waiting');
    setText(standing, word);
    standing.dataset.is = word;
    standing.title = isReplay()
      ? `Recorded with Muster ${store.run?.replay?.recorded_by ?? ''}`
      : inPast()
        ? `You look at the past; the run itself is ${is}`
        : '';
    const sentence = isAwaited()
      ? `The recording is being read: ${clock(loaded(), 0)} of ${clock(edge(), 0)}`
      : ((isReplay() || !inPast()) && store.standing?.over) || '';
    setText(over, sentence);
    over.title = sentence;
    showTime();
  }
  function showLink() {
    const { state: is, rtt: ms, refused } = store.link;
    document.body.dataset.link = is;
    setText(state, { open: 'connected', lost: refused ? 'not let in' : 'no connection', connecting: 'connecting' }[is]);
    setText(rtt, is === 'open' && ms !== null ? `${Math.max(1, Math.round(ms))} ms` : '');
    const count = store.standing?.viewers;
    setText(viewers, is === 'open' && count ? `${count} viewer${count === 1 ? '' : 's'}` : '');
  }

  on('frame', showTime);
  on('view', showStanding);
  on('run', showStanding);
  on('standing', () => {
    showStanding();
    showLink();
  });
  on('moment', (moment) => {
    showTime();
    showMessages(moment?.counts);
    showTasks(moment?.counts);
  });
  on('link', showLink);
  showStanding();
  showLink();
  showMessages(undefined);
  showTasks(undefined);
  return [el('div', { class: 'bar-time' }, time, standing, over), messages, tasks, link];
}
