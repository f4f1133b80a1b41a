// What the page remembers from one visit to the next: theme, layout, sizes. A browser may forbid it; then nothing is remembered.

const PREFIX = 'muster.';

/**
 * What was remembered under that name, or null.
 * @param {string} name
 * @returns {unknown}
 */
export function recall(name) {
  try {
    return JSON.parse(localStorage.getItem(PREFIX + name) ?? 'null');
  } catch {
    return null;
  }
}

/**
 * Remembers a value; null forgets it.
 * @param {string} name
 * @param {unknown} value
 */
export function remember(name, value) {
  try {
    if (value === null) localStorage.removeItem(PREFIX + name);
    else localStorage.setItem(PREFIX + name, JSON.stringify(value));
  } catch {
    /* not allowed to remember */
  }
}
