// The connection: one WebSocket, opened again when it breaks, with the log taken up where it stopped. What comes in goes to
// the store; what is asked is answered by a promise.

import { decode } from './frame.js';
import { emit, put, store } from './store.js';

const FIRST_WAIT_MS = 250;
const LONGEST_WAIT_MS = 5000;
const PING_MS = 2000;
/** @type {Wire.Hello['wire']} the version of docs/console-wire.md that this page speaks */
const WIRE = 2;
const LONGEST_PROBE_MS = 3000;
const LONGEST_ANSWER_MS = 30_000;
/** @type {Record<number, string>} what to do when the server is there and lets nobody in, by what it answers */
const REFUSED = {
  401: 'This console wants its token: open the address that it printed.',
  403: 'This console answers only to the address that it printed: open that one.',
};

/** @type {WebSocket | null} */
let socket = null;
let wait = FIRST_WAIT_MS;
let timer = 0;
/** @type {string | null} */
let token = null;
let nextId = 1;
/** @type {Map<number, {resolve: (value: any) => void, reject: (error: Error) => void}>} */
const asked = new Map();
/** @type {(string | ArrayBuffer)[] | null} what came in before there was anybody to show it to */
let held = [];

/**
 * Opens the connection and keeps it open. What comes in is held until `release`. The token, if there is one, leaves the
 * address bar: it must not be shared.
 */
export function connect() {
  const address = new URL(location.href);
  const given = address.searchParams.get('token');
  token = given ?? sessionStorage.getItem('token');
  if (given !== null) {
    sessionStorage.setItem('token', given);
    address.searchParams.delete('token');
    history.replaceState(null, '', address);
  }
  open();
  setInterval(ping, PING_MS);
}

/**
 * The address of something that the server gives out, with the token if there is one.
 * @param {string} path
 */
export function addressOf(path) {
  return token ? `${path}?token=${encodeURIComponent(token)}` : path;
}

function open() {
  const scheme = location.protocol === 'https:' ? 'wss' : 'ws';
  const own = new WebSocket(`${scheme}://${location.host}${addressOf('/ws')}`);
  socket = own;
  own.binaryType = 'arraybuffer';
  let opened = false;
  own.onopen = () => {
    opened = true;
    wait = FIRST_WAIT_MS;
    join();
    put('link', { ...store.link, state: 'open', since: performance.now(), attempt: 0, refused: null });
  };
  own.onmessage = ({ data }) => (held ? held.push(data) : receive(data));
  own.onclose = () => {
    lost();
    // Who was let in without a token is not refused later.
    if (!opened && (token || !store.hello)) probe(own);
  };
}

/** Says that this page is here; if it is back again, the log goes on where it stopped. */
function join() {
  const { hello, run, lines } = store;
  if (hello && run) send({ do: 'join', run: run.id, server: hello.server, next: lines.length });
  else send({ do: 'join' });
}

/**
 * Why a connection did not come about: a socket does not say, a request does. Who is refused need not try again by itself.
 * @param {WebSocket} failed
 */
async function probe(failed) {
  let status;
  try {
    ({ status } = await fetch(addressOf('/run.log'), {
      method: 'HEAD',
      cache: 'no-store',
      signal: AbortSignal.timeout(LONGEST_PROBE_MS),
    }));
  } catch {
    return; /* nobody is there */
  }
  if (!REFUSED[status] || socket !== failed) return;
  clearTimeout(timer);
  put('link', { ...store.link, refused: REFUSED[status] });
}

/** From now on everything that comes in is shown: the views are there. */
export function release() {
  const waiting = held ?? [];
  held = null;
  waiting.forEach(receive);
}

/** @param {string | ArrayBuffer} data */
function receive(data) {
  if (typeof data === 'string') heard(data);
  else poses(data);
}

function lost() {
  for (const { reject } of asked.values()) reject(new Error('the connection was lost'));
  asked.clear();
  // A little at random, so that many pages do not come back at the same instant.
  const pause = wait * (0.75 + Math.random() / 2);
  wait = Math.min(wait * 2, LONGEST_WAIT_MS);
  const began = store.link.state === 'open' ? performance.now() : store.link.since;
  put('link', {
    state: 'lost',
    refused: null,
    since: began,
    rtt: null,
    attempt: store.link.attempt + 1,
    retryAt: performance.now() + pause,
  });
  clearTimeout(timer);
  timer = setTimeout(open, pause);
}

/** Tries again at once. */
export function retryNow() {
  // While one attempt is under way another would only get in its way: two sockets would both speak.
  if (store.link.state !== 'lost' || socket?.readyState === WebSocket.CONNECTING) return;
  clearTimeout(timer);
  if (store.link.refused) put('link', { ...store.link, refused: null, retryAt: performance.now() });
  open();
}

/**
 * Says something to the server; nothing is said while there is none.
 * @param {Wire.FromPage} message
 */
export function send(message) {
  if (socket?.readyState === WebSocket.OPEN) socket.send(JSON.stringify(message));
}

/**
 * Asks the server; the promise is of its answer.
 * @template {Wire.Asked} W
 * @param {W} what
 * @param {Page.Detail<W>} detail
 * @returns {Promise<Page.AnswerTo<W>>}
 */
