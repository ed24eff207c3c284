import { createHash } from 'node:crypto';
import { launch, type Locator } from 'puppeteer-core';
import { type Engine, type Size, WAIT_MS } from './engine';

export const FIREFOX = '/usr/bin/firefox-esr';

/** Firefox reports a script whose load ended with its page as one with the wrong hash: the hash of nothing. */
const ENDED_LOADS = ['sha256', 'sha384'].map((hash) => createHash(hash).digest('base64'));

/** Firefox as Debian packages it, by WebDriver BiDi: Playwright drives its own build of Firefox only. */
export async function startFirefox(size: Size): Promise<Engine> {
  const browser = await launch({
    browser: 'firefox',
    executablePath: FIREFOX,
    defaultViewport: size,
    extraPrefsFirefox: { 'intl.accept_languages': 'en-GB', 'ui.prefersReducedMotion': 1 },
  });
  const page = await browser.newPage();
  page.setDefaultTimeout(WAIT_MS);
  const errors: string[] = [];
  const note = (text: string) => {
    // An event stream ends with its page, open or not yet; Firefox calls that an error.
    if (/\/api\/events was interrupted while the page was loading|establish a connection .*\/api\/events/.test(text))
      return;
    if (!ENDED_LOADS.some((hash) => text.includes(hash))) errors.push(`${text} at ${page.url()}`);
  };
  page.on('pageerror', (error) => note(`uncaught ${String((error as Error | undefined)?.stack ?? error)}`));
  page.on('console', (message) => {
    if (message.type() !== 'error') return;
    const by = message.stackTrace().map(({ url = '', lineNumber }) => `${url}:${lineNumber}`);
    note(`${message.text()} by ${by.slice(0, 4).join(' < ')}`);
  });
  // Firefox says only that an Error was logged, not which one; React logs so what a boundary has caught.
  await page.evaluateOnNewDocument(() => {
    const log = console.error;
    console.error = (...all: unknown[]) =>
      log(...all.map((each) => (each instanceof Error ? `${String(each)} ${each.stack}` : each)));
  });
  // Whether an element is enabled is asked by `eval`, which the pages' policy refuses.
  const find = (xpath: string): Locator<Element> => page.locator(`::-p-xpath(${xpath})`).setWaitForEnabled(false);
  return {
    errors,
    async goto(url) {
      await page.goto(url, { waitUntil: 'domcontentloaded' });
    },
    click: (xpath) => find(xpath).click(),
    fill: (xpath, text) => find(xpath).fill(text),
    async shown(xpath) {
      await find(xpath).setVisibility('visible').wait();
    },
    evaluate: <T>(script: string) => page.evaluate(`(() => { ${script} })()`) as Promise<T>,
    screenshot: async () => Buffer.from(await page.screenshot()),
    close: () => browser.close(),
  };
}
