// Which lines of the log pass: all words in them, a kind that is not hidden, and, if wanted, of what is selected.

import { KINDS } from '../kinds.js';
import { lineName, store } from '../store.js';

export class Filter {
  /** @type {string[]} */
  words = [];
  /** @type {Set<Wire.LineKind>} */
  hidden = new Set();
  selectedOnly = false;
  /**
   * Numbers of the lines that pass, in order.
   * @type {number[]}
   */
  passing = [];

  isOn() {
    return this.words.length > 0 || this.hidden.size > 0 || this.selectedOnly;
  }

  /**
   * Looks at all lines again.
   * @param {Page.Line[]} lines
   */
  again(lines) {
    this.passing = [];
    this.add(lines);
  }

  /**
   * Looks at lines that have come.
   * @param {Page.Line[]} lines
   */
  add(lines) {
    for (const line of lines) if (this.passes(line)) this.passing.push(line.n);
  }

  /** @param {Page.Line} line */
  passes(line) {
    if (this.hidden.has(Object.hasOwn(KINDS, line.kind) ? line.kind : 'note')) return false;
    if (this.selectedOnly) {
      const { robots, task } = store.selection;
      const ofRobot = line.robot !== null && robots.has(line.robot);
      if (!ofRobot && (task === null || line.task !== task)) return false;
    }
    if (!this.words.length) return true;
    // Kept with the line: people type letter by letter, and there may be a hundred thousand lines.
    const plain = (line.plain ??= `${lineName(line)} ${line.kind} ${line.text}`.toLowerCase());
    return this.words.every((word) => plain.includes(word));
  }

  /**
   * The place, among those that pass, of the last line whose number is not above `n`; -1 if there is none.
   * @param {number} n
   */
  placeOf(n) {
    let low = 0,
      high = this.passing.length;
    while (low < high) {
      const middle = (low + high) >> 1;
      if (this.passing[middle] <= n) low = middle + 1;
      else high = middle;
    }
    return low - 1;
  }
}
