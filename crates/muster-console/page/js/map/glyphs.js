// The shapes of states as paths, for the legend and for browsers without WebGL2. They are those of `shaders.js`, in units of
// the radius, y down. `fill` is filled, `line` is stroked.

/** @type {{line?: string, fill?: string}[]} by `SHAPE` of states.js */
export const GLYPHS = [
  { line: 'M.85 0A.85 .85 0 1 1 -.85 0A.85 .85 0 1 1 .85 0' },
  {
    line:
      'M.62 0A.62 .62 0 1 1 -.62 0A.62 .62 0 1 1 .62 0M.88 -.66A1.1 1.1 0 0 1 .88 .66M-.88 -.66A1.1 1.1 0 0 0 -.88 .66' +
      'M1.24 -.93A1.55 1.55 0 0 1 1.24 .93M-1.24 -.93A1.55 1.55 0 0 0 -1.24 .93',
  },
  { line: 'M.85 0A.85 .85 0 1 1 -.85 0A.85 .85 0 1 1 .85 0', fill: 'M.42 0A.42 .42 0 1 1 -.42 0A.42 .42 0 1 1 .42 0' },
  { fill: 'M1.65 0L.44 .78A.9 .9 0 1 1 .44 -.78Z' },
  { fill: 'M.9 0A.9 .9 0 1 1 -.9 0A.9 .9 0 1 1 .9 0M-1.05 1.2H1.05V1.57H-1.05Z' },
  { line: 'M-.8 -.8L.8 .8M-.8 .8L.8 -.8' },
];

/**
 * Diamonds of tasks, by state; `mark` is a line in them.
 * @type {Record<Wire.Progress, {colour: string, mark: string, solid?: boolean, round?: boolean, dashed?: boolean}>}
 */
export const DIAMONDS = {
  unseen: { colour: 'grey', mark: '', dashed: true },
  open: { colour: 'orange', mark: 'M0 -.45V.1M0 .38V.42' },
  taken: { colour: 'blue', mark: 'M-.32 0H.32M.05 -.28L.34 0L.05 .28' },
  worked: { colour: 'purple', mark: 'M-.4 0H.4', solid: true },
  done: { colour: 'green', mark: 'M-.36 .02L-.1 .28L.36 -.24', round: true },
  expired: { colour: 'vermilion', mark: 'M-.28 -.28L.28 .28M-.28 .28L.28 -.28' },
  'called off': { colour: 'grey', mark: 'M-.36 0H.36' },
};
