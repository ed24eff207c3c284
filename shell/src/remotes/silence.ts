/**
 * Tells a slow line from a dead one. A browser says of a file only that it has come as a whole: of one that takes long,
 * its bytes are read beside the browser, out of the same answer (Chromium and Firefox ask for it once).
 */
import { earlyFetch } from '@pool/shared';

/** A line on which not a byte of a page's files has come for so long is dead. */
export const SILENCE_MS = 8_000;
/** A file that comes in less than this is not listened to. */
const LISTEN_MS = SILENCE_MS / 2;

/** Answers come again and again, also beside a file that hangs. */
const isFile = ({ name }: { name: string }): boolean =>
  !/^\/(api|__clerk)\//.test(new URL(name, location.href).pathname);

/** Scripts and styles of this origin that were asked for. */
function filesAskedFor(): string[] {
  const tags = document.querySelectorAll<HTMLScriptElement | HTMLLinkElement>(
    'script[src], link:is([rel=preload], [rel=stylesheet])',
  );
  return [...tags].map((tag) => ('src' in tag ? tag.src : tag.href)).filter((url) => url.startsWith(location.origin));
}

/** Calls `hear` when more of a file comes than was there. */
async function listenTo(url: string, hear: () => void, signal: AbortSignal): Promise<void> {
  const { body } = await earlyFetch(url, { cache: 'force-cache', signal });
  const reader = body?.getReader();
  for (let parts = 0; reader && !(await reader.read()).done; parts += 1) if (parts > 0) hear();
}

/** Says when the line falls silent, and when something comes after that. Returns what ends it. */
export function watchLine(onChange: (isSilent: boolean) => void): () => void {
  let timers: ReturnType<typeof setTimeout>[] = [];
  let isSilent = false;
  const ended = new AbortController();
  /** Files that have come, or are listened to. */
  const heard = new Set<string>();
  const listen = (): void => {
    for (const url of filesAskedFor()) {
      if (!heard.has(url)) void listenTo(url, hear, ended.signal).catch(() => undefined);
      heard.add(url);
    }
  };
  const hear = (): void => {
    if (ended.signal.aborted) return;
    timers.forEach(clearTimeout);
    timers = [setTimeout(listen, LISTEN_MS), setTimeout(() => onChange((isSilent = true)), SILENCE_MS)];
    if (isSilent) onChange((isSilent = false));
  };
  const observer = new PerformanceObserver((list) => {
    const files = list.getEntries().filter(isFile);
    for (const { name } of files) heard.add(name);
    if (files.length > 0) hear();
  });
  observer.observe({ type: 'resource', buffered: true });
  hear();
  return () => {
    ended.abort();
    observer.disconnect();
    timers.forEach(clearTimeout);
  };
}
