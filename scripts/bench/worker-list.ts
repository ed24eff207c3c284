/**
 * The list of 10,000 workers in 40 groups in a real Chromium, without throttling. The server's time is measured with
 * the API; here its response is generated.
 */
import type { Page } from '@playwright/test';
import type { Answer, Worker } from '../../shared/src/index';
import { median } from './figures';
import { launch, signIn, VIEWPORT, type Site } from './site';

const COUNT = 10_000;
const GROUPS = 40;
const STATES = ['online', 'online', 'online', 'low', 'offline'] as const;

function answer(): Answer<'GET /liveWorkers/'> {
  const now = Math.floor(Date.now() / 1000);
  const workers = Array.from({ length: COUNT }, (_, i): Worker => {
    const rate = 9e13 + ((i * 7919) % 10_000) * 1e9;
    return {
      id: i + 1,
      name: `${'abc'[i % 3] ?? ''}-s19-${String((i * 7919) % COUNT).padStart(5, '0')}`,
      group: `hall-${(i * 31) % GROUPS}`,
      state: STATES[i % 5] ?? 'online',
      muted: false,
      alertLimit: 0.7,
      m5: rate,
      h1: rate,
      h24: rate,
      rejectRate: 0.002,
      staleRate: 0.003,
      difficulty: 65_536,
      lastShareAt: now - (i % 60),
      connectedAt: now - 86_400,
      software: 'bench/1',
      shares24h: 8640,
      spark: Array.from({ length: 24 }, (_point, at) => Math.round(rate * (0.95 + ((i + at * 31) % 10) / 100))),
    };
  });
  // The page asks for them so.
  workers.sort((a, b) => (a.name < b.name ? -1 : 1));
  return {
    workers,
    counts: { online: 6000, low: 2000, offline: 2000, inactive: 0, total: COUNT },
    total: COUNT,
    nextCursor: null,
  };
}

/** Milliseconds from the action until the value of `look` has changed and is painted. */
const painted = (page: Page, act: string, look: string): Promise<number> =>
  page.evaluate(`(async () => {
  const frame = () => new Promise((done) => requestAnimationFrame(() => setTimeout(done)));
  const look = () => ${look};
  const before = look();
  const start = performance.now();
  ${act};
  do await frame(); while (look() === before);
  return performance.now() - start;
})()`);
const FILTER = `const box = document.querySelector('input[type=search], input[role=searchbox], main input');
  Object.getOwnPropertyDescriptor(HTMLInputElement.prototype, 'value').set.call(box, '77');
  box.dispatchEvent(new Event('input', { bubbles: true }))`;
const NAMES = "[...document.querySelectorAll('tbody a')].map((link) => link.textContent).join()";

/** Records when the first worker was painted. */
const FIRST_ROW = `
  const look = () => {
    if (document.querySelector('tbody a')) setTimeout(() => { window.firstRow = performance.now(); });
    else requestAnimationFrame(look);
  };
  look();`;

/** Frames a second while the list scrolls by a screen's height every 100 ms. */
const scrolled = (page: Page): Promise<number> =>
  page.evaluate(`(async () => {
  const start = performance.now();
  let frames = 0;
  while (performance.now() - start < 3000) {
    await new Promise(requestAnimationFrame);
    window.scrollBy(0, 150);
    frames += 1;
  }
  return frames / ((performance.now() - start) / 1000);
})()`);

/** The page's heap after a collection, MB. */
async function heapMb(page: Page): Promise<number> {
  const cdp = await page.context().newCDPSession(page);
  await cdp.send('HeapProfiler.collectGarbage');
  const { usedSize } = await cdp.send('Runtime.getHeapUsage');
  await cdp.detach();
  return usedSize / 1e6;
}

export async function benchWorkerList({ url }: Site, runs: number): Promise<void> {
  const body = JSON.stringify(answer());
  const cookies = await signIn(url);
  const browser = await launch();
  const rounds: number[][] = [];
  try {
    const context = await browser.newContext({ viewport: VIEWPORT });
    await context.addCookies(cookies);
    for (let run = 0; run < runs; run += 1) {
      const page = await context.newPage();
      await page.addInitScript(FIRST_ROW);
      await page.route('**/api/liveWorkers/**', (route) => route.fulfill({ contentType: 'application/json', body }));
      // No events of the demo pool: refetching ten thousand rows would be measured instead.
      await page.route('**/api/events', (route) => route.abort());
      // In a local time zone there is no first view, with the real list.
      await page.goto(`${url}/workers/?tz=local`);
      const rows = page.locator('tbody tr a').first();
      await rows.waitFor();
      const first = await page.evaluate<number>(
        `window.firstRow -
          performance.getEntriesByType('resource').find(({ name }) => name.includes('/liveWorkers/')).responseEnd`,
      );
      await page.evaluate('new Promise((done) => setTimeout(done, 500))');
      const sort = await painted(page, "document.querySelector('thead th button').click()", NAMES);
      const filter = await painted(page, FILTER, NAMES);
      const heap = await heapMb(page);
      await page.reload();
      await rows.waitFor();
      rounds.push([first, sort, filter, await scrolled(page), heap]);
      await page.close();
    }
  } finally {
    await browser.close();
  }
  const cells = (rounds[0] ?? []).map((_, column) => median(rounds.map((round) => round[column]))?.toFixed(0));
  process.stdout.write(
    `\n| ${COUNT} workers in the page | first rows, ms after the answer | sort, ms | filter, ms ` +
      `| scroll, frames/s | heap MB |\n|---|---|---|---|---|---|\n| medians of ${runs} | ${cells.join(' | ')} |\n`,
  );
}
