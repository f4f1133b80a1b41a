// What a robot shows of itself. The robot chooses the fields; here is only how each kind of field looks. A panel is built
// once and its values are changed in place: it is told new ones five times a second.

import { clock, el, setText, short } from './dom.js';
import { face } from './face.js';
import { sayButton } from './speech.js';
import { emit, selectRobot, selectTask } from './store.js';

/**
 * @param {HTMLElement} element
 * @param {string} text
 */
function setTitle(element, text) {
  if (element.title !== text) element.title = text;
}

/**
 * A bar with a mark, `role=meter`.
 * @param {string} label
 */
export function gauge(label) {
  const fill = el('span', { class: 'gauge-fill' });
  const mark = el('span', { class: 'gauge-mark', hidden: true });
  const element = el('span', { class: 'gauge', role: 'meter', 'aria-label': label }, fill, mark);
  return {
    element,
    /** @param {{value: number, min?: number, max?: number, mark?: number | null}} options */
    show({ value, min = 0, max = 1, mark: threshold = null }) {
      /** @param {number} x */
      const share = (x) => (max > min ? Math.min(1, Math.max(0, (x - min) / (max - min))) : 0);
      fill.style.transform = `scaleX(${share(value).toFixed(3)})`;
      const over = threshold !== null && value > threshold;
      element.classList.toggle('over', over);
      mark.hidden = threshold === null;
      if (threshold !== null) mark.style.insetInlineStart = `${(share(threshold) * 100).toFixed(1)}%`;
      element.setAttribute('aria-valuemin', String(min));
      element.setAttribute('aria-valuemax', String(max));
      element.setAttribute('aria-valuenow', String(Math.min(max, Math.max(min, value))));
      element.setAttribute(
        'aria-valuetext',
        short(value) + (mark.hidden ? '' : `, ${over ? 'above' : 'not above'} ${short(threshold)}`),
      );
    },
  };
}

/**
 * A number that keeps its width while it changes.
 * @param {number} value
 */
export function steady(value) {
  if (!Number.isFinite(value)) return '–';
  const size = Math.abs(value);
  return Number.isInteger(value) || size >= 1000 ? value.toFixed(0) : value.toFixed(size >= 100 ? 1 : 2);
}

/**
 * @template {Wire.Field['kind']} K
 * @typedef {Extract<Wire.Field, {kind: K}>} FieldOf
 */

/** @typedef {{element: HTMLElement, show: (now: any) => void}} Row `show` is told the field whenever there is a new one */

/**
 * How each kind of field is made.
 * @type {{[K in Wire.Field['kind']]: (field: FieldOf<K>, robot: number, name: string) => Row}}
 */
const KINDS = {
  text: words,
  state: words,
  /** @param {FieldOf<'number'>} field */
  number(field) {
    const value = el('span', { class: 'number' });
    return row(field, value, (now) => {
      setText(value, steady(now.value));
      setTitle(value, String(now.value));
    });
  },
  /** @param {FieldOf<'flag'>} field */
  flag(field) {
    const value = el('span', { class: 'flag' });
    return row(field, value, (now) => {
      setText(value, now.value ? '✓ yes' : '– no');
      value.classList.toggle('yes', Boolean(now.value));
    });
  },
  /** @param {FieldOf<'gauge'>} field */
  gauge(field) {
    const bar = gauge(field.label),
      value = el('span', { class: 'number' });
    return row(field, el('span', { class: 'with-bar' }, bar.element, value), (now) => {
      bar.show(now);
      setText(value, steady(now.value));
      setTitle(value, now.mark === null || now.mark === undefined ? '' : `mark at ${short(now.mark)}`);
    });
  },
  /** @param {FieldOf<'robot'>} field */
  robot: (field) => link(field, (number) => selectRobot(number)),
  /** @param {FieldOf<'task'>} field */
  task: (field) =>
    link(field, (number) => {
      selectTask(number);
      emit('open', { tab: 'inspector' });
    }),
  emotion,
};

