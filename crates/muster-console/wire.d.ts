// Made of the types of crates/muster-console/src/wire.rs and scene.rs. Do not edit: change them, then
//   UPDATE_WIRE=1 cargo test -p muster-console wire

declare namespace Wire {
  /** The answer to a question, or why there is none. */
  type Answer =
    /** The answer. */
    | { id: number } & (
      | { value: null; what: 'ping' }
      | { value: Story; what: 'task' }
      | { value: Story; what: 'robot' }
      | { value: Bids | null; what: 'costs' }
      | { value: Plots; what: 'plots' }
    )
    /** There is none. */
    | { error: string; id: number; what: Asked };

  /** A transmission on the map. */
  interface Arc {
    /** Seconds since the beginning at which it was sent. */
    at: number;
    /** The part that it plays, for its colour. */
    family: Family;
    /** The sender. */
    from: number;
    /** At most 40 of the robots that have heard it. */
    heard: number[];
    /** How many have heard it. */
    hearers: number;
    /** What its mechanism calls it. */
    kind: string;
    /** Nobody heard it. */
    lost: boolean;
    /** Its number, from zero in the order of sending. */
    n: number;
    /** The task that it is about. */
    task: number | null;
    /** The receiver; null: everybody. */
    to: number | null;
  }

  /** What can be asked, in a word. */
  type Asked =
    /** Whether anybody is there. */
    | 'ping'
    /** The story of a task. */
    | 'task'
    /** The story of a robot. */
    | 'robot'
    /** The bids for a task. */
    | 'costs'
    /** What is plotted over time. */
    | 'plots';

  /** A robot was chosen, or chose itself. */
  interface Award {
    /** Seconds since the beginning. */
    at: number;
    /** The robot that chose. */
    by: number;
    /** The robot that was chosen. */
    chosen: number;
    /** The number of its line of the log. */
    line: number;
    /** How many could have been. */
    offer_count: number;
    /** At most 60 of the robots that could have been chosen. */
    offers: Offer[];
    /** At most 60 of the robots that kept silent. */
    silent: Quiet[];
    /** How many kept silent, more than are listed. */
    silent_count: number;
    /** The task. */
    task: number;
    /** Why, in a sentence. */
    text: string;
    /** What `Quiet.value` has to be above for an answer, if robots answer by a threshold. */
    threshold: number | null;
  }

  /** The bid of one robot. */
  interface Bid {
    /** The cost by time and heading; null where it cannot be done. */
    cost: ((number | null)[])[];
    /** The least cost of all samples. */
    least: number | null;
    /** The bidder. */
    robot: number;
  }

  /** The bids for a task at its last auction. */
  interface Bids {
    /** When the task was assigned. */
    at: number;
    /** At most 12 bids and the winner's, cheapest first. */
    bids: Bid[];
    /** The winning bid. */
    chosen: Choice;
    /** Headings of the samples, in degrees from the east. */
    headings: number[];
    /** The robot that led the auction. */
    lead: number;
    /** How many others there were. */
    left_out: number;
    /** When times begin to count. */
    t0: number;
    /** The task. */
    task: number;
    /** Times of the samples, in seconds from `t0`. */
    times: number[];
  }

  /** What a robot shows of itself. */
  interface Card {
    /** Why it does not work, if it does not. */
    failure: string | null;
    /** The robot's own choice: a page shows whatever comes, by its kind. */
    fields: Field[];
    /** Its name. */
    name: string;
    /** Where it is: to the east, to the north. */
    place: [number, number];
    /** The number of the robot. */
    robot: number;
    /** What it is doing, at a glance. */
    state: RobotState;
  }

  /** What was chosen among all bids. */
  interface Choice {
    /** When it is to be over the target. */
    at_s: number;
    /** Its cost. */
    cost: number;
    /** The sample of its heading; null between two samples. */
    heading: number | null;
    /** The winner. */
    robot: number;
    /** The sample of that time; null between two samples. */
    time: number | null;
  }

