/**
 * Measures on this machine and prints tables for docs/performance.md. Run it on an idle machine: a build beside it
 * doubles every figure.
 */
import { chromium } from '@playwright/test';
import os from 'node:os';
import { startProduct } from '../../e2e/fixtures/product';
import { bundleServer } from '../build/server';
import { readArguments } from '../command-line.mjs';
import { benchAdminLists } from './admin-lists';
import { benchApi } from './api';
import { benchCloseWeek } from './close-week';
import { startHttp2Front } from './http2-front';
import { benchIngest } from './ingest';
import { measureInteractions } from './interactions';
import { benchLighthouse, PHONE } from './lighthouse';
import { measureLoads, VIEWPORT, type Load, type Target } from './page-load';
import { PEER, startPeer } from './peer';
import { startReference } from './reference';
import { benchSoak } from './soak';
import { benchViews } from './views';
import { benchWorkerList } from './worker-list';

const PASSWORD = 'bench-through-the-pool-1';
/** Of the browser that Lighthouse looks through. */
const DEBUG_PORT = 38_999;
const BROWSER = process.env.CHROME_PATH ?? '/usr/bin/chromium';

const options = {
  runs: '5',
  updates: '1000',
  changes: '300',
  only: 'pages,list,api,ingest,week',
  ...readArguments({
    name: 'bench',
    what: 'Measures speed and prints tables for docs/performance.md.',
    options: {
      runs: { type: 'string', what: 'medians of so many, 5' },
      only: {
        type: 'string',
        what: 'parts: pages,list,api,ingest,week are measured unless named; and views,admin,lighthouse,soak',
      },
      trace: { type: 'string', what: "a file for a browser's trace of each run of the list" },
      updates: { type: 'string', what: 'of the soak, 1000' },
      changes: { type: 'string', what: 'of the soak, 300' },
    },
  }).values,
};
const wanted = (part: string) => options.only.split(',').includes(part);

/** Of a signed-in demo user at `url` who has seen the dashboard in a window of this size. */
async function signIn(url: string, args: string[], viewport = VIEWPORT) {
  const browser = await chromium.launch({
    executablePath: BROWSER,
    args: ['--no-sandbox', '--disable-gpu', '--disable-background-networking', ...args],
  });
  try {
    const page = await browser.newPage({ viewport });
    await page.goto(`${url}/sign-in`);
    await page.locator('input[name=identifier]').fill('demo');
    await page.getByRole('button', { name: 'Continue', exact: true }).click();
    await page.locator('input[name=password]').fill(PASSWORD);
    await page.getByRole('button', { name: 'Continue', exact: true }).click();
    await page.waitForURL('**/dashboard/**');
    await page.locator(SHOWN('figures')).waitFor();
    await page.goto(`${url}/payments/`);
    await page.getByRole('heading', { level: 1 }).waitFor();
    return await page.context().cookies();
  } finally {
    await browser.close();
  }
}

/** A part of the page itself, once it has taken the place of its first view. */
const SHOWN = (part: string): string => `body:not(:has(#first)) [data-ready~=${part}]`;

const number = (value: number | null | undefined, digits = 0) =>
  value === null || value === undefined ? '-' : value.toFixed(digits);

type Row = { name: string; cold: Load; warm: Load };

function table(rows: Row[]) {
  const columns = ['fcp', 'lcp', 'seen', 'usable', 'tbt'];
  process.stdout.write(
    `\n| page · profile | ${columns.join(' | ')} | CLS | KiB before usable / total | requests before usable / total | heap MB ` +
      `| warm seen, usable, TBT |\n` +
      `|${'---|'.repeat(columns.length + 6)}\n`,
  );
  for (const { name, cold, warm } of rows) {
    const cells = columns.map((c) => number(cold[c]));
    process.stdout.write(
      `| ${name} | ${cells.join(' | ')} | ${number(cold.cls, 3)} | ${number(cold.kibBefore)} / ${number(cold.kib)} ` +
        `| ${number(cold.requests)} / ${number(cold.requestsAll)} ` +
        `| ${number(cold.heapMb, 1)} | ${number(warm.seen)}, ${number(warm.usable)}, ${number(warm.tbt)} |\n`,
    );
  }
}

/**
 * What the dashboard may cost: its largest paint by the time when the reference page is done, its blocking time by that
 * page's, requests before it is usable.
 */
const BUDGETS = { lcp: 0.6, tbt: 0.4, requests: 26 };

