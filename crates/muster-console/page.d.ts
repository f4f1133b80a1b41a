// Shapes that the modules of the page share. What comes over the wire is in wire.d.ts.

declare namespace Page {
  /** The connection to the server. */
  interface Link {
    state: 'connecting' | 'open' | 'lost';
    /** When that state began (`performance.now`). */
    since: number;
    /** How long a message takes to the server and back, in milliseconds. */
    rtt: number | null;
    attempt: number;
    retryAt: number;
    /** What to do, if the server lets nobody in. */
    refused: string | null;
  }

  /** What is selected, everywhere. */
  interface Selection {
    robots: Set<number>;
    task: number | null;
  }

  /** The time that this viewer looks at: the live edge, or a moment of the past. */
  interface View {
    live: boolean;
    at: number;
  }

  type Layer = 'names' | 'tasks' | 'messages' | 'trails' | 'ways' | 'rings' | 'grid' | 'obstacles' | 'guests';

  /** A line of the log; `plain` is what its filter looks at, made when it is first needed. */
  type Line = Wire.Line & { plain?: string };

  /** A message of the server of one sort. */
  type Said<T extends Wire.ToPage['t']> = Extract<Wire.ToPage, { t: T }>;

  /** The value of an answer, by what was asked. */
  type AnswerTo<W extends Wire.Asked> = Extract<Wire.Answer, { what: W; value: unknown }>['value'];

  /** What a question needs beside its word. */
  type Detail<W extends Wire.Asked> = Omit<Extract<Wire.FromPage, { do: 'ask'; what: W }>, 'do' | 'id' | 'what'>;

  /** Poses, in the unit of the field; see frame.js. */
  interface Frame {
    live: boolean;
    hasBox: boolean;
    /** The number of the run, modulo 65536. */
    run: number;
    robots: number;
    /** How many bodies there are: robots, guests, perhaps a box. */
    count: number;
    guests: number;
    at: number;
    x: Float32Array;
    y: Float32Array;
    heading: Float32Array;
    state: Uint8Array;
    /** The bodies as they came, for the graphics card. */
    wire: Uint8Array<ArrayBuffer>;
    /** When it came (`performance.now`). */
    came: number;
    decodeMs: number;
  }

  /** What listeners to each topic are told. */
  interface Topics {
    hello: Wire.Hello | null;
    /** Told again when the page joins again. */
    run: Wire.Run | null;
    /** Another run, or null: none any more. */
    newrun: Wire.Run | null;
    standing: Wire.Standing | null;
    moment: Wire.Moment | null;
    frame: Frame | null;
    lines: { from: number; added: Line[]; reset?: boolean };
    link: Link;
    selection: Selection;
    view: View;
    layers: Record<Layer, boolean>;
    layout: Wire.Layout;
    /** The robot that the map follows. */
    follow: number | null;
    error: Wire.Trouble;
    notice: Notice;
    /** The own view is played, or held. */
    playing: boolean;
    /** A tab is to be opened. */
    open: { tab: string };
    /** It is known whether something is loaded. */
    settled: undefined;
    /** Colours are others. */
    theme: undefined;
  }

  /** Something that the page has to tell. */
  interface Notice {
    text: string;
    help?: string | null;
    detail?: string | null;
    extra?: HTMLElement | null;
    actions?: { label: string; run: () => void }[];
    /** It is read out at once. */
    urgent?: boolean;
    /** It goes by itself. */
    brief?: boolean;
    kind?: string;
  }

  /** Attributes of an element; those that are false, null or undefined are left out, `on…` are listeners. */
  type Attributes = Record<string, string | number | boolean | null | undefined | ((event: any) => unknown)>;
  type Child = Node | string | null | undefined | false;
  /** What may stand within an element. */
  type Children = (Child | Child[])[];

  /** What the pointer is over on the map. */
  type Target = { robot: number; task?: undefined } | { task: number; robot?: undefined };

  /** Colours of the theme as canvases need them, by the names of their tokens. */
  interface Palette {
    [token: string]: string;
  }

  /** What the parts of the map share; see map/scene.js. */
  interface Scene {
    camera: import('./page/js/map/camera.js').Camera;
    palette: Palette;
    /** Device pixels for each pixel of the page. */
    ratio: number;
    /** Radius of a robot on the screen. */
    radius: number;
    guestRadius: number;
    hover: Target | null;
    /** The map cursor of the keyboard: a place, and the robot that it is on. */
    cursor: Cursor | null;
    /** The CARS look is on. */
    cars: boolean;
  }

  interface Cursor {
    x: number;
    y: number;
    robot: number | null;
  }

  /** What a painter of bodies is told for each drawing. */
  interface Picture {
    frame: Frame;
    before: Frame | null;
    mix: number;
    camera: Scene['camera'];
    bounds: Wire.Run['bounds'];
    /** The shape of each state, by its number in frames. */
    shapeOf: number[];
    radius: number;
    guestRadius: number;
    shapes: boolean;
    cars: boolean;
    guests: boolean;
    ratio: number;
  }

  /** Draws bodies: by WebGL2, or pixel by pixel. */
  interface Painter {
    readonly name: string;
    /** Colours of bodies by their shapes (`SHAPE` of states.js), and of the ground. */
    colour(inks: string[], ground: string): void;
    resize(width: number, height: number): void;
    clear(): void;
    draw(picture: Picture): void;
  }

  type Point = [number, number];
}

/** What tests of the page look at; see testing.js. */
interface Window {
  __map?: { positions: () => { robot: number; x: number; y: number }[] };
  __draw?: { times: Float64Array; n: number };
}

/** Plotly comes as a script of its own when plots are opened; of its types nothing is used. */
declare var Plotly: any;
