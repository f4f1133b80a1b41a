// How lines of the log, states of robots and tasks look: each by more than its colour.
import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { test } from 'node:test';
import { badge } from '../../crates/muster-console/page/js/badge.js';
import { clock, short } from '../../crates/muster-console/page/js/dom.js';
import { KINDS, looksOf } from '../../crates/muster-console/page/js/kinds.js';
import { FAMILY_COLOURS } from '../../crates/muster-console/page/js/map/families.js';
import { DIAMONDS, GLYPHS } from '../../crates/muster-console/page/js/map/glyphs.js';
import { LOOKS, SHAPE } from '../../crates/muster-console/page/js/states.js';

const tokens = readFileSync(new URL('../../crates/muster-console/page/css/tokens.css', import.meta.url), 'utf8');

test('no two kinds of lines have the same shape', () => {
  const shapes = Object.values(KINDS).map(({ shape }) => shape);
  assert.equal(new Set(shapes).size, shapes.length);
  assert.ok(Object.values(KINDS).every(({ height }) => height > 0 && height <= 1));
});

test('a kind that this page does not know looks like a note', () => {
  assert.equal(looksOf('of tomorrow'), KINDS.note);
});

test('every state of a robot has a shape that can be drawn', () => {
  for (const [state, { shape }] of Object.entries(LOOKS)) assert.ok(GLYPHS[shape], state);
  assert.equal(GLYPHS.length, SHAPE.guest, 'guests come after the shapes of states');
});

test('no two states of a task look alike', () => {
  const looks = Object.values(DIAMONDS).map(({ mark, dashed }) => `${mark} ${dashed}`);
  assert.equal(new Set(looks).size, looks.length);
});

test('every colour is a token, in both themes', () => {
  const [light, dark] = tokens.split(':root.dark');
  const used = [...Object.values(KINDS), ...Object.values(LOOKS)].map(({ colour }) => colour);
  const named = [...Object.values(FAMILY_COLOURS), ...Object.values(DIAMONDS).map(({ colour }) => colour)];
  for (const token of new Set([...used, ...named.map((name) => `--${name}`)])) {
    assert.ok(light.includes(`${token}:`) && dark.includes(`${token}:`), token);
  }
});

test('names as two letters, seconds and numbers as people read them', () => {
  assert.deepEqual(['idle-3', 'Le Guin', 'butler', '?'].map(badge), ['I3', 'LG', 'BU', '?']);
  assert.deepEqual(
    [0, 75.3, 3600, -1.5, NaN].map((seconds) => clock(seconds)),
    ['0:00.0', '1:15.3', '1:00:00.0', '-0:01.5', '–'],
  );
  assert.deepEqual([3, 1 / 3, null, Infinity].map(short), ['3', '0.3333', '–', '–']);
});
