// What is put together before a sequence of messages is drawn.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { around, labelOf, lifelines, marked, rowsOf } from '../../crates/muster-console/page/js/sequence/rows.js';

let n = 0;
function told(at, from, to, label, heard = []) {
  const kind = label.replace(/ \d+$/, '');
  n += 1;
  return {
    n,
    at,
    from,
    to,
    kind,
    label,
    task: 0,
    lost: false,
    heard: heard.map((robot) => [robot, at]),
    hearers: heard.length,
  };
}
const story = (messages, marks = []) => ({
  task: 0,
  name: 'stop',
  messages,
  marks,
  awards: [],
  lines: [],
  truncated: false,
});

test('calls without an answer are one row, and the last of them, which is answered, stands alone', () => {
  const calls = [1, 2, 3, 4].map((number) => told(number, 0, null, `HELP ${number}`, [1, 2]));
  const rows = rowsOf(story([...calls, told(5, 1, 0, 'ACCEPT', [0])]), false);
  assert.deepEqual(rows.map(labelOf), ['HELP 1–3', 'HELP 4', 'ACCEPT']);
  assert.deepEqual(rowsOf(story(calls), false).map(labelOf), ['HELP 1–4'], 'nothing answers the last of these');
  assert.equal(rowsOf(story(calls), true).length, 4, 'all are asked for');
});

test('what is said to one again has no numbers, and is counted', () => {
  const rows = rowsOf(story([told(1, 0, 3, 'Bid', [3]), told(2, 0, 3, 'Bid', [3])]), false);
  assert.deepEqual(rows.map(labelOf), ['Bid ×2']);
});

test('a mark belongs to the last call of that robot that its own robot could have heard', () => {
  const first = told(1, 0, null, 'HELP 1'),
    other = told(2, 5, null, 'HELP 1'),
    second = told(3, 0, null, 'HELP 2');
  const mark = { at: 2.5, robot: 4, kind: 'ignored', why: 'busy', task: 0, of: 0 };
  const marks = marked(story([first, other, second], [mark]));
  assert.deepEqual(
    [first, other, second].map((message) => marks.get(message.n).length),
    [1, 0, 0],
  );
});

test('who asked stands first, then who spoke, who left it alone, who heard; the rest share a line', () => {
  const rows = rowsOf(story([told(1, 9, null, 'HELP 1', [1, 2, 3]), told(2, 3, 9, 'ACCEPT', [9])]), false);
  const marks = new Map([[rows[0].messages[0].n, [{ at: 1, robot: 2, kind: 'ignored', why: '', task: 0, of: 9 }]]]);
  assert.deepEqual(
    lifelines(marks, rows, 8).map((line) => line.robots),
    [[9], [3], [2], [1]],
  );
  const few = lifelines(marks, rows, 3);
  assert.deepEqual(
    few.map((line) => line.robots),
    [[9], [3], [2, 1]],
  );
  assert.equal(few[2].name, '2 more');
});

test('of many rows those around the time that is asked about are shown, and how many are not is known', () => {
  const rows = rowsOf(story(Array.from({ length: 100 }, (_, at) => told(at, at % 2, 1 - (at % 2), 'Bid'))), false);
  const { shown, cut } = around(rows, 50);
  assert.equal(shown.length + cut, 100);
  assert.ok(shown.some((row) => row.messages[0].at === 50));
  assert.equal(around(rows, null).shown.at(-1).messages[0].at, 99, 'the last ones otherwise');
});
