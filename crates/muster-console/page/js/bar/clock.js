// The buttons of a player: Init, Start or Pause, Step, Stop. At the live edge they are everybody's; in the past and in a
// recording Start, Pause and Step move this viewer alone.

import { el, setText } from '../dom.js';
import { icon, setIcon } from '../icons.js';
import { key } from '../keys.js';
import { lookAt, send } from '../link.js';
import { inPast, isPlaying, isReplay, play, playPause, step } from '../play.js';
import { onEach, store } from '../store.js';
import { allow, pressing } from './allow.js';

export function mountClock() {
  /**
   * @param {Parameters<typeof icon>[0]} name
   * @param {string} label
   * @param {() => void} run
   */
  const button = (name, label, run) =>
    el('button', { type: 'button', class: 'button', onclick: pressing(run) }, icon(name), el('span', {}, label));
  const init = button('init', 'Init', () => {
    if (!isReplay()) return send({ do: 'init' });
    play(false);
    lookAt(0);
  });
  const start = button('play', 'Start', playPause);
  const one = button('step', 'Step', () => step());
  const stop = button('stop', 'Stop', () => send({ do: 'stop' }));
  init.id = 'init';
  start.id = 'start';
  one.id = 'step';
  stop.id = 'stop';
  const group = el('div', { class: 'bar-clock', role: 'group', 'aria-label': 'Clock' }, init, start, one, stop);

  function show() {
    const is = store.standing?.is;
    const none =
      store.link.state !== 'open'
        ? 'No connection'
        : !store.run
          ? 'Nothing is loaded: pick a scenario first'
          : !is
            ? 'Waiting for the server'
            : '';
    const past = inPast(),
      replay = isReplay();
    const goes = past ? isPlaying() : is === 'running';
    const over =
      is === 'stopped'
        ? 'Stopped. Press Init to begin again'
        : is === 'over'
          ? `${store.standing?.over ?? 'Over.'} Press Init to begin again`
          : '';

    const label = goes ? 'Pause' : past ? 'Play' : 'Start';
    setIcon(start, goes ? 'pause' : 'play');
    setText(start.lastChild, label);
    start.classList.toggle('going', goes);

    allow(
      init,
      none || (!replay && is === 'ready' ? 'It is at its beginning already' : ''),
      replay ? 'Back to the beginning of the recording' : 'The same run from its beginning, for everybody',
    );
    allow(
      start,
      none || (past ? '' : over),
      past
        ? `${goes ? 'Holds' : 'Plays'} your own view (Space)`
        : `${goes ? 'Pauses' : 'Starts'} the clock, for everybody (Space)`,
    );
    allow(
      one,
      none || (past ? '' : over || (is === 'running' ? 'Pause first: one can step only while the clock stands' : '')),
      past ? 'To the next line of the log (.)' : 'The next event, for everybody (.)',
    );
    allow(
      stop,
      none ||
        (replay
          ? 'A recording has nothing to stop'
          : is === 'ready'
            ? 'It has not begun'
            : is === 'stopped'
              ? 'It is stopped already'
              : is === 'over'
                ? 'It is over already'
                : ''),
      'Ends this run, for everybody; Init begins again',
    );
  }

  onEach(['standing', 'run', 'link', 'view', 'playing'], show);
  show();

  const usable = () => store.link.state === 'open' && Boolean(store.run);
  key('Space', 'start or pause; in the past: play your own view', playPause, { group: 'Time', when: usable });
  key('.', 'step; in the past: to the next log line', () => step(), { group: 'Time', when: usable });
  key('>', 'step up to the next log line', () => step('line'), { group: 'Time', when: usable });
  return group;
}