/** At `4g`, by HTTP/2. Times as multiples of the reference page's in the same run: a slow machine changes both. */
function compare(rows: Row[]): void {
  const of = (name: string) => rows.find((row) => row.name === `${name} · 4g`)?.cold ?? {};
  const [page, reference] = [of('dashboard, HTTP/2'), of('reference')];
  const ratio = (time: string, by: string) => (page[time] ?? NaN) / (reference[by] ?? NaN);
  const found = { lcp: ratio('lcp', 'usable'), tbt: ratio('tbt', 'tbt'), requests: page.requests ?? NaN };
  process.stdout.write(
    `Dashboard by the reference page: LCP ${number(found.lcp, 2)} (at most ${BUDGETS.lcp}), ` +
      `TBT ${number(found.tbt, 2)} (${BUDGETS.tbt}); ${number(found.requests)} requests (${BUDGETS.requests})\n`,
  );
  const isWithin = found.lcp <= BUDGETS.lcp && found.tbt <= BUDGETS.tbt && found.requests <= BUDGETS.requests;
  if (!isWithin) {
    process.stdout.write('Over budget\n');
    process.exitCode = 1;
  }
  compareWithPeer(rows);
}

/** The same with the peer's page, if it was measured. */
function compareWithPeer(rows: Row[]): void {
  const of = (name: string) => rows.find((row) => row.name === `${name} · 4g`);
  const [page, peer] = [of('dashboard, HTTP/2'), of(PEER)];
  if (!page || !peer) return;
  const ratio = (visit: 'cold' | 'warm', name: string) =>
    number((page[visit][name] ?? NaN) / (peer[visit][name] ?? NaN), 2);
  process.stdout.write(
    `Dashboard by the peer's page: seen ${ratio('cold', 'seen')}, usable ${ratio('cold', 'usable')}, ` +
      `TBT ${ratio('cold', 'tbt')}, warm seen ${ratio('warm', 'seen')}, warm usable ${ratio('warm', 'usable')}\n`,
  );
}

async function benchPages() {
  await bundleServer();
  const product = await startProduct({ DEMO: '1', DEMO_PASSWORD: PASSWORD });
  const front = await startHttp2Front(new URL(product.url));
  const reference = await startReference();
  const peer = wanted('pages') ? await startPeer() : null;
  const trust = [`--ignore-certificate-errors-spki-list=${[front.spki, ...(peer ? [peer.spki] : [])].join(',')}`];
  try {
    const plain = await signIn(product.url, []);
    const secure = await signIn(front.url, trust);
    const dashboard = {
      usable: SHOWN('figures'),
      seen: '.sk-view, [data-ready~=chart]',
    };
    const landing = { usable: 'main dl dd', seen: 'main section svg' };
    const targets: Target[] = [
      { name: 'dashboard, HTTP/1.1', url: `${product.url}/dashboard/`, marks: dashboard, cookies: plain },
      { name: 'dashboard, HTTP/2', url: `${front.url}/dashboard/`, marks: dashboard, cookies: secure },
      {
        name: 'dashboard, HTTP/2, service worker',
        url: `${front.url}/dashboard/`,
        marks: dashboard,
        cookies: secure,
        worker: true,
      },
      { name: 'reference', url: reference.url, marks: dashboard },
      ...(peer ? [peer.target] : []),
      { name: 'landing, HTTP/2', url: `${front.url}/`, marks: landing },
    ];
    if (wanted('lighthouse')) {
      const phone = await signIn(front.url, trust, PHONE);
      await benchLighthouse({ url: front.url, desktop: secure, phone }, BROWSER, trust, DEBUG_PORT);
    }
    if (wanted('list')) await benchWorkerList(product.url, plain, BROWSER, Number(options.runs), options.trace);
    if (wanted('soak'))
      await benchSoak(product.url, plain, BROWSER, {
        updates: Number(options.updates),
        changes: Number(options.changes),
      });
    if (wanted('pages')) {
      const rows = await measureLoads(targets, ['none', '4g'], Number(options.runs), BROWSER, trust);
      table(rows);
      compare(rows);
      const over = { url: `${front.url}/dashboard/`, cookies: secure };
      const { cold, warm, fast, inp } = await measureInteractions(over, Number(options.runs), BROWSER, trust);
      process.stdout.write(
        `Workers from the dashboard, 4g: ${number(cold)} ms, again ${number(warm)} ms, without a throttle ${number(fast)} ms; ` +
          `slowest of twenty interactions, CPU x4: ${number(inp)} ms\n`,
      );
    }
  } finally {
    reference.stop();
    peer?.stop();
    front.stop();
    await product.dispose();
  }
}

async function main() {
  process.stdout.write(
    `${new Date().toISOString().slice(0, 10)} · ${os.cpus().length} cores, ${os.cpus()[0]?.model ?? ''} · ` +
      `Node ${process.versions.node} · medians of ${options.runs}\n`,
  );
  if (['pages', 'list', 'soak', 'lighthouse'].some(wanted)) await benchPages();
  if (wanted('api')) await benchApi();
  if (wanted('ingest')) await benchIngest();
  if (wanted('week')) await benchCloseWeek();
  if (wanted('views')) await benchViews(200);
  if (wanted('admin')) await benchAdminLists();
}

main().catch((error: unknown) => {
  console.error(error);
  process.exitCode = 1;
});
