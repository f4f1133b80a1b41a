// Sets up the page: every view gets its place, and what the server says is held until all have theirs. See docs/console-wire.md.

import * as bar from './bar.js';
import { byId } from './dom.js';
import { mountEmpty } from './empty.js';
import { mountKeys } from './keys.js';
import { mountLayout } from './layout.js';
import { ask, connect, release } from './link.js';
import * as log from './log.js';
import { mountNotices } from './notices.js';
import { openSharedLink } from './share.js';
import { emit, on, put, store } from './store.js';
import { didNotLoad, mountTabs } from './tabs.js';
import * as timeline from './timeline.js';

mountKeys(/** @type {HTMLDialogElement} */ (byId('help')));
mountNotices(byId('notices'));
mountLayout(byId('stage'));
mountEmpty(byId('empty'));
bar.mount(byId('bar'));
timeline.mount(byId('timeline'));
log.mount(byId('log'));
mountTabs(byId('tabs'));
openSharedLink();

// While the larger views are made, the server is asked already.
connect();

// A view that cannot be loaded leaves the others alone.
/** @type {Record<string, [string, () => Promise<{mount: (element: HTMLElement) => void}>]>} */
const views = {
  map: ['The plan view', () => import('./map.js')],
  robots: ['The list of robots', () => import('./cards.js')],
  tasks: ['The list of tasks', () => import('./tasks.js')],
  inspector: ['The inspector', () => import('./inspector.js')],
};
await Promise.all(
  Object.entries(views).map(async ([id, [what, load]]) => {
    try {
      (await load()).mount(byId(id));
    } catch (error) {
      console.error(error);
      byId(id).append(didNotLoad(what));
    }
  }),
);

on('run', (run) => {
  document.title = run ? `${run.scenario} ${run.seed} · Muster` : 'Muster';
});

// Whether something is loaded is known when the server has answered a question that was put after its greeting: what there
// is to tell of a run comes before the answer. A server that does not answer is not waited for.
const LONGEST_MS = 400;
on('hello', async () => {
  const asked = performance.now();
  await Promise.race([
    ask('ping', {}).catch(() => null),
    new Promise((done) => {
      setTimeout(done, LONGEST_MS);
    }),
  ]);
  if (store.link.state === 'open') put('link', { ...store.link, rtt: performance.now() - asked });
  emit('settled', undefined);
  document.documentElement.dataset.ready = 'true';
});

release();
