// Robots say what they feel, with the voice of the browser. Many machines have none: then the button says so.

import { el } from './dom.js';

const LONGEST_WAIT_MS = 1500;
const speech = globalThis.speechSynthesis;
/** @type {Set<HTMLButtonElement>} */
const buttons = new Set();
/** @type {'unknown' | 'some' | 'none'} */
let voices = 'unknown';
/** @type {HTMLButtonElement | null} */
let speaking = null;

// Browsers bring their voices late, or never.
if (!speech || !globalThis.SpeechSynthesisUtterance) voices = 'none';
else {
  const look = () => {
    voices = speech.getVoices().length ? 'some' : voices;
    tellAll();
  };
  speech.addEventListener?.('voiceschanged', look);
  look();
  setTimeout(() => {
    if (voices === 'unknown') {
      voices = 'none';
      tellAll();
    }
  }, LONGEST_WAIT_MS);
}

function tellAll() {
  for (const button of buttons)
    if (button.isConnected) tell(button);
    else buttons.delete(button);
}

/** @param {HTMLButtonElement} button */
function tell(button) {
  const none = voices === 'none',
    now = speaking === button;
  const text = none ? 'No voice' : now ? 'Stop' : 'Say it';
  if (button.textContent !== text) button.textContent = text;
  // It stays in reach of the keyboard, so that the reason can be heard, too.
  button.setAttribute('aria-disabled', String(none));
  button.setAttribute(
    'aria-label',
    none
      ? `${button.dataset.who} cannot speak: this browser has no voice`
      : now
        ? `Stop ${button.dataset.who}`
        : `Say what ${button.dataset.who} feels`,
  );
  button.title = none
    ? 'This browser has no voice. Installing a speech synthesiser of the operating system gives it one.'
    : '';
}

/**
 * A button that says what `words()` returns, in the voice of robot number `robot`.
 * @param {string} who
 * @param {number} robot
 * @param {() => string} words
 */
export function sayButton(who, robot, words) {
  const button = el('button', { type: 'button', class: 'button say', 'data-who': who });
  button.addEventListener('click', () => {
    if (voices === 'none') return;
    const stopping = speaking === button;
    speech.cancel();
    speaking = null;
    if (!stopping) say(button, robot, words());
    tellAll();
  });
  buttons.add(button);
  tell(button);
  return button;
}

/**
 * @param {HTMLButtonElement} button
 * @param {number} robot
 * @param {string} sentence
 */
function say(button, robot, sentence) {
  const utterance = new SpeechSynthesisUtterance(sentence);
  utterance.lang = 'en';
  // Neighbours in the list do not sound alike.
  utterance.pitch = 0.7 + (robot % 5) * 0.2;
  utterance.onend = utterance.onerror = () => {
    if (speaking === button) speaking = null;
    tellAll();
  };
  speaking = button;
  speech.speak(utterance);
}