export function ask(what, detail) {
  return new Promise((resolve, reject) => {
    if (socket?.readyState !== WebSocket.OPEN) return reject(new Error('there is no connection'));
    const id = nextId++;
    // Nobody waits for ever: whoever asks one question after the other would never ask again.
    const late = setTimeout(() => {
      asked.delete(id);
      reject(new Error('the server did not answer'));
    }, LONGEST_ANSWER_MS);
    asked.set(id, {
      resolve: (value) => {
        clearTimeout(late);
        resolve(value);
      },
      reject: (error) => {
        clearTimeout(late);
        reject(error);
      },
    });
    // What belongs to the word is known by the parameters; a spread of them is not.
    send(/** @type {Wire.FromPage} */ (/** @type {unknown} */ ({ do: 'ask', id, what, ...detail })));
  });
}

/**
 * Why a question was not answered.
 * @param {unknown} error
 */
export function reasonOf(error) {
  return error instanceof Error ? error.message : String(error);
}

/**
 * This viewer looks at a time of the past; null: at the live edge again.
 * @param {number | null} at
 */
export function lookAt(at) {
  put('view', at === null ? { live: true, at: store.standing?.live_s ?? 0 } : { live: false, at });
  send({ do: 'seek', at });
}

async function ping() {
  if (socket?.readyState !== WebSocket.OPEN) return;
  const sent = performance.now();
  try {
    await ask('ping', {});
    put('link', { ...store.link, rtt: performance.now() - sent });
  } catch {
    /* the connection broke; `lost` tells */
  }
}

/** @param {ArrayBuffer} buffer */
function poses(buffer) {
  if (!store.run) return;
  const frame = decode(buffer, store.run.bounds, { run: store.run.id % 65536, live: store.view.live });
  if (!frame) return;
  store.before = store.frame?.run === frame.run && store.frame.live === frame.live ? store.frame : null;
  put('frame', frame);
}

/** @param {string} text */
function heard(text) {
  /** @type {Wire.ToPage} */
  let message;
  try {
    message = JSON.parse(text);
  } catch {
    return;
  }
  switch (message.t) {
    case 'hello':
      return onHello(message);
    case 'run':
      return onRun(message);
    case 'standing':
      if (message.run !== store.run?.id) return;
      if (store.view.live) store.view.at = message.live_s;
      return put('standing', message);
    case 'moment':
      if (message.run !== store.run?.id || message.live !== store.view.live) return;
      if (message.live) {
        store.view.at = message.at;
      }
      return put('moment', message);
    case 'lines':
      return onLines(message);
    case 'answer': {
      const waiting = asked.get(message.id);
      asked.delete(message.id);
      return 'error' in message ? waiting?.reject(new Error(message.error)) : waiting?.resolve(message.value);
    }
    case 'error':
      // The past cannot be shown: the server goes on telling of the live edge, and so must the page.
      if (message.what === 'seek' && !store.view.live) lookAt(null);
      return emit('error', message);
  }
}

/** @param {Wire.Hello} message */
function onHello(message) {
  const known = store.hello;
  put('hello', message);
  const reload = { label: 'Reload the page', run: () => location.reload() };
  /** @type {number} */
  const wire = message.wire;
  if (wire !== WIRE && known?.wire !== wire) {
    const versions = `This page speaks version ${WIRE} of the protocol, the server version ${wire}`;
    emit('notice', {
      text: `${versions}: what is shown may be wrong.`,
      help: 'A page of the same version comes with the server.',
      actions: [reload],
      urgent: true,
    });
  }
  if (known && known.server !== message.server) {
    // What is on the screen is of a server that is gone: it is taken away rather than mixed with the new one's.
    forget();
    take(null);
    const another = known.version !== message.version || known.commit !== message.commit;
    emit('notice', {
      kind: 'restarted',
      text: 'The server was started again. This is what it shows now.',
      ...(another && { help: 'It is of another version than this page.', actions: [reload] }),
    });
  }
}

/** @param {Wire.Run} message */
function onRun(message) {
  if (store.run?.id !== message.id) forget();
  take(message);
  // A person who was looking at the past of this run goes on doing so.
  if (!store.view.live) send({ do: 'seek', at: store.view.at });
  emit('lines', { from: store.lines.length, added: [] });
}

/**
 * The run is told again at each joining: only if it is another do views begin anew.
 * @param {Wire.Run | null} run
 */
function take(run) {
  const other = store.run?.id !== run?.id;
  store.run = run;
  if (other) emit('newrun', run);
  emit('run', run);
}

function forget() {
  store.lines = [];
  store.moment = store.frame = store.before = store.standing = null;
  store.view = { live: true, at: 0 };
  store.selection = { robots: new Set(), task: null };
  emit('selection', store.selection);
  emit('view', store.view);
  emit('standing', null);
  emit('moment', null);
  emit('frame', null);
  emit('lines', { from: 0, added: [], reset: true });
}

/** @param {Wire.Lines} message */
function onLines(message) {
  if (message.run !== store.run?.id) return;
  // Every line once: what is known already is left out, and a gap is asked for again.
  if (message.from > store.lines.length) return join();
  const added = message.lines.slice(store.lines.length - message.from);
  for (const line of added) store.lines.push(line);
  if (added.length) emit('lines', { from: store.lines.length - added.length, added });
}