  /** How things stand, in numbers. */
  interface Counts {
    /** Tasks that are done or handed over. */
    done: number;
    /** Times that a second robot began at a task. */
    duplicated: number;
    /** Tasks that expired or were lost. */
    gone: number;
    /** Messages that nobody heard. */
    lost: number;
    /** Times that one receiver missed a message. */
    missed: number;
    /** Tasks seen and not done. */
    open: number;
    /** Times that two were at a task at once. */
    overlaps: number;
    /** Robots that do not work. */
    robots_down: number;
    /** Messages sent. */
    sent: number;
  }

  /** A curve. */
  interface Curve {
    /** The name of its plot. */
    group: string;
    /** Its own name. */
    name: string;
    /** The robot that it is of, if it is of one. */
    robot: number | null;
    /** Its values, one for each sample. */
    y: Values;
  }

  /** What the face shows. */
  type Expression =
    /** A smile. */
    | 'happy'
    /** Corners of the mouth down. */
    | 'sad'
    /** Mouth open. */
    | 'surprised'
    /** Nose wrinkled. */
    | 'disgusted'
    /** Brows drawn. */
    | 'angry'
    /** Mouth drawn. */
    | 'fearful'
    /** Nothing: "some emotions are not associated with any specific facial expression". */
    | 'neutral';

  /** What part of a negotiation a message plays, whatever its mechanism calls it: for its colour on a map. */
  type Family =
    /** Somebody wants something done: a call for help, an order, an invitation to bid. */
    | 'call'
    /** A robot says that it could do it, or that such an offer was heard. */
    | 'offer'
    /** Somebody is chosen, and what is said until both sides agree on it. */
    | 'award'
    /** Everything else: reports, statements, talk about who leads. */
    | 'other';

  /** A family of messages. */
  interface FamilyAbout {
    /** What it is, in words. */
    about: string;
    /** Its name, as `Arc.family` has it. */
    name: Family;
  }

  /** What a robot feels, ready to be shown: the face, and the causal chain in words. */
  interface Feeling {
    /** Who is responsible for it. */
    agency: string;
    /** What it makes the robot think, in sentences. */
    chain: string;
    /** What the face shows. */
    face: Expression;
    /** How much, from 0 to 1. */
    intensity: number;
    /** The same in a word. */
    level: string;
    /** When it began, in seconds. */
    since_s: number;
    /** Pleasant or unpleasant. */
    valence: string;
    /** Its name. */
    value: Name;
  }

  /** One line of a panel. */
  type Field = { label: Name } & (
      | { kind: 'text'; value: Name }
      | { kind: 'flag'; value: boolean }
      | { kind: 'number'; value: number }
      | { kind: 'gauge'; mark: number | null; max: number; min: number; value: number }
      | { kind: 'state'; value: Name }
      | { kind: 'emotion' } & Feeling
      | { kind: 'robot'; number: number; value: Name }
      | { kind: 'task'; number: number; value: Name }
    );

  /** The size of the field. */
  interface FieldSize {
    /** From south to north. */
    height: number;
    /** The unit of all places and lengths. */
    unit: LengthUnit;
    /** From west to east. */
    width: number;
  }

  /** What a page says. */
  type FromPage =
    /** It is here, perhaps again: the first of all. */
    | { do: 'join'; next?: number | null; run?: number | null; server?: string | null }
    /** Another run, for everybody; initialised at once. */
    | { do: 'load'; scenario: string; seed?: string | null; strategy?: string | null }
    /** The same run from the beginning, with a new number. */
    | { do: 'init' }
    /** Let the shared clock run. */
    | { do: 'start' }
    /** Hold the shared clock. */
    | { do: 'pause' }
    /** End the run. */
    | { do: 'stop' }
    /** A little further. */
    | { by?: StepBy; do: 'step' }
    /** How fast it is shown. */
    | { do: 'speed'; speed: number }
    /** Run on to that time, as fast as it goes, and pause there. */
    | { at: number; do: 'goto' }
    /** This viewer alone looks at that time; without one, at the live edge again. */
    | { at?: number | null; do: 'seek' }
    /** This viewer wants the cards of these robots, at most 100. */
    | { do: 'watch'; robots: number[] }
    /** A question. */
    | { do: 'ask'; id: number } & (
      | { what: 'ping' }
      | { task: number; what: 'task' }
      | { robot: number; what: 'robot' }
      | { task: number; what: 'costs' }
      | { what: 'plots' }
    );

