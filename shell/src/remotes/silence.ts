/** Tells a slow line from a dead one: a long file's bytes are read beside the browser, out of the same answer. */
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

/** A line that takes long: whether it is silent, and how many of the files that the page asked for are here. */
export type SlowLine = { isSilent: boolean; here: number; asked: number };

/** Tells of a line that takes long, and of what comes on it. Returns what ends it. */
export function watchLine(onChange: (line: SlowLine) => void): () => void {
  let timers: ReturnType<typeof setTimeout>[] = [];
  let isSlow = false;
  const ended = new AbortController();
  const here = new Set<string>();
  const heard = new Set<string>();
  /** Loaders take the tags of files that are here out of the page. */
  const asked = new Set<string>();
  const tell = (isSilent = false): void => {
    for (const url of filesAskedFor()) asked.add(url);
    onChange({ isSilent, here: [...asked].filter((url) => here.has(url)).length, asked: asked.size });
  };
  const listen = (): void => {
    for (const url of filesAskedFor()) {
      if (!here.has(url) && !heard.has(url)) void listenTo(url, hear, ended.signal).catch(() => undefined);
      heard.add(url);
    }
  };
  const hear = (): void => {
    if (ended.signal.aborted) return;
    timers.forEach(clearTimeout);
    timers = [setTimeout(listen, LISTEN_MS), setTimeout(tell, SILENCE_MS, true)];
    if (isSlow) tell();
  };
  const slow = setTimeout(() => {
    isSlow = true;
    tell();
  }, LISTEN_MS);
  const observer = new PerformanceObserver((list) => {
    const files = list.getEntries().filter(isFile);
    for (const { name } of files) here.add(name);
    if (files.length > 0) hear();
  });
  observer.observe({ type: 'resource', buffered: true });
  hear();
  return () => {
    ended.abort();
    observer.disconnect();
    [slow, ...timers].forEach(clearTimeout);
  };
}
