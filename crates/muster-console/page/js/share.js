// A link to what is on the screen: the run, the time and the selection, by their names. Never a token. And what to do when
// the page is opened with such a link.

import { clock, el } from './dom.js';
import { icon } from './icons.js';
import { key } from './keys.js';
import { lookAt, send } from './link.js';
import { notice } from './notices.js';
import { edge, isReplay, shownTime } from './play.js';
import { on, put, robotName, store, taskName } from './store.js';

/** @type {('scenario' | 'seed' | 'strategy')[]} */
const OF_RUN = ['scenario', 'seed', 'strategy'];
const NAMES = ['scenario', 'seed', 'strategy', 'set', 't', 'robots', 'task', 'layout'];

/** The link to what is seen now. */
export function linkToThis() {
  const link = new URL(location.pathname, location.origin);
  const { run, selection } = store;
  if (run) {
    for (const name of OF_RUN) link.searchParams.set(name, run[name] ?? '');
    if (!run.strategy) link.searchParams.delete('strategy');
    for (const change of run.changes) link.searchParams.append('set', change);
    link.searchParams.set('t', String(Number(shownTime().toFixed(3))));
    for (const robot of selection.robots) link.searchParams.append('robots', robotName(robot));
    if (selection.task !== null) link.searchParams.set('task', taskName(selection.task));
  }
  link.searchParams.set('layout', store.layout);
  return link.href;
}

async function share() {
  const link = linkToThis();
  try {
    await navigator.clipboard.writeText(link);
    notice({ text: 'The link is copied. It opens this run at this time, with this selection.', brief: true });
  } catch {
    // Browsers let a page copy only over https and from this machine itself.
    const field = el('input', { class: 'field wide', type: 'text', readonly: true, 'aria-label': 'Link', value: link });
    notice({ text: 'This browser lets no page copy by itself here. Copy the link from this field:', extra: field });
    field.focus();
    field.select();
  }
}

export function shareButton() {
  key('y', 'copy a link to what is seen', share);
  return el(
    'button',
    {
      type: 'button',
      class: 'button',
      id: 'share',
      title: 'Copies a link to this run, time and selection (Y)',
      onclick: share,
    },
    icon('share'),
    el('span', {}, 'Share'),
  );
}

/** Reads the address once, and brings about what it asks for. */
export function openSharedLink() {
  const { searchParams } = new URL(location.href);
  let wanted = searchParams;
  if (!NAMES.some((name) => searchParams.has(name))) return;
  let asked = false;

  // Changes are made when the console is started, not by a page: a run with others is another run.
  /** @param {Wire.Run} run */
  const changed = (run) => wanted.has('scenario') && wanted.getAll('set').join('\n') !== run.changes.join('\n');
  /** @param {Wire.Run} run */
  const matches = (run) =>
    OF_RUN.every((name) => !wanted.has(name) || wanted.get(name) === (run[name] ?? '')) && !changed(run);
  const load = () => {
    asked = true;
    const [scenario, seed, strategy] = OF_RUN.map((name) => wanted.get(name));
    send({ do: 'load', scenario: scenario ?? store.run?.scenario ?? '', seed, strategy });
  };

  // Decided once it is known what the server shows: hello, run and standing are in.
  const stop = [
    on('settled', decide),
    on('standing', () => {
      if (asked) decide();
    }),
  ];
  /** @type {(() => void) | null} */
  let take = null;

  function decide() {
    const { run, standing } = store;
    if (!run) {
      if (wanted.get('scenario') && !asked) load();
      else if (!asked) finish();
      return;
    }
    if (matches(run)) {
      if (!standing || standing.run !== run.id) {
        asked = true;
        return;
      }
      take?.();
      apply(wanted, run);
      return finish();
    }
    if (take) return;
    if (wanted.has('set')) {
      const flags = wanted
        .getAll('set')
        .map((change) => ` --set ${change}`)
        .join('');
      take = notice({
        text: `This link is to ${wanted.get('scenario')} with changes.`,
        help: `Start the console so: muster console ${wanted.get('scenario')}${flags}`,
      });
      return finish();
    }
    if (asked) return;
    const [scenario, seed, strategy] = OF_RUN.map((name) => wanted.get(name));
    const linked = [scenario ?? 'another run', seed && `seed ${seed}`, strategy].filter(Boolean).join(', ');
    take = notice({
      text: `This link is to ${linked}; the server shows ${run.scenario}, seed ${run.seed}, ${run.strategy}.`,
      actions: [{ label: 'Load it (for everybody)', run: load }],
    });
  }

  function finish() {
    for (const off of stop) off();
    // What was asked for is done: a reload must not do it again over what others have loaded since.
    const address = new URL(location.href);
    for (const name of NAMES) address.searchParams.delete(name);
    history.replaceState(null, '', address);
  }
}

/**
 * @param {URLSearchParams} wanted
 * @param {Wire.Run} run
 */
function apply(wanted, run) {
  /**
   * @param {string[]} names
   * @param {{name: string}[]} list
   */
  const numbers = (names, list) =>
    names.map((name) => list.findIndex((one) => one.name === name)).filter((index) => index >= 0);
  const names = wanted
    .getAll('robots')
    .flatMap((given) => (run.robots.some((one) => one.name === given) ? [given] : given.split(',')));
  const [task = null] = numbers(wanted.getAll('task'), run.tasks);
  put('selection', { robots: new Set(numbers(names, run.robots)), task });
  const at = Number(wanted.get('t'));
  if (wanted.has('t') && Number.isFinite(at) && at >= 0) show(at);
}

/** @param {number} at */
function show(at) {
  const { standing } = store;
  if (isReplay() || at < edge()) return lookAt(at);
  if (at === edge()) return;
  if (standing?.is !== 'ready' && standing?.is !== 'paused') {
    notice({
      text: `The link is to ${clock(at)}; the run is at ${clock(edge())} and has not come to it.`,
      brief: standing?.is === 'running',
    });
    return;
  }
  send({ do: 'goto', at });
  const { run } = store;
  const off = on('standing', (now) => {
    if (store.run !== run) return off();
    if (!now || now.live_s < at) return;
    off();
    // It stands there and everybody sees it; only if it has gone on must this viewer look back.
    if (now.live_s > at && store.view.live) lookAt(at);
  });
}
