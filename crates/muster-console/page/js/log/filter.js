// Which lines of the log pass: all words in them, a kind that is not hidden, and, if wanted, of what is selected.

import { KINDS } from '../kinds.js';
import { robotName, store } from '../store.js';

export class Filter {
  words = [];
  hidden = new Set();
  selectedOnly = false;
  /** Numbers of the lines that pass, in order. */
  passing = [];

  isOn() {
    return this.words.length > 0 || this.hidden.size > 0 || this.selectedOnly;
  }

  /** Looks at all lines again. */
  again(lines) {
    this.passing = [];
    this.add(lines);
  }

  /** Looks at lines that have come. */
  add(lines) {
    for (const line of lines) if (this.passes(line)) this.passing.push(line.n);
  }

  passes(line) {
    if (this.hidden.has(Object.hasOwn(KINDS, line.kind) ? line.kind : 'note')) return false;
    if (this.selectedOnly) {
      const { robots, task } = store.selection;
      if (!robots.has(line.robot) && (task === null || line.task !== task)) return false;
    }
    if (!this.words.length) return true;
    // Kept with the line: people type letter by letter, and there may be a hundred thousand lines.
    line.plain ??= `${robotName(line.robot)} ${line.kind} ${line.text}`.toLowerCase();
    return this.words.every((word) => line.plain.includes(word));
  }

  /** The place, among those that pass, of the last line whose number is not above `n`; -1 if there is none. */
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