  /** The greeting of the server. */
  interface Hello {
    /** The commit that it was built from. */
    commit: string;
    /** The name of the scenario that the server was started with. */
    given: string | null;
    /** The scenarios that a page can load. */
    scenarios: ScenarioAbout[];
    /** New each time a server starts: a page that comes back sees whether it is the same one. */
    server: string;
    /** The version of the program. */
    version: string;
    /** The number of this viewer. */
    viewer: number;
    /** The version of what is said. */
    wire: 2;
  }

  /** How the page is laid out. */
  type Layout =
    /** A map in the middle, lists beside it. */
    | 'map'
    /** The four panes of CARS. */
    | 'cars';

  /** The unit of places and lengths. */
  type LengthUnit =
    /** Metres. */
    | 'm'
    /** Feet. */
    | 'ft';

  /** A line of the log. */
  interface Line {
    /** Seconds since the beginning. */
    at: number;
    /**
     * Whose line it is, if not the robot's: somebody who intervened, or the radio. Shown in place of the robot's name.
     */
    author: string | null;
    /** What sort of thing it tells of, for ticks and colours. */
    kind: LineKind;
    /** Its number, from zero without gaps. */
    n: number;
    /** The line as it stands in the log file, byte for byte. */
    raw: string;
    /** The robot that it is about. */
    robot: number | null;
    /** The task that it is about. */
    task: number | null;
    /** What happened, in words. */
    text: string;
  }

  /** What sort of thing a line of the log tells of. */
  type LineKind =
    /** A robot or a run begins. */
    | 'start'
    /** Somebody asks for something. */
    | 'call'
    /** An offer, a bid, or that none is made. */
    | 'offer'
    /** Somebody is chosen. */
    | 'award'
    /** The way to a task. */
    | 'travel'
    /** Work begins. */
    | 'work'
    /** Something is done, or over. */
    | 'done'
    /** Something went wrong. */
    | 'trouble'
    /** Another step of an auction. */
    | 'auction'
    /** A robot feels something else. */
    | 'emotion'
    /** A robot feels the same on another level. */
    | 'level'
    /** A robot behaves in another way. */
    | 'behavior'
    /** A robot tells another what to do. */
    | 'command'
    /** A robot hears what another told it. */
    | 'heard'
    /** A remark of a robot. */
    | 'note'
    /** The world did something to a robot or to the radio. */
    | 'world';

  /** More of the log. */
  interface Lines {
    /** The number of the first of these lines. */
    from: number;
    /** At most 400 lines. */
    lines: Line[];
    /** The number of the run. */
    run: number;
  }

  /** A robot did not do as a message asked. */
  interface Mark {
    /** Seconds since the beginning. */
    at: number;
    /** What it did with the message. */
    kind: MarkKind;
    /** The sender of the message. */
    of: number;
    /** The robot. */
    robot: number;
    /** The task that the message was about. */
    task: number | null;
    /** Its reason, in words. */
    why: string;
  }

  /** What a robot did with a message that it did not follow. */
  type MarkKind =
    /** It heard the call and kept silent. */
    | 'ignored'
    /** It threw the message away: stale, or out of turn. */
    | 'dropped';

  /** What a trouble is about. */
  type Matter =
    /** Loading a scenario. */
    | 'load'
    /** Beginning a run. */
    | 'init'
    /** Doing anything while nothing is loaded. */
    | 'run'
    /** Letting the clock run. */
    | 'start'
    /** Writing the log. */
    | 'log'
    /** A seed. */
    | 'seed'
    /** A message that makes no sense. */
    | 'message'
    /** Going to a time. */
    | 'goto'
    /** Looking at the past. */
    | 'seek';

