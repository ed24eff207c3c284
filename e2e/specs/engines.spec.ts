/** Sign-in and the main pages in the engines of miners' other browsers: a phone's WebKit, a desktop's Firefox. */
import { existsSync } from 'node:fs';
import { writeFile } from 'node:fs/promises';
import { expect, test } from '@playwright/test';
import { type Engine, named, type Size } from '../engines/engine';
import { FIREFOX, startFirefox } from '../engines/firefox';
import { startWebkit, WEBKIT_DRIVER } from '../engines/webkit';
import { DEMO_PASSWORD, sharedProduct } from '../fixtures/shared-product';

type Kind = { name: string; program: string; start(size: Size): Promise<Engine>; size: Size };

const KINDS: Kind[] = [
  { name: 'Firefox', program: FIREFOX, start: startFirefox, size: { width: 1440, height: 900 } },
  { name: 'WebKit', program: WEBKIT_DRIVER, start: startWebkit, size: { width: 390, height: 844 } },
];

const heading = (name: string) => named('main//h1', name);

async function signIn(engine: Engine, url: string) {
  await engine.goto(`${url}/sign-in`);
  await engine.fill("//input[@name='identifier']", 'demo');
  await engine.click(named('button', 'Continue'));
  // The first step has a field of that name too, for password managers.
  await engine.shown("//*[normalize-space()='Enter your password']");
  await engine.fill("//input[@name='password']", DEMO_PASSWORD);
  await engine.click(named('button', 'Continue'));
  await engine.shown(heading('Dashboard'));
}

/** What makes the page scroll sideways. */
const OVERFLOW = `
  const width = document.documentElement.clientWidth;
  if (document.documentElement.scrollWidth <= width) return [];
  return [...document.querySelectorAll('body *')]
    .filter((element) => element.getBoundingClientRect().right > width + 1)
    .map((element) => element.outerHTML.slice(0, 120));`;

/** Checkboxes that the engine draws itself, and marks of measured figures that hang out of their card. */
const UNSTYLED = `
  const boxes = [...document.querySelectorAll('input[type=checkbox]')]
    .filter((box) => box.checkVisibility() && getComputedStyle(box).appearance !== 'none' && getComputedStyle(box).opacity !== '0')
    .map((box) => box.outerHTML.slice(0, 120));
  const marks = [...document.querySelectorAll('main dd, main dl > div')]
    .filter((box) => [...box.querySelectorAll('*')].some((inside) => {
      const inner = inside.getBoundingClientRect();
      return inner.width > 1 && inner.left < box.parentElement.getBoundingClientRect().left - 1;
    }))
    .map((box) => box.outerHTML.slice(0, 120));
  return [...boxes, ...marks];`;

for (const { name, program, start, size } of KINDS) {
  test(`${name}: sign-in, dashboard, workers, payments and settings`, async ({}, info) => {
    test.skip(!existsSync(program), `${program} is not installed: npm test installs it on Debian as root`);
    const { url } = sharedProduct();
    const engine = await start(size);
    const page = async (path: string, title: string, ready: string) => {
      await engine.evaluate(`history.pushState(null, '', '${path}'); dispatchEvent(new PopStateEvent('popstate'));`);
      await engine.shown(heading(title));
      await engine.shown(ready);
      await expect.poll(() => engine.evaluate<string[]>(OVERFLOW), `${path} scrolls sideways`).toEqual([]);
      expect(await engine.evaluate<string[]>(UNSTYLED), `${path} has the engine's own boxes, or marks outside`).toEqual(
        [],
      );
    };
    try {
      await test.step('sign-in', () => signIn(engine, url));
      await test.step('dashboard', () =>
        page('/dashboard/', 'Dashboard', "//main//*[contains(@data-ready,'figures')]"));
      await test.step('workers', async () => {
        await page('/workers/', 'Workers', "//main//*[contains(text(),'a-s19-001')]");
        // What the workers lose comes after their list, and draws it again.
        await engine.shown("//main//*[contains(text(),'a day lost')]");
        await engine.fill("//input[@type='search']", 'm30-003');
        // A row that moves while the list is filtered between pressing and releasing the button is not clicked.
        await engine.click("//main[not(.//*[contains(text(),'a-s19-001')])]//*[normalize-space()='b-m30-003']");
        await engine.shown("//*[@role='dialog' or self::aside]//*[contains(text(),'b-m30-003')]");
      });
      await test.step('payments', async () => {
        await page('/payments/', 'Payments', "//main//*[contains(text(),'BTC')]");
        await engine.click(named('a', 'Payouts'));
        await engine.shown("//main//*[contains(text(),'Confirmed')]");
      });
      await test.step('settings', async () => {
        await page('/pages/account-settings/account', 'Settings', named('label', 'Light'));
        await engine.click(named('label', 'Light'));
        await engine.click(named('label', 'العربية'));
        await engine.shown("//html[@dir='rtl']//main//h1");
        // Firefox calls a font an error whose load ends with its page.
        await expect.poll(() => engine.evaluate<string>('return document.fonts.status')).toBe('loaded');
        await engine.goto(`${url}/dashboard/`);
        await engine.shown("//html[@dir='rtl']//main//h1[normalize-space()='لوحة التحكم']");
      });
      expect(engine.errors ?? []).toEqual([]);
    } catch (error) {
      await writeFile(info.outputPath('where it failed.png'), await engine.screenshot());
      throw error;
    } finally {
      await engine.close();
    }
  });
}
