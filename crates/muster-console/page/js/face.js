// A face: brows, eyes and mouth by the expression, and the head filled from below as far as the emotion is strong.

import { svg } from './dom.js';

// In a square of 48 units: brows and mouth as lines, eyes as the size of two dots.
/** @type {Record<Wire.Expression, {brows: string, eyes: [number, number], mouth: string}>} */
const FACES = {
  happy: { brows: 'M12 15q4-4 8 0M28 15q4-4 8 0', eyes: [2.4, 2.8], mouth: 'M13 28q11 13 22 0' },
  sad: { brows: 'M12 18l8-4M28 14l8 4', eyes: [2.4, 2.4], mouth: 'M15 36q9-9 18 0' },
  surprised: { brows: 'M12 12q4-4 8 0M28 12q4-4 8 0', eyes: [3.4, 3.8], mouth: 'M24 28.5a4.5 5.5 0 1 0 .01 0z' },
  disgusted: { brows: 'M12 17l8 1M28 15q4-3 8 0', eyes: [2.6, 1.6], mouth: 'M14 33q4-5 9-1t11-3' },
  angry: { brows: 'M12 13l8 4.5M36 13l-8 4.5', eyes: [2.6, 2.2], mouth: 'M15 34q9-5 18 0' },
  fearful: { brows: 'M12 15q5-4 8-4M36 15q-5-4-8-4', eyes: [3.2, 3.4], mouth: 'M14 34q2.5-5 5 0t5 0 5 0 5 0' },
  neutral: { brows: 'M12 15h8M28 15h8', eyes: [2.4, 2.4], mouth: 'M16 32h16' },
};
const MIDDLE = 24,
  RADIUS = 21;

/** A face that shows nothing yet. The words stand beside it, so it is silent to those who listen. */
export function face(size = 48) {
  const head = svg('circle', { cx: MIDDLE, cy: MIDDLE, r: RADIUS, class: 'head' });
  const strength = svg('path', { class: 'strength' });
  const brows = svg('path', { class: 'feature' });
  const mouth = svg('path', { class: 'feature' });
  const eyes = [16, 32].map((x) => svg('ellipse', { cx: x, cy: 22, class: 'eye' }));
  const element = svg(
    'svg',
    { class: 'face', viewBox: '0 0 48 48', width: size, height: size, 'aria-hidden': 'true' },
    head,
    strength,
    brows,
    ...eyes,
    mouth,
  );
  let last = '';
  return {
    element,
    /**
     * Shows an expression with an intensity from 0 to 1.
     * @param {Wire.Expression} expression
     * @param {number} intensity
     */
    show(expression, intensity) {
      const key = `${expression} ${Math.round(intensity * 50)}`;
      if (key === last) return;
      last = key;
      const {
        brows: b,
        eyes: [wide, high],
        mouth: m,
      } = FACES[expression] ?? FACES.neutral;
      element.dataset.face = FACES[expression] ? expression : 'neutral';
      brows.setAttribute('d', b);
      mouth.setAttribute('d', m);
      for (const eye of eyes) {
        eye.setAttribute('rx', String(wide));
        eye.setAttribute('ry', String(high));
      }
      strength.setAttribute('d', filledTo(intensity));
    },
  };
}

/**
 * The lower part of the head, up to a share of its height.
 * @param {number} share
 */
function filledTo(share) {
  const up = Math.min(1, Math.max(0, share));
  if (up === 0) return '';
  const y = MIDDLE + RADIUS - 2 * RADIUS * Math.min(up, 0.9999);
  const half = Math.sqrt(Math.max(0, RADIUS ** 2 - (y - MIDDLE) ** 2));
  return `M${MIDDLE - half} ${y}A${RADIUS} ${RADIUS} 0 ${up > 0.5 ? 1 : 0} 0 ${MIDDLE + half} ${y}z`;
}
