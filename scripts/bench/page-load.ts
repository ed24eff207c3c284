/** Cold and warm load of a page in a real Chromium: times and requests until it is usable. */
import { chromium, type CDPSession, type Page } from '@playwright/test';
import { mkdtemp, rm } from 'node:fs/promises';
import os from 'node:os';
import path from 'node:path';
import { median } from './figures';
import { browserOptions, VIEWPORT, type Cookies } from './site';

/** `4g`: 1.6 Mbit/s down, 150 ms per request, CPU x4, which is Lighthouse's slow 4G. */
export const PROFILES = { none: { cpu: 1 }, '4g': { cpu: 4, down: 1.6e6 / 8, up: 0.75e6 / 8, latency: 150 } } as const;
export type Profile = keyof typeof PROFILES;

export type Target = {
  name: string;
  url: string;
  /** CSS selectors. `usable`: the page itself shows its figures; `seen`: it, or its first view, shows its chart. */
  marks: Record<string, string>;
  cookies?: Cookies;
  /** The warm loads are with the page's service worker. */
  worker?: boolean;
};

type Seen = { fcp: number | null; lcp: number | null; long: [number, number][]; marks: Record<string, number> };
export type Load = Record<string, number | null>;

const OBSERVE = (marks: Record<string, string>) => `(() => {
  const seen = (window.__bench = { fcp: null, lcp: null, long: [], marks: {} });
  const watch = (type, each) => {
    try {
      new PerformanceObserver((list) => list.getEntries().forEach(each)).observe({ type, buffered: true });
    } catch {}
  };
  watch('paint', (e) => { if (e.name === 'first-contentful-paint') seen.fcp = e.startTime; });
  watch('largest-contentful-paint', (e) => { seen.lcp = e.startTime; });
  watch('longtask', (e) => { seen.long.push([e.startTime, e.duration]); });
  const wanted = Object.entries(${JSON.stringify(marks)});
  const visible = (selector) => [...document.querySelectorAll(selector)].some((e) => {
    const { width, height } = e.getBoundingClientRect();
    return width > 0 && height > 0;
  });
  const look = () => {
    for (const [name, selector] of wanted)
      if (!(name in seen.marks) && visible(selector)) seen.marks[name] = performance.now();
    if (Object.keys(seen.marks).length < wanted.length) requestAnimationFrame(look);
  };
  look();
})()`;

async function watchNetwork(cdp: CDPSession) {
  const open = new Set<string>();
  const done: number[] = [];
  let last = Date.now();
  cdp.on('Network.requestWillBeSent', (e) => {
    last = Date.now();
    if (e.type !== 'EventSource' && !/^(data|blob):/.test(e.request.url)) open.add(e.requestId);
  });
  cdp.on('Network.responseReceived', (e) => {
    if (e.response.mimeType.includes('event-stream')) open.delete(e.requestId);
  });
  cdp.on('Network.loadingFinished', (e) => {
    last = Date.now();
    open.delete(e.requestId);
    done.push(e.timestamp);
  });
  cdp.on('Network.loadingFailed', (e) => {
    open.delete(e.requestId);
  });
  await cdp.send('Network.enable');
  return { done, quiet: () => open.size === 0 && Date.now() - last > 1000 };
}

/** A page that still loads something this long after it is usable is not waited for. */
const SETTLE_MS = 10_000;

async function visit(
  page: Page,
  cdp: CDPSession,
  target: Target,
  network: Awaited<ReturnType<typeof watchNetwork>>,
): Promise<Load> {
  const from = network.done.length;
  let started = 0;
  cdp.once('Network.requestWillBeSent', (e) => {
    started = e.timestamp;
  });
  await page.goto(target.url, { waitUntil: 'commit', timeout: 60_000 });
  const end = Date.now() + 60_000;
  const names = Object.keys(target.marks);
  let ready: number | undefined;
  while (Date.now() < end) {
    const marked = await page.evaluate('Object.keys(window.__bench?.marks ?? {}).length').catch(() => 0);
    if (marked === names.length) ready ??= Date.now();
    if (ready !== undefined && (network.quiet() || Date.now() - ready > SETTLE_MS)) break;
    await new Promise((resolve) => setTimeout(resolve, 100));
  }
  const seen = await page.evaluate<Seen>('window.__bench');
  const transfers = network.done.slice(from);
  const usable = seen.marks[names[0] ?? ''];
  return {
    fcp: seen.fcp,
    lcp: seen.lcp,
    ...Object.fromEntries(names.map((n) => [n, seen.marks[n] ?? null])),
    tbt: seen.long.reduce(
      (sum, [at, duration]) => (at + duration > (seen.fcp ?? 0) ? sum + Math.max(0, duration - 50) : sum),
      0,
    ),
    requests: usable === undefined ? null : transfers.filter((at) => (at - started) * 1000 <= usable).length,
  };
}

/** One cold load in a new profile, then the third visit (warm: HTTP cache and code cache). */
async function once(target: Target, profile: Profile): Promise<{ cold: Load; warm: Load }> {
  const dir = await mkdtemp(path.join(os.tmpdir(), 'bench-profile-'));
  const context = await chromium.launchPersistentContext(dir, {
    ...browserOptions(
      ...['--disable-quic', '--no-first-run', '--disable-component-update', '--disable-sync'],
      '--host-resolver-rules=MAP * ~NOTFOUND , EXCLUDE localhost , EXCLUDE 127.0.0.1',
    ),
    viewport: VIEWPORT,
    serviceWorkers: target.worker ? 'allow' : 'block',
  });
  try {
    if (target.cookies) await context.addCookies(target.cookies);
    const page = context.pages()[0] ?? (await context.newPage());
    await page.addInitScript(OBSERVE(target.marks));
    const cdp = await context.newCDPSession(page);
    const network = await watchNetwork(cdp);
    const limits = PROFILES[profile];
    await cdp.send('Emulation.setCPUThrottlingRate', { rate: limits.cpu });
    if ('down' in limits)
      await cdp.send('Network.emulateNetworkConditions', {
        offline: false,
        latency: limits.latency,
        downloadThroughput: limits.down,
        uploadThroughput: limits.up,
      });
    const cold = await visit(page, cdp, target, network);
    // It is installed when the page has settled.
    if (target.worker) await page.waitForFunction(() => navigator.serviceWorker.controller !== null);
    await page.goto('about:blank');
    await visit(page, cdp, target, network);
    await page.goto('about:blank');
    return { cold, warm: await visit(page, cdp, target, network) };
  } finally {
    await context.close();
    await rm(dir, { recursive: true, force: true });
  }
}

/** Medians over `runs`; targets are interleaved, so that a drift of the machine affects all of them. */
export async function measureLoads(targets: Target[], profiles: Profile[], runs: number) {
  const results = new Map<string, { cold: Load; warm: Load }[]>();
  for (const profile of profiles)
    for (let i = 0; i < runs; i += 1)
      for (const target of targets) {
        const key = `${target.name} · ${profile}`;
        results.set(key, [...(results.get(key) ?? []), await once(target, profile)]);
      }
  const medians = (loads: Load[]): Load =>
    Object.fromEntries(Object.keys(loads[0] ?? {}).map((k) => [k, median(loads.map((l) => l[k]))]));
  return [...results].map(([name, loads]) => ({
    name,
    cold: medians(loads.map(({ cold }) => cold)),
    warm: medians(loads.map(({ warm }) => warm)),
  }));
}
