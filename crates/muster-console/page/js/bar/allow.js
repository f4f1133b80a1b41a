// Buttons that make no sense now stay where they are and say why. They keep the focus, so that a person who works by
// keyboard is not thrown out when a button switches itself off.

/**
 * Lets a button be pressed, or says in its title why not.
 * @param {HTMLElement} button
 * @param {string} why
 * @param {string} title
 */
export function allow(button, why, title) {
  const disabled = String(Boolean(why));
  if (button.getAttribute('aria-disabled') !== disabled) button.setAttribute('aria-disabled', disabled);
  const says = why || title;
  if (button.title !== says) button.title = says;
}

/**
 * What a press does, unless the button is not allowed now.
 * @param {(event: Event) => void} run
 */
export function pressing(run) {
  return (/** @type {Event & {currentTarget: Element}} */ event) => {
    if (event.currentTarget.getAttribute('aria-disabled') !== 'true') run(event);
    else event.preventDefault();
  };
}
