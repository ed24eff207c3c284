/**
 * A live dashboard and a live list of workers, left open: heap, nodes and listeners of the page after many updates and
 * many changes between the two. The server answers each call once; later its answer is repeated, so that only the page
 * is measured.
 */
import type { BrowserContext, Page } from '@playwright/test';
import { launch, signIn, VIEWPORT, type Site } from './site';

/** Stands for the stream of events: the bench says when one comes. */
const EVENTS = `
  window.EventSource = class extends EventTarget {
    constructor() { super(); window.stream = this; setTimeout(() => this.dispatchEvent(new Event('open'))); }
    close() {}
  };`;

/** One event of each kind, and the time of a frame for what it changes. */
const update = (page: Page): Promise<void> =>
  page.evaluate(`(async () => {
    for (const kind of ['hashrate', 'workers', 'upstream'])
      window.stream.dispatchEvent(new MessageEvent(kind, { data: '{}' }));
    await new Promise((done) => requestAnimationFrame(() => setTimeout(done, 10)));
  })()`);

type Size = { heapMb: number; nodes: number; listeners: number };

async function sizeOf(page: Page): Promise<Size> {
  const cdp = await page.context().newCDPSession(page);
  await cdp.send('Performance.enable');
  await cdp.send('HeapProfiler.collectGarbage');
  const { metrics } = await cdp.send('Performance.getMetrics');
  await cdp.detach();
  const of = (name: string) => metrics.find((metric) => metric.name === name)?.value ?? 0;
  return { heapMb: of('JSHeapUsedSize') / 1e6, nodes: of('Nodes'), listeners: of('JSEventListeners') };
}

async function repeatAnswers(context: BrowserContext): Promise<void> {
  const answers = new Map<string, { body: Buffer; contentType: string; status: number }>();
  await context.route('**/api/**', async (route) => {
    const key = route.request().url();
    let answer = answers.get(key);
    if (!answer) {
      const response = await route.fetch();
      const contentType = response.headers()['content-type'] ?? 'application/json';
      answers.set(key, (answer = { body: await response.body(), contentType, status: response.status() }));
    }
    await route.fulfill(answer);
  });
}

export async function benchSoak(
  { url }: Site,
  { updates, changes }: { updates: number; changes: number },
): Promise<void> {
  const cookies = await signIn(url);
  const browser = await launch();
  const rows: [string, Size][] = [];
  try {
    const context = await browser.newContext({ viewport: VIEWPORT });
    await context.addCookies(cookies);
    await context.addInitScript(EVENTS);
    await repeatAnswers(context);
    const page = await context.newPage();
    const go = async (name: 'dashboard' | 'workers') => {
      await page.locator(`nav a[href^="/${name}/"]`).first().click();
      await page
        .locator(name === 'workers' ? 'tbody tr' : 'main [data-ready~=figures]')
        .first()
        .waitFor();
    };
    // With all that the chart can show: marks, and the day before.
    await page.goto(`${url}/dashboard/?compare=day`);
    await page.locator('main [data-ready~=figures]').waitFor();
    // What loads once (parts, texts, the other remote) is not growth.
    for (let warm = 0; warm < 10; warm += 1) await go(warm % 2 === 0 ? 'workers' : 'dashboard');
    for (const name of ['dashboard', 'workers'] as const) {
      await go(name);
      for (let done = 0; done <= updates; done += 1) {
        if (done % Math.ceil(updates / 4) === 0) rows.push([`${name}, ${done} updates`, await sizeOf(page)]);
        await update(page);
      }
    }
    await go('dashboard');
    for (let done = 0; done <= changes; done += 1) {
      if (done % (2 * Math.ceil(changes / 8)) === 0) rows.push([`${done} page changes`, await sizeOf(page)]);
      await go(done % 2 === 0 ? 'workers' : 'dashboard');
    }
  } finally {
    await browser.close();
  }
  process.stdout.write('\n| left open | heap MB | nodes | listeners |\n|---|---|---|---|\n');
  for (const [what, { heapMb, nodes, listeners }] of rows)
    process.stdout.write(`| ${what} | ${heapMb.toFixed(1)} | ${nodes} | ${listeners} |\n`);
}