  /** What there is to see at a time, apart from poses. */
  interface Moment {
    /** The transmissions of the last moments, at most 80, newest last. */
    arcs: Arc[];
    /** The time that is shown. */
    at: number;
    /** The robots that this viewer watches. */
    cards: Card[];
    /** How things stand, in numbers. */
    counts: Counts;
    /** This is the live edge, not a moment of the past. */
    live: boolean;
    /** Robots that ignored or dropped one of them. */
    marks: Mark[];
    /** The number of the run. */
    run: number;
    /** At most 500 tasks, open ones first. */
    tasks: TaskState[];
    /** Ways that vehicles are on. */
    ways: Way[];
  }

  /**
   * A name out of a table: of an emotion, a behaviour, a trait. Cheap to copy, and never a closed list: a robot's
   * emotions are its own data.
   */
  type Name = string;

  /** Something that stands on the field: a square. */
  interface Obstacle {
    /** Its side. */
    size: number;
    /** Its middle, to the east. */
    x: number;
    /** Its middle, to the north. */
    y: number;
  }

  /** A robot that could have been chosen. */
  interface Offer {
    /** It was chosen. */
    chosen: boolean;
    /** The robot that chose had heard of it. */
    heard: boolean;
    /** The robot. */
    robot: number;
    /** What the value is measured in. */
    unit: OfferUnit;
    /** An estimated time of arrival, a cost or an expected duration: the less the better. Null: it cannot. */
    value: number | null;
  }

  /** What offers are measured in. */
  type OfferUnit =
    /** Seconds. */
    | 's'
    /** A cost without a unit. */
    | 'cost';

  /** A plot. */
  interface PlotGroup {
    /** What it shows, in a sentence. */
    about: string;
    /** A line for each curve, or areas on top of each other. */
    kind: PlotKind;
    /** Its name. */
    name: string;
    /** The unit of its values; may be empty. */
    unit: string;
  }

  /** How a plot is drawn. */
  type PlotKind =
    /** A line for each curve. */
    | 'lines'
    /** Areas on top of each other. */
    | 'shares';

  /** What is plotted over time. */
  interface Plots {
    /** Times of the samples. */
    at: number[];
    /** The plots that curves belong to. */
    groups: PlotGroup[];
    /** The curves. */
    series: Curve[];
  }

  /** How far a task has come. */
  type Progress =
    /** No robot has seen it. */
    | 'unseen'
    /** It was seen, and no robot has it. */
    | 'open'
    /** A robot is under way to it, or holds it. */
    | 'taken'
    /** A robot is at it. */
    | 'worked'
    /** It is done or handed over. */
    | 'done'
    /** Its time ran out. */
    | 'expired'
    /** It was withdrawn. */
    | 'called off';

  /** A box that is pushed by its ends. It is the last body of a frame. */
  interface PushedBox {
    /** From end to end. */
    length: number;
  }

  /** A robot that kept silent. */
  interface Quiet {
    /** The robot. */
    robot: number;
    /** Why, in words. */
    text: string;
    /** What the robot weighed, to be compared with `Award.threshold`. */
    value: number;
    /** Why, in a word. */
    why: string;
  }

  /** A recording. It is shown by making its run again, every entry compared. */
  interface Replay {
    /** Where it was cut off, in words, if it was. */
    cut: string | null;
    /** Seconds since the beginning at which the recording ends. */
    end_s: number;
    /** The name of its file. */
    file: string;
    /** Version and commit of the program that recorded it. */
    recorded_by: string;
  }

  /** A circle around a robot. */
  interface Ring {
    /** What it means, in words. */
    label: string;
    /** Its radius. */
    r: number;
  }

