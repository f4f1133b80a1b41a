// What a robot shows of itself. The robot chooses the fields; here is only how each kind of field looks. A panel is built
// once and its values are changed in place: it is told new ones five times a second.

import { clock, el, setText, short } from './dom.js';
import { face } from './face.js';
import { sayButton } from './speech.js';
import { emit, selectRobot, selectTask } from './store.js';

function setTitle(element, text) {
  if (element.title !== text) element.title = text;
}

/** A bar with a mark, `role=meter`. */
export function gauge(label) {
  const fill = el('span', { class: 'gauge-fill' });
  const mark = el('span', { class: 'gauge-mark', hidden: true });
  const element = el('span', { class: 'gauge', role: 'meter', 'aria-label': label }, fill, mark);
  return {
    element,
    show({ value, min = 0, max = 1, mark: threshold = null }) {
      const share = (x) => (max > min ? Math.min(1, Math.max(0, (x - min) / (max - min))) : 0);
      fill.style.transform = `scaleX(${share(value).toFixed(3)})`;
      const over = threshold !== null && threshold !== undefined && value > threshold;
      element.classList.toggle('over', over);
      mark.hidden = threshold === null || threshold === undefined;
      if (!mark.hidden) mark.style.insetInlineStart = `${(share(threshold) * 100).toFixed(1)}%`;
      element.setAttribute('aria-valuemin', min);
      element.setAttribute('aria-valuemax', max);
      element.setAttribute('aria-valuenow', Math.min(max, Math.max(min, value)));
      element.setAttribute(
        'aria-valuetext',
        short(value) + (mark.hidden ? '' : `, ${over ? 'above' : 'not above'} ${short(threshold)}`),
      );
    },
  };
}

/** A number that keeps its width while it changes. */
export function steady(value) {
  if (!Number.isFinite(value)) return '–';
  const size = Math.abs(value);
  return Number.isInteger(value) || size >= 1000 ? value.toFixed(0) : value.toFixed(size >= 100 ? 1 : 2);
}

// How each kind of field is made; `show` is told the field whenever there is a new one.
const KINDS = {
  text: words,
  state: words,
  number(field) {
    const value = el('span', { class: 'number' });
    return row(field, value, (now) => {
      setText(value, steady(now.value));
      setTitle(value, String(now.value));
    });
  },
  flag(field) {
    const value = el('span', { class: 'flag' });
    return row(field, value, (now) => {
      setText(value, now.value ? '✓ yes' : '– no');
      value.classList.toggle('yes', Boolean(now.value));
    });
  },
  gauge(field) {
    const bar = gauge(field.label),
      value = el('span', { class: 'number' });
    return row(field, el('span', { class: 'with-bar' }, bar.element, value), (now) => {
      bar.show(now);
      setText(value, steady(now.value));
      setTitle(value, now.mark === null || now.mark === undefined ? '' : `mark at ${short(now.mark)}`);
    });
  },
  robot: (field) => link(field, (number) => selectRobot(number)),
  task: (field) =>
    link(field, (number) => {
      selectTask(number);
      emit('open', { tab: 'inspector' });
    }),
  emotion,
};

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

function words(field) {
  const value = el('span', { class: 'words' });
  return row(field, value, (now) => {
    setText(value, String(now.value));
    setTitle(value, String(now.value));
  });
}

function link(field, select) {
  let number = field.number;
  const button = el('button', { type: 'button', class: 'link', onclick: () => select(number) });
  return row(field, button, (now) => {
    number = now.number;
    setText(button, String(now.value));
    setTitle(button, String(now.value));
  });
}

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
  let shape = '',
    rows = [];
  return {
    element,
    show(card) {
      failure.hidden = !card.failure;
      if (card.failure) setText(failure, `✕ ${card.failure}`);
      const fields = card.fields ?? [];
      const now = `${card.robot}|${fields.map((field) => `${field.kind}:${field.label}`).join('|')}`;
      if (now !== shape) {
        shape = now;
        rows = fields.map((field) => (KINDS[field.kind] ?? words)(field, card.robot, card.name));
        list.replaceChildren(...rows.map((each) => each.element));
      }
      rows.forEach((each, at) => each.show(fields[at]));
    },
  };
}
