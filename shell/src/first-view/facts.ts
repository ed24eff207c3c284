import type { Settings } from '@pool/shared';
import { FACTS_COOKIE, FACTS_ZONE, readFacts, writeFacts } from '@pool/shared/page-start';
import { useEffect } from 'react';
import { whenQuiet } from '../session/when-quiet';
import { DEFAULT_COLOR } from '../settings/settings';

const MAX_AGE_S = 90 * 86_400;

/** Widths that were written in a window as wide as this one. */
function savedWidths(): { content?: number; plot?: number } {
  const [, cookie = ''] = new RegExp(`(?:^|; )${FACTS_COOKIE}=([^;]+)`).exec(document.cookie) ?? [];
  const saved = readFacts(cookie);
  return saved?.width === innerWidth ? { content: Number(saved.content), plot: Number(saved.plot) } : {};
}

function save({ language, direction, themeColor, skin, currency, timeZone }: Settings): void {
  // Not every page has both.
  const saved = savedWidths();
  const content = document.querySelector('main [data-remote]')?.clientWidth || saved.content;
  const plot = document.querySelector('main [data-plot]')?.clientWidth || saved.plot;
  const facts =
    content &&
    plot &&
    timeZone === FACTS_ZONE &&
    // The server's view has texts of the usual size.
    getComputedStyle(document.documentElement).fontSize === '16px' &&
    writeFacts({
      language,
      direction,
      mode: document.documentElement.dataset.mode === 'light' ? 'light' : 'dark',
      currency: currency ?? 'usd',
      themeColor: themeColor ?? DEFAULT_COLOR,
      skin: skin ?? 'default',
      width: innerWidth,
      height: innerHeight,
      content,
      plot,
    });
  const secure = location.protocol === 'https:' ? '; secure' : '';
  document.cookie = `${FACTS_COOKIE}=${facts || ''}; path=/; samesite=lax; max-age=${facts ? MAX_AGE_S : 0}${secure}`;
}

/** Tells the server what the next page's first view must look like. */
export function useBrowserFacts(settings: Settings): void {
  useEffect(() => {
    const write = () => save(settings);
    write();
    // The chart was not there yet; and the next page is asked for before this one is told that it goes.
    const stop = whenQuiet(write);
    addEventListener('pagehide', write);
    document.addEventListener('visibilitychange', write);
    return () => {
      stop();
      removeEventListener('pagehide', write);
      document.removeEventListener('visibilitychange', write);
    };
  }, [settings]);
}
