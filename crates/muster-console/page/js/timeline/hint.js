// What stands above the timeline while a pointer is on it: the time, the line that is there, and what the ticks mean.

import { clock, el } from '../dom.js';
import { ALL_KINDS, setShape, shapeOf } from '../kinds.js';
import { lineName, on } from '../store.js';

export class Hint {
  constructor() {
    this.time = el('b', {});
    this.shape = shapeOf('note');
    this.text = el('span', {});
    this.legend = el('div', { class: 'hint-legend' });
    this.line = el('div', { class: 'hint-line' }, this.shape, this.text);
    this.element = el('div', { class: 'hint', hidden: true, 'aria-hidden': 'true' }, this.time, this.line, this.legend);
    const seen = new Map(ALL_KINDS.map((kind) => [kind, el('span', { hidden: true }, shapeOf(kind), kind)]));
    this.legend.append(...seen.values());
    on('lines', ({ added, reset }) => {
      if (reset) for (const entry of seen.values()) entry.hidden = true;
      for (const kind of new Set(added.map((line) => line.kind)))
        (seen.get(kind) ?? seen.get('note'))?.removeAttribute('hidden');
    });
  }

  /**
   * @param {number} at
   * @param {Page.Line | null} line
   * @param {number} x
   * @param {number} width
   */
  show(at, line, x, width) {
    this.time.textContent = clock(at);
    this.line.hidden = !line;
    if (line) {
      setShape(this.shape, line.kind);
      this.text.textContent = `${lineName(line)} ${line.text}`;
    }
    this.element.hidden = false;
    const half = this.element.offsetWidth / 2;
    this.element.style.left = `${Math.min(Math.max(x, half), Math.max(half, width - half))}px`;
  }

  hide() {
    this.element.hidden = true;
  }
}
