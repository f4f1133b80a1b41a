// What to run: scenario, seed and strategy. Loading changes what everybody sees.

import { el } from '../dom.js';
import { send } from '../link.js';
import { on, store } from '../store.js';
import { allow } from './allow.js';

/** The form, of which Load is the only button. */
export function mountLoad() {
  const scenario = el('select', { class: 'field', name: 'scenario', 'aria-label': 'Scenario', title: 'Scenario' });
  const seed = el('input', {
    class: 'field seed',
    name: 'seed',
    type: 'text',
    inputmode: 'numeric',
    pattern: '[0-9]{1,20}',
    maxlength: 20,
    size: 6,
    placeholder: 'seed',
    'aria-label': 'Seed',
    title: 'Seed: a whole number; the same seed gives the same run',
    autocomplete: 'off',
    spellcheck: 'false',
  });
  const strategy = el('select', { class: 'field', name: 'strategy', 'aria-label': 'Strategy', title: 'Strategy' });
  const button = el('button', { type: 'submit', class: 'button' }, 'Load');
  const form = el(
    'form',
    { class: 'bar-load', 'aria-label': 'What to run', onsubmit: load },
    scenario,
    seed,
    strategy,
    button,
  );
  let waiting = 0;

  /** @param {Event} event */
  function load(event) {
    event.preventDefault();
    if (button.getAttribute('aria-disabled') === 'true') return;
    send({
      do: 'load',
      scenario: scenario.value,
      ...(seed.value && { seed: seed.value }),
      ...(strategy.value && { strategy: strategy.value }),
    });
    wait(true);
  }

  // A scenario takes a moment to be read; the button says so, but not for ever.
  /** @param {boolean} yes */
  function wait(yes) {
    clearTimeout(waiting);
    waiting = yes ? setTimeout(() => wait(false), 10_000) : 0;
    button.textContent = yes ? 'Loading' : 'Load';
    show();
  }

  function offerScenarios() {
    const given = store.hello?.given ?? null,
      scenarios = store.hello?.scenarios ?? [];
    // The one that was named when the server was started comes first. It may be a file that is in no list.
    const listed = [...new Set([given, ...scenarios.map((one) => one.name), store.run?.scenario ?? null])].filter(
      (name) => name !== null,
    );
    const chosen = scenario.value;
    scenario.replaceChildren(
      ...listed.map((name) =>
        el('option', { value: name, title: scenarios.find((one) => one.name === name)?.about }, name),
      ),
    );
    if (listed.includes(chosen)) scenario.value = chosen;
  }

  /** The strategies of the scenario that is chosen; what a person chose among them before stays, unless `anew`. */
  function offerStrategies(anew = false) {
    const { run, hello } = store;
    const same = run !== null && scenario.value === run.scenario;
    const names =
      (same ? run.strategies : null) ?? hello?.scenarios?.find((one) => one.name === scenario.value)?.strategies ?? [];
    const chosen = anew ? '' : strategy.value;
    // Another scenario names its own strategy in its file.
    strategy.replaceChildren(
      ...(same && names.length ? [] : [el('option', { value: '' }, 'its own')]),
      ...names.map((name) => el('option', { value: name }, name)),
    );
    strategy.value = names.includes(chosen) ? chosen : same ? (run.strategy ?? '') : '';
    if (strategy.selectedIndex < 0) strategy.selectedIndex = 0;
    strategy.disabled = strategy.options.length < 2;
    strategy.title = strategy.disabled ? 'Strategy: there is no choice' : 'Strategy';
  }

  function show() {
    const viewers = store.standing?.viewers ?? 1;
    const why =
      store.link.state !== 'open'
        ? 'No connection'
        : !scenario.value
          ? 'There is no scenario to load'
          : waiting
            ? 'It is being loaded'
            : '';
    allow(button, why, `Loads this run from its beginning, for everybody${viewers > 1 ? ` (${viewers} viewers)` : ''}`);
  }

  scenario.addEventListener('change', () => offerStrategies(true));
  on('hello', () => {
    offerScenarios();
    offerStrategies();
    show();
  });
  on('run', () => wait(false));
  on('newrun', (run) => {
    if (!run) return;
    offerScenarios();
    scenario.value = run.scenario;
    seed.value = run.seed;
    offerStrategies(true);
    show();
  });
  on('error', () => wait(false));
  on('link', show);
  on('standing', show);
  show();
  return form;
}
