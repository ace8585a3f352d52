// The sheet at the bottom of a telephone's window, which has the panel of the place over the map: of three heights, chosen by a button,
// by the arrows on it, or by dragging it. On wider windows it is a column, and the button is not there.
import {el} from './dom.js';

const heights = ['low', 'half', 'full'];

// createSheet makes the button of a sheet, the element around the place. Out: render, for another language, and raise, which shows
// half of it at least.
export function createSheet(sheet, context) {
  let at = 1, from = null;
  const button = el('button', {type: 'button', id: 'sheet-handle', onclick: click, onkeydown: key, onpointerdown: down, onpointermove: move, onpointerup: up, onpointercancel: up});
  sheet.prepend(button);

  function set(next) {
    at = Math.min(Math.max(next, 0), heights.length - 1);
    document.body.dataset.sheet = heights[at];
    sheet.style.height = '';
    const {t} = context;
    button.setAttribute('aria-label', t('sheet', {now: t('sheet.' + heights[at]), next: t('sheet.' + heights[(at + 1) % heights.length])}));
  }

  // A click that ends a drag chooses nothing.
  function click() {
    if (from?.moved) from = null;
    else set((at + 1) % heights.length);
  }

  function key(event) {
    const step = {ArrowUp: 1, ArrowDown: -1}[event.key];
    if (!step) return;
    event.preventDefault();
    set(at + step);
  }

  function down(event) {
    from = {y: event.clientY, height: sheet.offsetHeight, moved: false};
    button.setPointerCapture(event.pointerId);
  }

  function move(event) {
    if (!from || !event.buttons || !from.moved && Math.abs(event.clientY - from.y) < 6) return;
    from.moved = true;
    sheet.style.height = Math.max(from.height + from.y - event.clientY, 60) + 'px';
  }

  function up() {
    if (!from?.moved) return;
    const share = sheet.offsetHeight / sheet.parentElement.offsetHeight;
    set(share < 0.35 ? 0 : share < 0.75 ? 1 : 2);
  }

  return {render: () => set(at), raise: () => set(Math.max(at, 1))};
}
