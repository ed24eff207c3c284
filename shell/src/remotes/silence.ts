/** Tells a slow line from a dead one. A browser says of a file only that it has come as a whole. */

/** A line on which no file of a page has come for so long is dead. */
export const SILENCE_MS = 8_000;

/** Answers come again and again, also beside a file that hangs. */
const isFile = ({ name }: { name: string }): boolean =>
  !/^\/(api|__clerk)\//.test(new URL(name, location.href).pathname);

/** Says when the line falls silent, and when a file comes after that. Returns what ends it. */
export function watchLine(onChange: (isSilent: boolean) => void): () => void {
  let timer: ReturnType<typeof setTimeout> | undefined;
  let isSilent = false;
  const hear = (): void => {
    clearTimeout(timer);
    timer = setTimeout(() => onChange((isSilent = true)), SILENCE_MS);
    if (isSilent) onChange((isSilent = false));
  };
  const observer = new PerformanceObserver((list) => list.getEntries().some(isFile) && hear());
  observer.observe({ type: 'resource' });
  hear();
  return () => {
    observer.disconnect();
    clearTimeout(timer);
  };
}
