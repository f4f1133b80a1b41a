// The mouse, the finger and the wheel: drag moves, wheel and pinch zoom, click selects, double click follows.

import { clearSelection, emit, put, selectRobot, selectTask, store } from '../store.js';
import { pickAt } from './pick.js';
import { gliding, outdate, scene } from './scene.js';

const CLICK_SLACK = 4;

/**
 * Listens to what is done to the map; `touched()` is called when the person moves the view, `pointed(x, y)` when the pointer
 * moves, `left()` when it leaves.
 * @param {HTMLElement} element
 * @param {{touched: () => void, pointed: (x: number, y: number) => void, left: () => void}} options
 */
export function listenToPointer(element, { touched, pointed, left }) {
  const pointers = new Map();
  let travelled = 0;

  /** @param {MouseEvent} event */
  const placeOf = (event) => {
    const box = element.getBoundingClientRect();
    return { x: event.clientX - box.left, y: event.clientY - box.top };
  };
  const spread = () => {
    const [a, b] = [...pointers.values()];
    return { x: (a.x + b.x) / 2, y: (a.y + b.y) / 2, apart: Math.max(1, Math.hypot(a.x - b.x, a.y - b.y)) };
  };

  element.addEventListener('pointerdown', (event) => {
    if (event.button !== 0 && event.button !== 1) return;
    try {
      element.setPointerCapture(event.pointerId);
    } catch {
      /* the pointer is gone already */
    }
    if (pointers.size === 0) travelled = 0;
    pointers.set(event.pointerId, placeOf(event));
  });

  element.addEventListener('pointermove', (event) => {
    const place = placeOf(event),
      held = pointers.get(event.pointerId);
    pointed(place.x, place.y);
    if (!held) return;
    const before = pointers.size === 2 ? spread() : null;
    const [dx, dy] = [place.x - held.x, place.y - held.y];
    if (pointers.size === 1 && travelled + Math.hypot(dx, dy) <= CLICK_SLACK) return;
    travelled += Math.hypot(dx, dy);
    pointers.set(event.pointerId, place);
    touched();
    if (before) {
      const after = spread();
      scene.camera.pan(before.x - after.x, after.y - before.y);
      scene.camera.zoom(after.apart / before.apart, after.x, after.y);
    } else scene.camera.pan(-dx, dy);
    element.classList.add('is-held');
    outdate();
  });

  /** @param {PointerEvent} event */
  const release = (event) => {
    if (!pointers.delete(event.pointerId)) return;
    element.classList.remove('is-held');
    if (event.type === 'pointerup' && travelled <= CLICK_SLACK && event.button === 0) click(placeOf(event), event);
  };
  element.addEventListener('pointerup', release);
  element.addEventListener('pointercancel', release);
  element.addEventListener('pointerleave', left);

  /**
   * @param {{x: number, y: number}} options
   * @param {{shiftKey: boolean}} options
   */
  function click({ x, y }, { shiftKey }) {
    const target = pickAt(x, y, scene);
    scene.cursor = null;
    if (target?.robot !== undefined) selectRobot(target.robot, { add: shiftKey });
    else if (target) chooseTask(target.task);
    else if (!shiftKey) clearSelection();
    outdate('overlay');
  }

  element.addEventListener('dblclick', (event) => {
    const { x, y } = placeOf(event),
      target = pickAt(x, y, scene);
    const robot = target?.robot ?? [...store.selection.robots][0];
    if (target && robot !== undefined) put('follow', robot);
  });

  element.addEventListener(
    'wheel',
    (event) => {
      event.preventDefault();
      const { x, y } = placeOf(event);
      const lines = event.deltaMode === 1 ? 16 : event.deltaMode === 2 ? 400 : 1;
      // A pinch on a touch pad comes as a wheel with Ctrl and small steps, and is smooth by itself.
      const factor = Math.exp(-event.deltaY * lines * (event.ctrlKey ? 0.01 : 0.0018));
      if (store.follow === null) {
        touched();
        scene.camera.zoom(factor, x, y, event.ctrlKey ? {} : gliding());
      } else scene.camera.zoom(factor);
      outdate();
    },
    { passive: false },
  );
}

/**
 * Selects a task and shows its story.
 * @param {number} task
 */
export function chooseTask(task) {
  selectTask(task);
  emit('open', { tab: 'inspector' });
}
