/** Tries a version in the pages of the pool at POOL_URL, through a proxy of this process: nobody else sees it. */
import type { AddressInfo } from 'node:net';
import path from 'node:path';
import type { Browser, Page } from '@playwright/test';
import type { RemoteManifest } from '../../shared/src/contract';
import type { Version } from '../remotes/pack';
import { installedBrowser } from '../browser.cjs';
import { Front } from './front';
import { OwnRemote } from './own-remote';
import { KEEPING, leftIn, look } from './smoke/traces';
import { ELSEWHERE, hangs, keptBy, MEMORY_BYTES, visit, visitSlots, WAIT_MS } from './smoke/visits';

async function launch(): Promise<Browser> {
  try {
    const { chromium } = await import('@playwright/test');
    return await chromium.launch({ executablePath: installedBrowser(), args: ['--no-sandbox', '--disable-gpu'] });
  } catch (error) {
    const [why = ''] = String(error instanceof Error ? error.message : error).split('\n');
    throw new Error(`no browser to try it in (CHROME_PATH names one; --unseen publishes without): ${why}`);
  }
}

async function signIn(page: Page, url: string): Promise<void> {
  const { POOL_USER: user, POOL_PASSWORD: password } = process.env;
  if (!user || !password) throw new Error('POOL_USER and POOL_PASSWORD name the account that tries it');
  await page.goto(`${url}/sign-in`);
  for (const [field, text] of [
    ['identifier', user],
    ['password', password],
  ] as const) {
    await page.locator(`input[name=${field}]`).fill(text);
    await page.locator(`input[name=${field}]`).press('Enter');
  }
  // Codes by which the sign-in service's forms name what they refuse.
  const refused = page.locator('.cl-formFieldErrorText, .cl-alertText').first();
  const left = page.waitForURL((at) => !at.pathname.startsWith('/sign-in')).then(() => null);
  const said = await Promise.race([left, refused.waitFor().then(() => refused.textContent())]);
  if (said !== null) throw new Error(`POOL_USER '${user}' cannot sign in: ${said}`);
}

async function faultsIn(page: Page, url: string, version: Version): Promise<string[]> {
  await page.addInitScript(KEEPING);
  await signIn(page, url);
  const faults: string[] = [];
  page.on('pageerror', (error) => faults.push(`error: ${error.message}`));
  page.on('console', (message) => {
    // The operator allows an API of the team's once it is deployed, and that may be down without the pool's concern.
    const isOwnApi = ['/api/remotes/token', ...(version.manifest.connect ?? [])].some((part) =>
      message.location().url.includes(part),
    );
    if (message.type() === 'error' && !isOwnApi) faults.push(`console: ${message.text()}`);
  });
  await page.goto(url + ELSEWHERE);
  await page.locator('h1').first().waitFor();
  // The last that the shell itself loads, when the page is idle.
  await page.waitForFunction(() => (globalThis as { Clerk?: { loaded: boolean } }).Clerk?.loaded);
  await page.evaluate(() => void (globalThis.poolStyles = new Set(document.querySelectorAll('style'))));
  const before = await page.evaluateHandle(look);
  faults.push(...(await visitSlots(page, version)), ...(await visit(page, version, before)));
  const once = await leftIn(page);
  faults.push(...(await visit(page, version, before)));
  const twice = await leftIn(page);
  const more = Object.keys(once).filter((kind) => twice[kind]! > once[kind]!);
  const kept = faults.length > 0 ? 0 : await keptBy(page, version);
  if (kept > MEMORY_BYTES) faults.push(`it keeps ${(kept / 1e6).toFixed(1)} MB of memory each time`);
  return [...faults, ...more.map((kind) => `it leaves ${twice[kind]! - once[kind]!} more ${kind} behind each time`)];
}

export async function tryInBrowser(version: Version, pool: URL): Promise<void> {
  const { name, folder, manifest } = version;
  const own = new OwnRemote(name, pool);
  // Where its files will be elsewhere, they need not be there yet.
  own.manifest = JSON.parse(
    JSON.stringify(manifest).replace(/"https?:\/\/[^"/]+(?=\/remotes\/)/g, '"'),
  ) as RemoteManifest;
  const server = await new Front(pool, own, null).listen(0, '127.0.0.1');
  const url = `http://localhost:${(server.address() as AddressInfo).port}`;
  try {
    const browser = await launch();
    try {
      const page = await browser.newPage({ viewport: { width: 1440, height: 900 }, serviceWorkers: 'block' });
      page.setDefaultTimeout(WAIT_MS);
      const files = `/remotes/${name}/${version.version}/`;
      await page.route(`${url}${files}**`, (route) =>
        route.fulfill({ path: path.join(folder, new URL(route.request().url()).pathname.replace(files, '')) }),
      );
      const faults = await Promise.race([faultsIn(page, url, version), hangs(page)]);
      if (faults.length > 0)
        throw new Error(`${name} ${version.version} does not run as it has to:\n${[...new Set(faults)].join('\n')}`);
    } finally {
      await browser.close();
    }
  } finally {
    server.closeAllConnections();
    server.close();
  }
}
