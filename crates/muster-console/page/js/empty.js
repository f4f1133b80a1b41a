// What stands in the place of the map while nothing is loaded: the scenarios, each a button.

import { byId, el } from './dom.js';
import { send } from './link.js';
import { on, store } from './store.js';

/** @param {HTMLElement} section */
export function mountEmpty(section) {
  // A run that is loaded is told of right after the greeting; until that is over nobody knows whether there is none.
  let sure = false;
  /** @type {Wire.Hello | null} */
  let shown = null;
  const map = byId('map'),
    skip = document.querySelector('.skip');

  function show() {
    const held = section.contains(document.activeElement);
    section.hidden = Boolean(store.run);
    // The map lies behind it: nobody is to come there by the Tab key, and who chose a scenario here goes on to Start.
    map.inert = !section.hidden;
    skip?.setAttribute('href', section.hidden ? '#map' : '#empty');
    if (held && section.hidden) document.getElementById('start')?.focus();
    if (store.run || !sure || shown === store.hello) return;
    shown = store.hello;
    const scenarios = shown?.scenarios ?? [],
      given = shown?.given ?? null;
    const sorted = [...scenarios].sort((a, b) => Number(b.name === given) - Number(a.name === given));
    section.replaceChildren(
      el(
        'div',
        { class: 'empty-card' },
        el('h2', {}, 'No robots yet: pick a scenario'),
        el(
          'p',
          {},
          scenarios.length
            ? 'It is loaded for everybody who looks at this server; then press Start.'
            : 'The server knows of no scenarios. Start it with the path of one.',
        ),
        el(
          'ul',
          {},
          sorted.map(({ name, about, kind }) =>
            el(
              'li',
              {},
              el(
                'button',
                {
                  type: 'button',
                  class: 'scenario',
                  'data-scenario': name,
                  title: about,
                  onclick: () => send({ do: 'load', scenario: name }),
                },
                el('b', {}, name),
                el('span', { class: 'scenario-kind' }, kind),
                el('span', { class: 'scenario-about' }, about),
              ),
            ),
          ),
        ),
      ),
    );
  }

  on('run', show);
  on('settled', () => {
    sure = true;
    show();
  });
  on('hello', () => {
    if (sure) show();
  });
  show();
}
