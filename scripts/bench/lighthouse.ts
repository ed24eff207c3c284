/**
 * `--only lighthouse`: scores of Lighthouse for the main pages, as a phone and as a desktop computer sees them. It is
 * fetched by npx when it is asked for, because nothing else needs it.
 */
import { chromium, type BrowserContext } from '@playwright/test';
import { execFile } from 'node:child_process';
import { mkdtemp, readFile, rm } from 'node:fs/promises';
import os from 'node:os';
import path from 'node:path';
import { promisify } from 'node:util';
import { browserOptions, signIn, type Site } from './site';

const LIGHTHOUSE = 'lighthouse@13.5.0';
const CATEGORIES = ['performance', 'accessibility', 'best-practices'];
/** A page's scripts and the profile of the browser take a minute of a slow machine. */
const PATIENCE_MS = 180_000;
/** What Lighthouse shows pages in. */
const PHONE = { width: 412, height: 823 };
/** Of the browser that Lighthouse looks through. */
const DEBUG_PORT = 38_999;
const PAGES = [
  { path: '/', signedIn: false },
  { path: '/sign-in', signedIn: false },
  { path: '/dashboard/', signedIn: true },
  { path: '/workers/', signedIn: true },
  { path: '/payments/', signedIn: true },
];

type Report = { categories: Record<string, { score: number | null }> };
const run = promisify(execFile);

/** Everything but the cookies is as on a first visit. */
async function forget(context: BrowserContext, origin: string): Promise<void> {
  const page = await context.newPage();
  const cdp = await context.newCDPSession(page);
  await cdp.send('Network.clearBrowserCache');
  await cdp.send('Storage.clearDataForOrigin', { origin, storageTypes: 'service_workers,cache_storage,indexeddb' });
  await page.close();
}

async function scores(url: string, desktop: boolean): Promise<(number | null)[]> {
  const folder = await mkdtemp(path.join(os.tmpdir(), 'bench-lighthouse-'));
  const file = path.join(folder, 'report.json');
  try {
    await run(
      'npx',
      [
        ...['--yes', LIGHTHOUSE, url, `--port=${DEBUG_PORT}`, '--quiet', '--output=json', `--output-path=${file}`],
        ...['--disable-storage-reset', `--only-categories=${CATEGORIES.join()}`],
        ...(desktop ? ['--preset=desktop'] : []),
      ],
      { timeout: PATIENCE_MS },
    );
    const { categories } = JSON.parse(await readFile(file, 'utf8')) as Report;
    return CATEGORIES.map((name) => categories[name]?.score ?? null).map((score) => score && Math.round(score * 100));
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}

export async function benchLighthouse({ secure: url }: Site): Promise<void> {
  const phone = await signIn(url, PHONE);
  const desktop = await signIn(url);
  process.stdout.write('\n| page | phone: performance, accessibility, best practices | desktop |\n|---|---|---|\n');
  for (const { path: at, signedIn } of PAGES) {
    const profile = await mkdtemp(path.join(os.tmpdir(), 'bench-profile-'));
    const context = await chromium.launchPersistentContext(
      profile,
      browserOptions(`--remote-debugging-port=${DEBUG_PORT}`),
    );
    try {
      const row: string[] = [];
      for (const cookies of [phone, desktop]) {
        await forget(context, url);
        if (signedIn) await context.addCookies(cookies);
        row.push((await scores(url + at, cookies === desktop)).join(', '));
      }
      process.stdout.write(`| ${at} | ${row.join(' | ')} |\n`);
    } finally {
      await context.close();
      await rm(profile, { recursive: true, force: true });
    }
  }
}
