// The one state that all views share: what the server said, and what the person chose. Views read `store`, listen with
// `on`, and change it by the functions below; they never talk to each other.

/** What the server said last, and what was chosen. */
export const store = {
  /** @type {Wire.Hello | null} */
  hello: null,
  /** @type {Wire.Run | null} what runs; null: nothing is loaded */
  run: null,
  /** @type {Wire.Standing | null} */
  standing: null,
  /** @type {Wire.Moment | null} */
  moment: null,
  /** @type {Page.Frame | null} the last poses, see `frame.js` */
  frame: null,
  /** @type {Page.Frame | null} the poses before, to move smoothly between them */
  before: null,
  /** @type {Page.Line[]} all lines of the log, without gaps */
  lines: [],
  /** @type {Page.Link} */
  link: { state: 'connecting', since: 0, rtt: null, attempt: 0, retryAt: 0, refused: null },
  /** @type {Page.Selection} */
  selection: { robots: new Set(), task: null },
  /** @type {Page.View} */
  view: { live: true, at: 0 },
  /** @type {Record<Page.Layer, boolean>} layers of the map that are shown */
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
  /** @type {Wire.Layout} */
  layout: 'map',
  /** @type {number | null} the robot that the map follows */
  follow: null,
};

/** @type {Map<string, Set<(detail: any) => void>>} */
const listeners = new Map();

/**
 * Calls `listener` whenever `topic` has changed, until the function that it gives back is called.
 * @template {keyof Page.Topics} T
 * @param {T} topic
 * @param {(detail: Page.Topics[T]) => void} listener
 */
export function on(topic, listener) {
  const own = listeners.get(topic) ?? new Set();
  listeners.set(topic, own);
  own.add(listener);
  return () => own.delete(listener);
}

/**
 * Calls `listener` whenever any of these topics has changed.
 * @param {(keyof Page.Topics)[]} topics
 * @param {() => void} listener
 */
export function onEach(topics, listener) {
  for (const topic of topics) on(topic, listener);
}

/**
 * Tells everybody that `topic` has changed.
 * @template {keyof Page.Topics} T
 * @param {T} topic
 * @param {Page.Topics[T]} detail
 */
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

/**
 * Changes a field of the store and tells everybody.
 * @template {keyof Page.Topics & keyof typeof store} T
 * @param {T} topic
 * @param {(typeof store)[T]} value
 */
export function put(topic, value) {
  store[topic] = value;
  // A topic that is a field of the store tells of that field.
  emit(topic, /** @type {Page.Topics[T]} */ (/** @type {unknown} */ (value)));
}

/**
 * Selects one robot, or adds or takes it away with `add`; null selects none.
 * @param {number | null} robot
 */
export function selectRobot(robot, { add = false } = {}) {
  /** @type {Set<number>} */
  const robots = new Set(add ? store.selection.robots : []);
  if (robot !== null) {
    if (add && robots.has(robot)) robots.delete(robot);
    else robots.add(robot);
  }
  put('selection', { ...store.selection, robots });
}

/**
 * Selects a task, or none.
 * @param {number | null} task
 */
export function selectTask(task) {
  put('selection', { ...store.selection, task });
}

/** Nothing is selected any more. */
export function clearSelection() {
  put('selection', { robots: new Set(), task: null });
}

/**
 * What a robot is called.
 * @param {number | null | undefined} robot
 */
export function robotName(robot) {
  if (robot === null || robot === undefined) return '';
  return store.run?.robots[robot]?.name ?? `robot ${robot}`;
}

/**
 * Whose line of the log it is: of somebody who intervened, of the radio, or of a robot.
 * @param {Page.Line} line
 */
export function lineName(line) {
  return line.author ?? robotName(line.robot);
}

/**
 * What a task is called.
 * @param {number | null | undefined} task
 */
export function taskName(task) {
  if (task === null || task === undefined) return '';
  return store.run?.tasks[task]?.name ?? `task ${task}`;
}

/**
 * Switches a layer of the map.
 * @param {Page.Layer} layer
 * @param {boolean} shown
 */
export function setLayer(layer, shown) {
  put('layers', { ...store.layers, [layer]: shown });
}