  /** A robot of a run. */
  interface RobotAbout {
    /** What robots of its kind have in common: the name without its number. */
    group: string;
    /** Its name. */
    name: string;
    /** How fast it is, in units of the field a second, where that is given. */
    speed?: number | null;
  }

  /** What a robot is doing, at a glance. The byte of a frame is a place in `Run.states`. */
  type RobotState =
    /** Nothing asked of it, nothing asked by it. */
    | 'idle'
    /** It asks others: calls for help, or leads an auction. */
    | 'asking'
    /** It has offered itself: an answer to a call, a bid. */
    | 'offering'
    /** It has a task, and is not at it yet. */
    | 'under way'
    /** It is at a task. */
    | 'working'
    /** It has stopped, hangs, or is down. */
    | 'not working'
    /** It takes part in a reception, where no tasks are given out. In frames such a robot is idle. */
    | 'at the reception';

  /** A run, as it is told at first. */
  interface Run {
    /** The side of a body in the unit of the field; 0 if robots are points. */
    body: number;
    /** The rectangle that frames count places in: west, south, east, north. */
    bounds: [number, number, number, number];
    /** A box that is pushed. */
    box: PushedBox | null;
    /** Changes to the scenario, made with `--set`. */
    changes: string[];
    /** There are bids to ask for. */
    costs: boolean;
    /** When it is over at the latest. */
    end_s: number;
    /** Families of messages, in the order of a negotiation. */
    families: FamilyAbout[];
    /** The field. */
    field: FieldSize;
    /** How many guests there are. */
    guests: number;
    /** Its number; frames have it modulo 65536. */
    id: number;
    /** A mission or a reception. */
    kind: RunKind;
    /** The layout that it opens in. */
    layout: Layout;
    /** What stands on the field. */
    obstacles: Obstacle[];
    /** The recording that it is made from. */
    replay: Replay | null;
    /** Circles around robots that mean something. */
    rings: Ring[];
    /** Its robots, in the order of their numbers. */
    robots: RobotAbout[];
    /** The name of its scenario. */
    scenario: string;
    /** Its seed; as text, since a page's numbers do not hold 64 bits. */
    seed: string;
    /** Made now, or recorded. */
    source: Source;
    /** What the state of a robot in a frame means, by its number. */
    states: [RobotState, RobotState, RobotState, RobotState, RobotState, RobotState];
    /** Strategies that its robots know. */
    strategies: string[];
    /** How its robots coordinate; those of a reception do not. */
    strategy: string | null;
    /** Its tasks, in the order of their numbers. */
    tasks: TaskAbout[];
  }

  /** A mission or a reception. */
  type RunKind =
    /** Robots get tasks done. */
    | 'mission'
    /** Robots serve guests. */
    | 'reception';

  /** Whether a run goes on. */
  type RunState =
    /** Initialised, at its beginning. */
    | 'ready'
    /** It goes on. */
    | 'running'
    /** Its clock is held. */
    | 'paused'
    /** It was ended by Stop. */
    | 'stopped'
    /** Nothing is left to happen. */
    | 'over';

  /** A scenario that can be loaded. */
  interface ScenarioAbout {
    /** Its description. */
    about: string;
    /** A mission or a reception. */
    kind: RunKind;
    /** Its name, to be loaded by. */
    name: string;
    /** Strategies that its robots know. */
    strategies: string[];
  }

  /** Where a run comes from. */
  type Source =
    /** It is made while it is watched. */
    | 'live'
    /** It was recorded: every viewer plays it for itself. */
    | 'replay';

  /** How the run stands. */
  interface Standing {
    /** Whether it goes on. */
    is: RunState;
    /** How far it has come. */
    live_s: number;
    /** The file that the log is written to. */
    log: string | null;
    /** How it ended, in a sentence, if it did. */
    over: string | null;
    /** The number of the run. */
    run: number;
    /** Times real time, 0.1 to 1000; 0: as fast as it goes. */
    speed: number;
    /** How many pages look on. */
    viewers: number;
  }

