/** The line of an entry, by its id. */
export const lineId = (entry: string): string => `timeline-${entry}`;

/** Brings an entry's line on screen; where it is not shown, the list. */
export function showLine(entry: string): void {
  const line = document.getElementById(lineId(entry)) ?? document.querySelector<HTMLElement>('[data-timeline]');
  line?.scrollIntoView({ block: 'center' });
  line?.focus({ preventScroll: true });
}
