import { useWindowEvent } from '../../use-window-event';

/** What opens a closed navigation again. */
const AGAIN = ['pointerleave', 'focusin', 'click'];

/** Escape closes what hovering or the focus has opened of the navigation (WCAG 1.4.13), and moves neither. */
export function useEscape(): void {
  useWindowEvent('keydown', ({ key, defaultPrevented }) => {
    if (key !== 'Escape' || defaultPrevented) return;
    for (const nav of document.querySelectorAll<HTMLElement>('nav:is(:hover, :focus-within)')) {
      nav.querySelector<HTMLElement>(':scope > ul > li:focus-within > button')?.focus();
      nav.dataset.closed = '';
      for (const event of AGAIN) nav.addEventListener(event, () => delete nav.dataset.closed, { once: true });
    }
  });
}