/**
 * @template {Wire.Field} F
 * @param {F} field
 * @param {HTMLElement} value
 * @param {(now: F) => void} show
 */
function row(field, value, show) {
  return {
    element: el(
      'div',
      { class: `shows is-${field.kind}` },
      el('span', { class: 'label', title: field.label }, field.label),
      value,
    ),
    show,
  };
}

/** @param {FieldOf<'text' | 'state'>} field */
function words(field) {
  const value = el('span', { class: 'words' });
  return row(field, value, (now) => {
    setText(value, String(now.value));
    setTitle(value, String(now.value));
  });
}

/**
 * @param {FieldOf<'robot' | 'task'>} field
 * @param {(number: number) => void} select
 */
function link(field, select) {
  let number = field.number;
  const button = el('button', { type: 'button', class: 'link', onclick: () => select(number) });
  return row(field, button, (now) => {
    number = now.number;
    setText(button, String(now.value));
    setTitle(button, String(now.value));
  });
}

/**
 * @param {FieldOf<'emotion'>} field
 * @param {number} robot
 * @param {string} name
 */
function emotion(field, robot, name) {
  const drawn = face(48);
  const title = el('strong', { class: 'emotion-name' }),
    level = el('span', { class: 'emotion-level' });
  const bar = gauge(`${field.label}: intensity`),
    number = el('span', { class: 'number' });
  const because = el('p', { class: 'emotion-because' });
  const chain = el('blockquote', { class: 'chain', tabindex: 0, 'aria-label': `what ${name} thinks` });
  let sentences = '';
  const say = sayButton(name, robot, () => sentences);
  const element = el(
    'div',
    { class: 'shows is-emotion' },
    el('div', { class: 'emotion-line' }, el('span', { class: 'sr-only' }, `${field.label}: `), title, level),
    drawn.element,
    el('span', { class: 'with-bar' }, bar.element, number),
    because,
    say,
    chain,
  );
  return {
    element,
    /** @param {FieldOf<'emotion'>} now */
    show(now) {
      drawn.show(now.face, now.intensity);
      setText(title, String(now.value));
      const since = Number.isFinite(now.since_s) ? `since ${clock(now.since_s, 0)}` : '';
      setText(level, [now.level, since].filter(Boolean).join(', '));
      setTitle(level, [now.level, now.valence, since].filter(Boolean).join(', '));
      bar.show({ value: now.intensity, min: 0, max: 1 });
      setText(number, now.intensity.toFixed(2));
      setText(because, now.agency ? `because of ${now.agency}` : '');
      setTitle(because, because.textContent);
      sentences = Array.isArray(now.chain) ? now.chain.join(' ') : (now.chain ?? '');
      const nothing = sentences === '';
      setText(chain, nothing ? 'Nothing on its mind.' : sentences);
      chain.classList.toggle('empty', nothing);
      say.hidden = nothing;
    },
  };
}

/** The fields of one robot's card, kept up to date by `show(card)`. */
export function panel() {
  const failure = el('p', { class: 'failure', hidden: true });
  const list = el('div', { class: 'fields' });
  const element = el('div', { class: 'panel' }, failure, list);
  let shape = '';
  /** @type {Row[]} */
  let rows = [];
  return {
    element,
    /** @param {Wire.Card} card */
    show(card) {
      failure.hidden = !card.failure;
      if (card.failure) setText(failure, `✕ ${card.failure}`);
      const { fields } = card;
      const now = `${card.robot}|${fields.map((field) => `${field.kind}:${field.label}`).join('|')}`;
      if (now !== shape) {
        shape = now;
        rows = fields.map((field) => {
          // One that this page does not know is shown as words.
          const make = /** @type {(...field: any) => Row} */ (KINDS[field.kind] ?? words);
          return make(field, card.robot, card.name);
        });
        list.replaceChildren(...rows.map((each) => each.element));
      }
      rows.forEach((each, at) => each.show(fields[at]));
    },
  };
}
