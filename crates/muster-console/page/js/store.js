// The one state that all views share: what the server said, and what the person chose. Views read `store`, listen with
// `on`, and change it by the functions below; they never talk to each other.

/** What the server said last, and what was chosen. */
export const store = {
  /** @type {any} the `hello` of the server */
  hello: null,
  /** @type {any} what runs, or null: nothing is loaded */
  run: null,
  /** @type {any} */
  standing: null,
  /** @type {any} the last `moment` */
  moment: null,
  /** @type {any} the last poses, see `frame.js` */
  frame: null,
  /** @type {any} the poses before, to move smoothly between them */
  before: null,
  /** @type {any[]} all lines of the log, without gaps */
  lines: [],
  /** The connection: `state` is `connecting`, `open` or `lost`; `since` when that began (performance.now), `rtt` in ms; `refused`: what to do, if the server lets nobody in. */
  link: { state: 'connecting', since: 0, rtt: null, attempt: 0, retryAt: 0, refused: null },
  /** What is selected, everywhere. @type {{robots: Set<number>, task: number|null}} */
  selection: { robots: new Set(), task: null },
  /** What time this viewer looks at: the live edge, or a moment of the past. */
  view: { live: true, at: 0 },
  /** Layers of the map that are shown. */
  layers: {
    names: true,
    tasks: true,
    messages: true,
    trails: true,
    ways: true,
    rings: true,
    grid: true,
    obstacles: true,
    guests: true,
  },
  /** `map` or `cars`. */
  layout: 'map',
  /** The robot that the map follows, or null. @type {number|null} */
  follow: null,
};

const listeners = new Map();

/** Calls `listener` whenever `topic` has changed: hello, run (told again when the page joins again), newrun (another run, or null: none any more), standing, moment, frame, lines, link, selection, view, layers, layout, follow, error, notice. */
export function on(topic, listener) {
  if (!listeners.has(topic)) listeners.set(topic, new Set());
  listeners.get(topic).add(listener);
  return () => listeners.get(topic).delete(listener);
}

/** Tells everybody that `topic` has changed. */
export function emit(topic, detail) {
  for (const listener of [...(listeners.get(topic) ?? [])]) {
    // One view that fails must not take the others with it.
    try {
      listener(detail);
    } catch (error) {
      console.error(error);
    }
  }
}

/** Changes fields of the store and tells everybody. */
export function put(topic, value) {
  store[topic] = value;
  emit(topic, value);
}

/** Selects one robot, or adds or takes it away with `add`; null selects none. */
export function selectRobot(robot, { add = false } = {}) {
  const robots = add ? new Set(store.selection.robots) : new Set();
  if (robot !== null) {
    if (add && robots.has(robot)) robots.delete(robot);
    else robots.add(robot);
  }
  put('selection', { ...store.selection, robots });
}

/** Selects a task, or none. */
export function selectTask(task) {
  put('selection', { ...store.selection, task });
}

/** Nothing is selected any more. */
export function clearSelection() {
  put('selection', { robots: new Set(), task: null });
}

/** What a robot is called. */
export function robotName(robot) {
  return store.run?.robots?.[robot]?.name ?? (robot === null || robot === undefined ? '' : `robot ${robot}`);
}

/** What a task is called. */
export function taskName(task) {
  return store.run?.tasks?.[task]?.name ?? (task === null || task === undefined ? '' : `task ${task}`);
}

/** Switches a layer of the map. */
export function setLayer(layer, shown) {
  put('layers', { ...store.layers, [layer]: shown });
}
