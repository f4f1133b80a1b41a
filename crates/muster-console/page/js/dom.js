// Elements in few words. Text goes in as text, never as HTML: names come from scenario files.

/**
 * An element: `el('button', {class: 'go', onclick: f}, 'Go')`.
 * @template {keyof HTMLElementTagNameMap} K
 * @param {K} name
 * @param {Page.Attributes} attributes
 * @param {Page.Children} children
 */
export function el(name, attributes = {}, ...children) {
  return fill(document.createElement(name), attributes, children);
}

/**
 * The same for SVG.
 * @template {keyof SVGElementTagNameMap} K
 * @param {K} name
 * @param {Page.Attributes} attributes
 * @param {Page.Children} children
 */
export function svg(name, attributes = {}, ...children) {
  return fill(document.createElementNS('http://www.w3.org/2000/svg', name), attributes, children);
}

/**
 * @template {Element} E
 * @param {E} element
 * @param {Page.Attributes} attributes
 * @param {Page.Children} children
 */
function fill(element, attributes, children) {
  for (const [key, value] of Object.entries(attributes)) {
    if (value === false || value === null || value === undefined) continue;
    if (typeof value === 'function') element.addEventListener(key.slice(2), value);
    else element.setAttribute(key, value === true ? '' : String(value));
  }
  element.append(...children.flat().filter((child) => child !== null && child !== undefined && child !== false));
  return element;
}

/**
 * What the page cannot be without: an element that is there, or a mistake in its HTML.
 * @param {string} id
 */
export function byId(id) {
  const found = document.getElementById(id);
  if (!found) throw new Error(`the page has no element called ${id}`);
  return found;
}

/**
 * The element that an event came from, or the nearest around it that a selector means.
 * @param {Event} event
 * @param {string} selector
 * @returns {HTMLElement | null}
 */
export function hit(event, selector) {
  return event.target instanceof Element ? event.target.closest(selector) : null;
}

/** The element that has the focus. */
export function focusedElement() {
  return /** @type {HTMLElement | null} */ (document.activeElement);
}

/**
 * What draws on a canvas.
 * @param {HTMLCanvasElement} canvas
 * @param {CanvasRenderingContext2DSettings} [settings]
 */
export function brushOf(canvas, settings) {
  const brush = canvas.getContext('2d', settings);
  if (!brush) throw new Error('this canvas cannot be drawn on');
  return brush;
}

/**
 * Sets the text of an element if it is another: what has not changed is not laid out again.
 * @param {Node | null} element
 * @param {string} text
 */
export function setText(element, text) {
  if (element && element.textContent !== text) element.textContent = text;
}

/**
 * Seconds as people read them: 75.3 is 1:15.3.
 * @param {number} seconds
 */
export function clock(seconds, digits = 1) {
  if (!Number.isFinite(seconds)) return '–';
  const unit = 10 ** digits,
    whole = Math.round(Math.abs(seconds) * unit);
  const hours = Math.floor(whole / unit / 3600),
    minutes = Math.floor(whole / unit / 60) % 60;
  const rest = ((whole / unit) % 60).toFixed(digits).padStart(digits ? digits + 3 : 2, '0');
  return `${seconds < 0 ? '-' : ''}${hours ? `${hours}:${String(minutes).padStart(2, '0')}` : minutes}:${rest}`;
}

/**
 * A number without needless digits.
 * @param {number | null} value
 */
export function short(value) {
  if (value === null || !Number.isFinite(value)) return '–';
  return Number.isInteger(value) ? String(value) : String(Number(value.toPrecision(4)));
}
