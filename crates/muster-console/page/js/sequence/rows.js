// What is put together before a sequence of messages is drawn: rows of messages, and the lifelines that they go between. No
// elements here, so that it can be tested without a browser.

import { robotName } from '../store.js';

/**
 * @typedef {{from: number, to: number | null, kind: string, lost: boolean, messages: Wire.Told[]}} Row messages that are
 *   drawn as one
 * @typedef {{robots: number[], name: string, others?: boolean}} Lifeline
 * @typedef {Map<number, Wire.Mark[]>} Marks by the number of the message
 */

/** So many rows are drawn, unless all are asked for. */
const MOST_ROWS = 40;

/**
 * The marks of each message, by its number: a mark belongs to the last that its robot had heard, then, of whoever asked.
 * @param {Wire.Story} story
 */
export function marked(story) {
  /** @type {Marks} */
  const found = new Map(story.messages.map((message) => [message.n, []]));
  for (const mark of story.marks) {
    const message = story.messages.findLast(
      ({ at, from, to }) => at <= mark.at + 1e-6 && from === mark.of && (to === null || to === mark.robot),
    );
    if (message) found.get(message.n)?.push(mark);
  }
  return found;
}

/**
 * Messages in order; the same robot saying the same again, with nothing else between, becomes one row.
 * @param {Wire.Story} story
 * @param {boolean} all
 */
export function rowsOf(story, all) {
  /** @type {Row[]} */
  const rows = [];
  for (const message of story.messages) {
    const last = rows.at(-1);
    const again =
      last &&
      !all &&
      last.from === message.from &&
      last.to === message.to &&
      last.kind === message.kind &&
      last.lost === message.lost;
    if (again) last.messages.push(message);
    else rows.push({ from: message.from, to: message.to, kind: message.kind, lost: message.lost, messages: [message] });
  }
  // The last of several is what the next one answers: it stands alone.
  return rows.flatMap((row, at) =>
    row.messages.length > 1 && at < rows.length - 1
      ? [
          { ...row, messages: row.messages.slice(0, -1) },
          { ...row, messages: row.messages.slice(-1) },
        ]
      : [row],
  );
}

/**
 * The rows around a time, or the last ones.
 * @param {Row[]} rows
 * @param {number | null} aim
 */
export function around(rows, aim) {
  if (rows.length <= MOST_ROWS) return { shown: rows, cut: 0 };
  const at = aim === null ? rows.length - 1 : rows.findLastIndex((row) => row.messages[0].at <= aim + 0.01);
  const from = Math.max(0, Math.min(rows.length - MOST_ROWS, at - Math.floor(MOST_ROWS * 0.6)));
  return { shown: rows.slice(from, from + MOST_ROWS), cut: rows.length - MOST_ROWS };
}

/**
 * Robots from left to right: who asked, who spoke or was spoken to, who heard. Those that find no room share the last line.
 * @param {Marks} of
 * @param {Row[]} rows
 * @param {number} most
 * @returns {Lifeline[]}
 */
export function lifelines(of, rows, most) {
  /** @type {Map<number, number>} */
  const found = new Map();
  /**
   * @param {number | null} robot
   * @param {number} rank
   */
  const add = (robot, rank) => {
    if (robot !== null && !((found.get(robot) ?? Infinity) <= rank)) found.set(robot, rank);
  };
  rows.forEach((row, at) => {
    add(row.from, at === 0 ? 0 : 1);
    add(row.to, 1);
    for (const message of row.messages) for (const [robot] of message.heard) add(robot, 3);
  });
  for (const row of rows)
    for (const message of row.messages) for (const mark of of.get(message.n) ?? []) add(mark.robot, 2);
  const robots = [...found].sort(([a, one], [b, other]) => one - other || a - b).map(([robot]) => robot);
  if (robots.length <= most) return robots.map((robot) => ({ robots: [robot], name: robotName(robot) }));
  const kept = robots.slice(0, most - 1),
    rest = robots.slice(most - 1);
  return [
    ...kept.map((robot) => ({ robots: [robot], name: robotName(robot) })),
    { robots: rest, name: `${rest.length} more`, others: true },
  ];
}

/**
 * What stands at an arrow.
 * @param {Row} row
 */
export function labelOf(row) {
  const { messages } = row;
  if (messages.length === 1) return messages[0].label;
  // "HELP 1" to "HELP 4" is "HELP 1–4".
  const [first, last] = [messages[0], messages[messages.length - 1]].map(({ label }) => /\d+$/.exec(label)?.[0]);
  return first && last && first !== last ? `${row.kind} ${first}–${last}` : `${row.kind} ×${messages.length}`;
}
