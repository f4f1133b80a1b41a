// Numbers along the edges of the map, and a bar that shows how long a stretch is. They lie over the bodies, so that a crowd
// does not hide them.

const FONT = 11;

/**
 * The distance between two lines of the grid: 1, 2 or 5 times a power of ten, and at least so many pixels.
 * @param {number} scale
 * @param {number} pixels
 */
export function niceStep(scale, pixels) {
  const least = pixels / scale,
    power = 10 ** Math.floor(Math.log10(least));
  return power * ([1, 2, 5].find((times) => times * power >= least) ?? 10);
}

/**
 * Writes the numbers of the grid's lines, and draws the bar.
 * @param {CanvasRenderingContext2D} context
 * @param {Page.Scene} scene
 * @param {string} unit
 */
export function drawAxes(context, { camera, palette }, unit) {
  const step = niceStep(camera.scale, 70),
    digits = Math.max(0, -Math.floor(Math.log10(step) + 1e-9));
  context.font = `${FONT}px ${palette.sans}`;
  context.fillStyle = palette.soft;
  context.strokeStyle = palette.outside;
  context.lineWidth = 3;
  context.lineJoin = 'round';
  /**
   * @param {string} text
   * @param {number} x
   * @param {number} y
   */
  const write = (text, x, y) => {
    context.strokeText(text, x, y);
    context.fillText(text, x, y);
  };
  context.textBaseline = 'alphabetic';
  context.textAlign = 'center';
  const bar = niceStep(camera.scale, 45),
    last = camera.toFieldX(camera.width - 50 - bar * camera.scale);
  for (let x = Math.ceil(camera.toFieldX(44) / step) * step; x <= last; x += step) {
    write((Math.abs(x) < step / 2 ? 0 : x).toFixed(digits), camera.toScreenX(x), camera.height - 7);
  }
  context.textBaseline = 'middle';
  context.textAlign = 'left';
  for (
    let y = Math.ceil(camera.toFieldY(camera.height - 26) / step) * step, top = camera.toFieldY(14);
    y <= top;
    y += step
  ) {
    write((Math.abs(y) < step / 2 ? 0 : y).toFixed(digits), 8, camera.toScreenY(y));
  }
  drawScaleBar(context, camera, palette, bar, unit, write);
}

/**
 * @param {CanvasRenderingContext2D} context
 * @param {Page.Scene['camera']} camera
 * @param {Page.Palette} palette
 * @param {number} length
 * @param {string} unit
 * @param {(text: string, x: number, y: number) => void} write
 */
function drawScaleBar(context, camera, palette, length, unit, write) {
  const pixels = length * camera.scale;
  const right = camera.width - 14,
    bottom = camera.height - 10;
  for (const { colour, width } of [
    { colour: palette.outside, width: 4.5 },
    { colour: palette.text, width: 1.5 },
  ]) {
    context.beginPath();
    context.moveTo(right - pixels, bottom - 5);
    context.lineTo(right - pixels, bottom);
    context.lineTo(right, bottom);
    context.lineTo(right, bottom - 5);
    context.strokeStyle = colour;
    context.lineWidth = width;
    context.stroke();
  }
  context.fillStyle = palette.text;
  context.strokeStyle = palette.outside;
  context.lineWidth = 3;
  context.textAlign = 'center';
  context.textBaseline = 'alphabetic';
  write(`${Number(length.toPrecision(3))} ${unit}`, right - pixels / 2, bottom - 7);
}
