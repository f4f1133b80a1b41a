// Whose line of the log it is.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { lineName, store } from '../../crates/muster-console/page/js/store.js';

test('a line is of its author, else of its robot, else of nobody', () => {
  store.run = { robots: [{ name: 'uav' }] };
  assert.equal(lineName({ robot: 0, author: 'ops' }), 'ops');
  assert.equal(lineName({ robot: null, author: 'radio' }), 'radio');
  assert.equal(lineName({ robot: 0, author: null }), 'uav');
  assert.equal(lineName({ robot: null, author: null }), '');
});
