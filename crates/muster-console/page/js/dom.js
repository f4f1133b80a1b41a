// Elements in few words. Text goes in as text, never as HTML: names come from scenario files.

/** An element: `el('button', {class: 'go', onclick: f}, 'Go')`. Attributes that are false, null or undefined are left out. */
export function el(name, attributes = {}, ...children) {
  return fill(document.createElement(name), attributes, children);
}

/** The same for SVG. */
export function svg(name, attributes = {}, ...children) {
  return fill(document.createElementNS('http://www.w3.org/2000/svg', name), attributes, children);
}

function fill(element, attributes, children) {
  for (const [key, value] of Object.entries(attributes)) {
    if (value === false || value === null || value === undefined) continue;
    if (key.startsWith('on')) element.addEventListener(key.slice(2), value);
    else element.setAttribute(key, value === true ? '' : value);
  }
  element.append(...children.flat().filter((child) => child !== null && child !== undefined && child !== false));
  return element;
}

/** Sets the text of an element if it is another: what has not changed is not laid out again. */
export function setText(element, text) {
  if (element.textContent !== text) element.textContent = text;
}

/** Seconds as people read them: 75.3 is 1:15.3. */
export function clock(seconds, digits = 1) {
  if (!Number.isFinite(seconds)) return '–';
  const unit = 10 ** digits,
    whole = Math.round(Math.abs(seconds) * unit);
  const hours = Math.floor(whole / unit / 3600),
    minutes = Math.floor(whole / unit / 60) % 60;
  const rest = ((whole / unit) % 60).toFixed(digits).padStart(digits ? digits + 3 : 2, '0');
  return `${seconds < 0 ? '-' : ''}${hours ? `${hours}:${String(minutes).padStart(2, '0')}` : minutes}:${rest}`;
}

/** A number without needless digits. */
export function short(value) {
  if (!Number.isFinite(value)) return '–';
  return Number.isInteger(value) ? String(value) : String(Number(value.toPrecision(4)));
}
