// The tabs of the side: one panel is seen at a time. What only some people open is loaded when it is opened first.

import { byId, el, hit } from './dom.js';
import { key } from './keys.js';
import { on } from './store.js';

/** @typedef {{mount: (panel: HTMLElement) => void, shown: (now: boolean) => void}} Late */

/** @type {Record<string, () => Promise<Late>>} */
const LATE = { costs: () => import('./costs.js'), plots: () => import('./plots.js') };
/** @type {Map<string, Late>} */
const loaded = new Map();

/**
 * Makes the tabs work, and opens one whenever somebody asks for it by the topic `open`.
 * @param {HTMLElement} list
 */
export function mountTabs(list) {
  /** @type {NodeListOf<HTMLElement>} */
  const all = list.querySelectorAll('[role="tab"]');
  const tabs = [...all];
  /** @param {Element} tab */
  const panel = (tab) => byId(tab.getAttribute('aria-controls') ?? '');
  const current = () => tabs.find((tab) => tab.getAttribute('aria-selected') === 'true') ?? tabs[0];

  /** @param {HTMLElement} tab */
  function show(tab, { focus = false } = {}) {
    const before = current();
    for (const one of tabs) {
      const chosen = one === tab;
      one.setAttribute('aria-selected', String(chosen));
      one.tabIndex = chosen ? 0 : -1;
      panel(one).hidden = !chosen;
    }
    if (focus) tab.focus();
    if (before !== tab) loaded.get(panel(before).id)?.shown(false);
    load(panel(tab));
  }

  list.addEventListener('click', (event) => {
    const tab = hit(event, '[role="tab"]');
    if (tab) show(tab);
  });
  list.addEventListener('keydown', (event) => {
    const at = tabs.findIndex((tab) => tab === document.activeElement);
    /** @type {Record<string, number>} */
    const places = { ArrowRight: at + 1, ArrowLeft: at - 1, Home: 0, End: tabs.length - 1 };
    const to = places[event.key];
    if (at < 0 || to === undefined) return;
    event.preventDefault();
    show(tabs[(to + tabs.length) % tabs.length], { focus: true });
  });
  on('open', ({ tab }) => {
    const wanted = tabs.find((one) => panel(one).id === tab);
    // Who was in the panel that goes must not be left nowhere.
    if (wanted) show(wanted, { focus: panel(current()).contains(document.activeElement) });
  });
  tabs.forEach((tab, index) => {
    tab.title = `${tab.textContent} (${index + 1})`;
    key(String(index + 1), `show ${tab.textContent}`, () => show(tab, { focus: true }), { group: 'Panels' });
  });
}

/** @param {HTMLElement} panel */
async function load(panel) {
  const already = loaded.get(panel.id);
  if (already) return already.shown(true);
  const late = LATE[panel.id];
  if (!late) return;
  try {
    const module = await late();
    if (loaded.has(panel.id)) return;
    loaded.set(panel.id, module);
    panel.replaceChildren();
    module.mount(panel);
    module.shown(!panel.hidden);
  } catch (error) {
    console.error(error);
    panel.replaceChildren(didNotLoad('This panel'));
  }
}

/**
 * What stands where a part of the page could not be loaded.
 * @param {string} what
 */
export function didNotLoad(what) {
  return el('p', { class: 'waiting' }, `${what} did not load. Everything else works; reload the page to try again.`);
}
