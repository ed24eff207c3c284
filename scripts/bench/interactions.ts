/** `--only pages`: the way to another remote's page, and how soon interactions are answered, on a slow phone's CPU. */
import type { Locator, Page } from '@playwright/test';
import { median } from './figures';
import { PROFILES, type Target } from './page-load';
import { launch, VIEWPORT } from './site';

type Timing = { id: number; ms: number };

const WATCH = `window.__inputs = [];
new PerformanceObserver((list) => {
  for (const e of list.getEntries()) if (e.interactionId) window.__inputs.push({ id: e.interactionId, ms: e.duration });
}).observe({ type: 'event', durationThreshold: 16, buffered: true });`;

/** Milliseconds from a click on the navigation's link until the page has `ready`. */
async function route(page: Page, link: string, ready: string): Promise<number> {
  // The function is sent as text: a compiled one would call a helper that the page lacks.
  const arrived = page.evaluate(`new Promise((resolve) => {
    let from = 0;
    const look = () => {
      const element = document.querySelector(${JSON.stringify(ready)});
      if (element && element.getBoundingClientRect().height > 0) resolve(performance.now() - from);
      else requestAnimationFrame(look);
    };
    addEventListener('click', (event) => { from = event.timeStamp; look(); }, { capture: true, once: true });
  })`) as Promise<number>;
  await page.getByRole('navigation').getByRole('link', { name: link }).click();
  return arrived;
}

/** Twenty things that users do on the dashboard. */
async function interact(page: Page): Promise<void> {
  const button = (name: string | RegExp): Locator => page.getByRole('button', { name }).first();
  const settle = () => page.evaluate('new Promise((resolve) => requestAnimationFrame(() => setTimeout(resolve, 50)))');
  const press = async (target: Locator) => {
    await target.click();
    await settle();
  };
  const key = async (name: string) => {
    await page.keyboard.press(name);
    await settle();
  };
  for (const span of ['7d', '30d', '90d', '24h']) await press(page.getByText(span, { exact: true }));
  for (const name of ['SCRYPT', 'SHA256'])
    await press(page.getByRole('radiogroup', { name: 'Algorithm' }).getByText(name));
  for (const menu of [/^Group:/, /^Language:/, /user menu/i]) {
    await press(button(menu));
    await page.getByRole('menu').waitFor();
    await key('Escape');
  }
  for (let i = 0; i < 2; i += 1) await press(button(/^Theme:/));
  for (let i = 0; i < 2; i += 1) await press(button(/notification/i));
  for (let i = 0; i < 2; i += 1) await press(button(/^(Collapse|Keep) navigation/));
  await press(page.getByTestId('hashrate-5m').locator('[tabindex]'));
  await key('Escape');
}

/** `fast`: as `warm`, without a throttle. */
type Interactions = { cold: number | null; warm: number | null; fast: number | null; inp: number | null };

async function once({ url, cookies }: Pick<Target, 'url' | 'cookies'>): Promise<Interactions> {
  const browser = await launch();
  try {
    const context = await browser.newContext({ viewport: VIEWPORT, serviceWorkers: 'block' });
    await context.addCookies(cookies ?? []);
    const page = await context.newPage();
    await page.addInitScript(WATCH);
    const cdp = await context.newCDPSession(page);
    const { cpu, down, up, latency } = PROFILES['4g'];
    await cdp.send('Emulation.setCPUThrottlingRate', { rate: cpu });
    const network = (limits: { downloadThroughput: number; uploadThroughput: number; latency: number }) =>
      cdp.send('Network.emulateNetworkConditions', { offline: false, ...limits });
    await cdp.send('Network.enable');
    await network({ downloadThroughput: down, uploadThroughput: up, latency });
    await page.goto(url);
    await page.locator('main [data-ready~=chart]').waitFor();
    const cold = await route(page, 'Workers', '[data-remote=workers] table');
    await route(page, 'Dashboard', '[data-remote=dashboard] [data-ready~=chart]');
    const warm = await route(page, 'Workers', '[data-remote=workers] table');
    await network({ downloadThroughput: -1, uploadThroughput: -1, latency: 0 });
    await route(page, 'Dashboard', '[data-remote=dashboard] [data-ready~=chart]');
    await page.evaluate('window.__inputs.length = 0');
    await interact(page);
    const inputs = (await page.evaluate('window.__inputs')) as Timing[];
    await cdp.send('Emulation.setCPUThrottlingRate', { rate: 1 });
    const fast = await route(page, 'Workers', '[data-remote=workers] table');
    return { cold, warm, fast, inp: Math.max(...inputs.map(({ ms }) => ms)) };
  } finally {
    await browser.close();
  }
}

export async function measureInteractions(target: Pick<Target, 'url' | 'cookies'>, runs: number) {
  const results: Interactions[] = [];
  for (let i = 0; i < runs; i += 1) results.push(await once(target));
  const middle = (name: keyof Interactions) => median(results.map((result) => result[name]));
  return { cold: middle('cold'), warm: middle('warm'), fast: middle('fast'), inp: middle('inp') };
}
