/** Opens and closes the navigation's drawer with a finger. Buttons do the same. */

/** Width in px at the edge of the screen where a swipe opens the drawer. */
const AREA = 20;
/** Part of its width that it must be moved by to change its state. */
const HYSTERESIS = 0.52;
/** Speed in px/s from which it changes its state however far it was moved. */
const FLING = 450;
/** Pixels within which a move may still be a scroll. */
const SLACK = 8;
const SETTLE_MS = 160;

/** Whether a drawer moved by `moved` px towards its other state, at `speed` px/s, goes there. */
export const goesOn = (moved: number, speed: number, width: number): boolean =>
  moved > width * HYSTERESIS || (moved > 0 && speed > FLING);

type Swipe = { x: number; y: number; opening: boolean; dragging: boolean; moved: number; speed: number; at: number };
type Drawer = { dialog: HTMLDialogElement; open(): void; close(): void };

/** Follows touches until the returned function is called. The drawer is at the side where lines begin. */
export function followSwipes({ dialog, open, close }: Drawer): () => void {
  let swipe: Swipe | null = null;
  const sign = () => (document.documentElement.dir === 'rtl' ? -1 : 1);
  const width = () => dialog.getBoundingClientRect().width || Math.min(300, innerWidth * 0.86);
  /** `shown`: px of the drawer that are on the screen; null: as the stylesheet has it. */
  const place = (shown: number | null) => {
    dialog.style.animation = 'none';
    dialog.style.transform = shown === null ? '' : `translateX(${sign() * (shown - width())}px)`;
  };

  const start = ({ touches }: TouchEvent) => {
    const [touch] = touches;
    if (!touch || touches.length > 1) return;
    const fromEdge = sign() > 0 ? touch.clientX : innerWidth - touch.clientX;
    const opening = !dialog.open;
    if (opening && (fromEdge > AREA || document.querySelector('dialog[open]'))) return;
    swipe = { x: touch.clientX, y: touch.clientY, opening, dragging: false, moved: 0, speed: 0, at: performance.now() };
  };
  const move = ({ touches }: TouchEvent) => {
    const [touch] = touches;
    if (!swipe || !touch) return;
    const moved = Math.max(0, (touch.clientX - swipe.x) * sign() * (swipe.opening ? 1 : -1));
    if (!swipe.dragging) {
      const down = Math.abs(touch.clientY - swipe.y);
      if (Math.max(moved, down) < SLACK) return;
      if (down > moved) {
        swipe = null;
        return;
      }
      swipe.dragging = true;
      dialog.style.transition = 'none';
      if (swipe.opening) open();
    }
    const now = performance.now();
    if (now > swipe.at) swipe.speed = ((moved - swipe.moved) / (now - swipe.at)) * 1000;
    Object.assign(swipe, { moved, at: now });
    place(Math.min(width(), swipe.opening ? moved : width() - moved));
  };
  const end = () => {
    if (!swipe) return;
    const { dragging, opening, moved, speed } = swipe;
    swipe = null;
    if (!dragging) return;
    dialog.style.transition = `transform ${SETTLE_MS}ms ease-out`;
    const staysOpen = goesOn(moved, speed, width()) === opening;
    place(staysOpen ? width() : 0);
    setTimeout(() => {
      if (!staysOpen) close();
      dialog.style.transition = '';
      place(null);
    }, SETTLE_MS);
  };

  // Opened by its button it comes in as the stylesheet has it again.
  const closed = () => {
    dialog.style.animation = '';
  };
  dialog.addEventListener('close', closed);
  const options = { passive: true };
  document.addEventListener('touchstart', start, options);
  document.addEventListener('touchmove', move, options);
  for (const last of ['touchend', 'touchcancel'] as const) document.addEventListener(last, end, options);
  return () => {
    dialog.removeEventListener('close', closed);
    document.removeEventListener('touchstart', start);
    document.removeEventListener('touchmove', move);
    for (const last of ['touchend', 'touchcancel'] as const) document.removeEventListener(last, end);
  };
}