  /** How far a step goes. */
  type StepBy =
    /** To the next event; in a reception, to the next tick. */
    | 'event'
    /** To the next line of the log. */
    | 'line';

  /** What was said about a task or by a robot, and what was decided. */
  interface Story {
    /** Who was chosen, and why. */
    awards: Award[];
    /** The numbers of the lines of the log about it. */
    lines: number[];
    /** The newest 400 marks: robots that ignored or dropped one of them. */
    marks: Mark[];
    /** The newest 600 transmissions about it. */
    messages: Told[];
    /** The name of the task or the robot. */
    name: string;
    /** Why nobody took the task, or why it is not done, in a few sentences, as of the newest moment; none if it is. */
    nobody: string[];
    /** The task, if the story is about one. */
    task: number | null;
    /** There was more than is told. */
    truncated: boolean;
    /** Somebody has the task, and has not done it yet: `nobody` says what came of it so far. */
    under_way: boolean;
  }

  /** A task of a run. */
  interface TaskAbout {
    /** Its name. */
    name: string;
  }

  /** A task at one instant, as the world's ledger has it. */
  interface TaskState {
    /** The robot that saw it first. */
    by: number | null;
    /** How often somebody called for it. */
    calls: number;
    /** The number of the attempt; 0 before the first. */
    epoch: number;
    /** The robot that has it. */
    holder: number | null;
    /** The robot that leads its auction, or calls for it. */
    lead: number | null;
    /** Seconds since the beginning at which it came up. */
    seen: number | null;
    /** When it was handed over or done. */
    served: number | null;
    /** How far it has come. */
    state: Progress;
    /** The number of the task. */
    task: number;
    /** How often it was done. */
    times: number;
    /** The robots that are at it. */
    workers: number[];
    /** Its place, to the east. */
    x: number;
    /** Its place, to the north. */
    y: number;
  }

  /** What the server says. */
  type ToPage =
    /** The first of all, once. */
    | { t: 'hello' } & Hello
    /** Something is loaded: after `hello` if something was already, and whenever something else is. */
    | { t: 'run' } & Run
    /** How the run stands: after `run`, when it changes, and once a second while the run goes on. */
    | { t: 'standing' } & Standing
    /** What there is to see apart from poses, a few times a second while it changes. */
    | { t: 'moment' } & Moment
    /** More of the log: every line once, in order, without gaps. */
    | { t: 'lines' } & Lines
    /** The answer to a question, or why there is none. */
    | { t: 'answer' } & Answer
    /** Something that was asked for cannot be done. */
    | { t: 'error' } & Trouble;

  /** A transmission of a story. */
  interface Told {
    /** Seconds since the beginning at which it was sent. */
    at: number;
    /** The sender. */
    from: number;
    /** At most 40 of the robots that have heard it, each with when it did. */
    heard: ([number, number])[];
    /** How many have heard it. */
    hearers: number;
    /** What its mechanism calls it. */
    kind: string;
    /** The same with a number, if it was said again and again. */
    label: string;
    /** Nobody heard it. */
    lost: boolean;
    /** Its number, from zero in the order of sending. */
    n: number;
    /** The task that it is about. */
    task: number | null;
    /** The receiver; null: everybody. */
    to: number | null;
  }

  /** Something that was asked for cannot be done. */
  interface Trouble {
    /** The whole report with file and line, if there is one. */
    detail: string | null;
    /** What to try. */
    help: string;
    /** What failed, with which value. */
    message: string;
    /** The request that failed. */
    what: Matter;
  }

  /** Values of a curve, one for each sample. */
  type Values =
    /** How many there were. */
    | number[]
    /** Shares of a whole, in percent. */
    | number[]
    /** Values of a bar; null where the robot showed none. */
    | (number | null)[];

  /** The way that a vehicle is on. */
  interface Way {
    /** It leads over a target, on a heading. */
    corridor: boolean;
    /** Its corners. */
    points: ([number, number])[];
    /** The vehicle. */
    robot: number;
  }
}
