// What the page has to tell: errors, news, and that the connection is lost. Nothing here blocks anything.

import { byId, clock, el, setText } from './dom.js';
import { icon } from './icons.js';
import { retryNow } from './link.js';
import { on, store } from './store.js';

const BRIEF_MS = 5000;
const MOST = 5;
/** @type {HTMLElement} */
let alerts;
/** @type {HTMLElement} */
let news;

/**
 * Shows a notice and gives back a function that takes it away. `urgent` is read out at once; `brief` goes by itself;
 * `actions` are `{label, run}`, and each takes the notice away.
 * @param {Page.Notice} notice
 */
export function notice({
  text,
  help = null,
  detail = null,
  extra = null,
  actions = [],
  urgent = false,
  brief = false,
}) {
  const close = () => {
    // The focus stays near by, not at the top of the page.
    const held = box.contains(document.activeElement);
    const next = box.nextElementSibling ?? box.previousElementSibling;
    box.remove();
    if (held) (next?.querySelector('button') ?? byId('map')).focus();
  };
  const box = el(
    'div',
    { class: `notice ${urgent ? 'urgent' : ''}` },
    el(
      'div',
      { class: 'notice-text' },
      el('p', {}, el('b', {}, urgent ? 'Problem: ' : ''), text),
      help && el('p', { class: 'notice-help' }, help),
      detail && el('pre', { tabindex: 0, 'aria-label': 'Details' }, detail),
      extra,
      actions.length > 0 &&
        el(
          'p',
          { class: 'notice-actions' },
          actions.map(({ label, run }) =>
            el(
              'button',
              {
                type: 'button',
                class: 'button',
                onclick: () => {
                  close();
                  run();
                },
              },
              label,
            ),
          ),
        ),
    ),
    el(
      'button',
      { type: 'button', class: 'button square quiet', 'aria-label': 'Dismiss', title: 'Dismiss', onclick: close },
      icon('close'),
    ),
  );
  const host = urgent ? alerts : news;
  host.append(box);
  while (host.children.length > MOST) host.firstElementChild?.remove();
  if (brief)
    setTimeout(() => {
      if (!box.contains(document.activeElement)) box.remove();
    }, BRIEF_MS);
  return close;
}

/**
 * Shows errors and news as they come.
 * @param {HTMLElement} region
 */
export function mountNotices(region) {
  alerts = el('div', { role: 'alert' });
  news = el('div', { role: 'status' });
  region.append(lostBanner(), alerts, news);
  on('error', ({ message, help, detail }) => notice({ text: message, help, detail, urgent: true }));
  on('notice', (one) => notice(one));
  on('newrun', tellOfCut);
  on('standing', tellOfRecording());
}

/**
 * That a recording was cut off.
 * @param {Wire.Run | null} run
 */
function tellOfCut(run) {
  if (run?.replay?.cut)
    notice({
      text: `${run.replay.file} was cut off: ${run.replay.cut}`,
      help: 'What was recorded up to there is shown.',
    });
}

/** That a recording is of another run, or ends early: known once the run has been made again up to there. */
function tellOfRecording() {
  /** @type {number | null} */
  let told = null;
  return (/** @type {Wire.Standing | null} */ standing) => {
    if (!standing) {
      told = null;
      return;
    }
    const { run } = store;
    if (!run?.replay || told === run.id || !standing.over?.startsWith('The recording')) return;
    told = run.id;
    const other = standing.over.startsWith('The recording is of another run');
    // Of a recording that was cut off the notice above has told already.
    if (!other && run.replay.cut) return;
    const part = other ? ', where the two part. Replay it with the version that recorded it' : '';
    notice({
      text: standing.over,
      help: `What is shown ends at ${clock(standing.live_s)}${part}.`,
      urgent: other,
    });
  };
}

/** Says how long there has been no connection. The seconds are not read out: the bar has said already that it is lost. */
function lostBanner() {
  const text = el('span', {});
  const retry = el('button', { type: 'button', class: 'button', onclick: retryNow }, 'Try now');
  const banner = el('div', { class: 'notice lost', hidden: true }, el('div', { class: 'notice-text' }, text), retry);
  let timer = 0;
  /** @param {number} ms */
  const seconds = (ms) => Math.max(0, Math.round(ms / 1000));
  function show() {
    const { since, retryAt, refused } = store.link;
    const now = performance.now();
    const wait = seconds(retryAt - now);
    const says =
      refused ??
      `No connection for ${seconds(now - since)} s. ${wait ? `Trying again in ${wait} s.` : 'Trying again.'}`;
    setText(text, says);
  }
  on('link', ({ state }) => {
    banner.hidden = state !== 'lost';
    clearInterval(timer);
    if (state !== 'lost') return;
    show();
    timer = setInterval(show, 250);
  });
  return banner;
}
