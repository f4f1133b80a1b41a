// How fast it is shown: a slider whose steps are ratios, and the usual speeds as buttons. At the live edge it is everybody's.

import { el, setText, short } from '../dom.js';
import { key } from '../keys.js';
import { inPast, setSpeed, speed } from '../play.js';
import { onEach, store } from '../store.js';
import { allow, pressing } from './allow.js';

/** Slider steps: 20 for each power of ten from 0.1 to 1000, then one more for "as fast as it goes". */
const PER_TEN = 20;
const MAX = 4 * PER_TEN + 2;
const PRESETS = [0.1, 1, 10, 100, 0];
const SEND_MS = 80;

/** @param {number} step */
const fromSlider = (step) => (step > 4 * PER_TEN ? 0 : Number((0.1 * 10 ** (step / PER_TEN)).toPrecision(2)));
/** @param {number} value */
const toSlider = (value) => (value === 0 ? MAX : Math.round(Math.log10(value / 0.1) * PER_TEN));
/** @param {number} value */
const words = (value) => (value === 0 ? 'max' : `${short(value)}×`);

export function mountSpeed() {
  const slider = el('input', { type: 'range', min: 0, max: MAX, step: 1, 'aria-label': 'Speed', oninput: moved });
  const text = el('output', { class: 'speed-text', 'aria-hidden': 'true' });
  const presets = PRESETS.map((value) =>
    el(
      'button',
      {
        type: 'button',
        class: 'button',
        'aria-label': `Speed ${words(value)}`,
        onclick: pressing(() => choose(value)),
      },
      words(value),
    ),
  );
  const group = el(
    'div',
    { class: 'bar-speed', role: 'group', 'aria-label': 'Speed' },
    el('span', { class: 'speed-label', 'aria-hidden': 'true' }, 'Speed'),
    slider,
    text,
    el('div', { class: 'segments' }, presets),
  );
  // While a hand is on the slider it is not moved by what comes back from the server.
  /** @type {number | null} */
  let chosen = null;
  let due = 0;
  let settle = 0;

  /** @param {number} value */
  function choose(value) {
    chosen = value;
    setSpeed(value);
    show();
    clearTimeout(settle);
    settle = setTimeout(() => {
      chosen = null;
      show();
    }, 600);
  }

  function moved() {
    chosen = fromSlider(Number(slider.value));
    show();
    due ||= setTimeout(() => {
      due = 0;
      choose(chosen ?? speed());
    }, SEND_MS);
  }

  function show() {
    const now = chosen ?? speed();
    const said = words(now);
    if (Number(slider.value) !== toSlider(now)) slider.value = String(toSlider(now));
    slider.setAttribute('aria-valuetext', now === 0 ? 'as fast as it goes' : `${short(now)} times`);
    setText(text, said);
    const why = store.link.state !== 'open' ? 'No connection' : !store.run ? 'Nothing is loaded' : '';
    slider.disabled = Boolean(why);
    slider.title = why || (inPast() ? 'How fast your own view plays' : 'How fast it is shown, for everybody ([ and ])');
    presets.forEach((button, index) => {
      button.setAttribute('aria-pressed', String(PRESETS[index] === now));
      allow(
        button,
        why,
        PRESETS[index] === 0 ? 'As fast as it goes' : `${PRESETS[index]} times as fast as it would be`,
      );
    });
  }

  onEach(['standing', 'run', 'link', 'view', 'playing'], show);
  show();

  const usable = () => store.link.state === 'open' && Boolean(store.run);
  /** @param {number} steps */
  const by = (steps) => () =>
    choose(fromSlider(Math.min(MAX, Math.max(0, Math.min(toSlider(chosen ?? speed()), 4 * PER_TEN + 1) + steps))));
  key('[', 'slower', by(-PER_TEN / 4), { group: 'Time', when: usable });
  key(']', 'faster', by(PER_TEN / 4), { group: 'Time', when: usable });
  return group;
}
