/** The product with demo data, plain and behind HTTP/2, and browsers to look at it with. */
import { chromium, type BrowserContext } from '@playwright/test';
import { deployBuilds, startProduct } from '../../e2e/fixtures/product';
import { installedBrowser } from '../browser.cjs';
import { PIN, startHttp2Front } from './http2-front';

export const PASSWORD = 'bench-through-the-pool-1';
export const VIEWPORT = { width: 1366, height: 900 };

/** `url`: HTTP/1.1; `secure`: HTTP/2. */
export type Site = { url: string; secure: string };
export type Cookies = Parameters<BrowserContext['addCookies']>[0];

export const browserOptions = (...args: string[]) => ({
  executablePath: installedBrowser(),
  args: [
    ...['--no-sandbox', '--disable-gpu', '--disable-background-networking'],
    `--ignore-certificate-errors-spki-list=${PIN}`,
    ...args,
  ],
});
export const launch = () => chromium.launch(browserOptions());

/** A part of the page itself, once it has taken the place of its first view. */
export const shown = (part: string): string => `body:not(:has(#first)) [data-ready~=${part}]`;

export async function withSite(work: (site: Site) => Promise<void>): Promise<void> {
  await deployBuilds();
  const product = await startProduct({ DEMO: '1', DEMO_PASSWORD: PASSWORD });
  const front = await startHttp2Front(new URL(product.url));
  try {
    await work({ url: product.url, secure: front.url });
  } finally {
    front.stop();
    await product.dispose();
  }
}

/** Cookies of a signed-in demo user at `url` who has seen the dashboard in a window of this size. */
export async function signIn(url: string, viewport = VIEWPORT): Promise<Cookies> {
  const browser = await launch();
  try {
    const page = await browser.newPage({ viewport });
    await page.goto(`${url}/sign-in`);
    for (const [name, value] of [
      ['identifier', 'demo'],
      ['password', PASSWORD],
    ]) {
      await page.locator(`input[name=${name}]`).fill(value ?? '');
      await page.getByRole('button', { name: 'Continue', exact: true }).click();
    }
    await page.waitForURL('**/dashboard/**');
    await page.locator(shown('figures')).waitFor();
    await page.goto(`${url}/payments/`);
    await page.getByRole('heading', { level: 1 }).waitFor();
    return await page.context().cookies();
  } finally {
    await browser.close();
  }
}
