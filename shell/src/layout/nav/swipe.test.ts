import { followSwipes, goesOn } from './swipe';

test.each([
  [150, 0, false],
  [157, 0, true],
  [40, 440, false],
  [40, 460, true],
  [0, 900, false],
])('moved by %i px of 300 at %i px/s: %p', (moved, speed, goes) => {
  expect(goesOn(moved, speed, 300)).toBe(goes);
});

describe('a finger', () => {
  let dialog: HTMLDialogElement;
  let stop: () => void;
  let time = 0;
  const open = jest.fn(() => dialog.setAttribute('open', ''));
  const close = jest.fn(() => dialog.removeAttribute('open'));
  const touch = (type: string, x = 0, y = 300) =>
    document.dispatchEvent(
      Object.assign(new Event(type), { touches: type === 'touchend' ? [] : [{ clientX: x, clientY: y }] }),
    );
  /** Moves from `from` to `to` within `ms`. */
  const swipe = (from: number, to: number, ms: number, y = 300) => {
    touch('touchstart', from);
    for (let step = 1; step <= 10; step += 1) {
      time += ms / 10;
      touch('touchmove', from + ((to - from) * step) / 10, 300 + ((y - 300) * step) / 10);
    }
    touch('touchend');
    jest.advanceTimersByTime(200);
  };

  beforeEach(() => {
    jest.useFakeTimers();
    jest.spyOn(performance, 'now').mockImplementation(() => time);
    document.documentElement.dir = 'ltr';
    dialog = document.body.appendChild(document.createElement('dialog'));
    dialog.getBoundingClientRect = () => ({ width: 300 }) as DOMRect;
    stop = followSwipes({ dialog, open, close });
  });
  afterEach(() => {
    stop();
    dialog.remove();
    jest.clearAllMocks();
    jest.useRealTimers();
  });

  test('opens the drawer from the edge, and from nowhere else', () => {
    swipe(30, 300, 1000);
    expect(open).not.toHaveBeenCalled();
    swipe(10, 200, 1000);
    expect([open.mock.calls.length, dialog.open]).toEqual([1, true]);
    expect(dialog.style.transform).toBe('');
  });

  test('that lets go too early, slowly, leaves it closed; a fling opens it', () => {
    swipe(10, 120, 1000);
    expect(dialog.open).toBe(false);
    swipe(10, 120, 100);
    expect(dialog.open).toBe(true);
  });

  test('closes it again; a scroll does nothing', () => {
    dialog.setAttribute('open', '');
    swipe(200, 180, 100, 600);
    expect(dialog.open).toBe(true);
    swipe(280, 60, 1000);
    expect(dialog.open).toBe(false);
  });

  test('comes from the other side where lines begin there', () => {
    document.documentElement.dir = 'rtl';
    swipe(10, 200, 1000);
    expect(open).not.toHaveBeenCalled();
    swipe(innerWidth - 10, innerWidth - 220, 1000);
    expect(dialog.open).toBe(true);
  });
});
