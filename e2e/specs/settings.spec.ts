import type { Locator, Page } from '@playwright/test';
import { asUser, expect, test } from '../fixtures/test';

const SETTINGS = '/pages/account-settings/account';
// Themes first: each is a new stylesheet, so that it changes least often.
const AXES = {
  Theme: ['Dark', 'Light', 'Semi-dark'],
  Skin: ['Default', 'Bordered'],
  Direction: ['Left to right', 'Right to left'],
  Navigation: ['At the side', 'On top (from 1200 px)'],
  'App bar': ['Stays on screen', 'Scrolls away', 'Hidden'],
  Footer: ['Stays on screen', 'At the end of the page', 'Hidden'],
  'Content width': ['Up to 1440 px', 'Full'],
};

/** HEAVY=1: all of them at once. */
const HEAVY = process.env.HEAVY === '1';

const LANGUAGES: Record<string, string> = { Русский: 'ru', Français: 'fr', العربية: 'ar', English: 'en' };

/** Walks through every combination in the page itself, one change at a time; returns what overlaps or leaves it. */
const walk = (page: Page, axes: Record<string, string[]>) =>
  page.evaluate(async (given) => {
    const groupOf = (name: string) =>
      [...document.querySelectorAll('[role=radiogroup]')].find(
        (group) => document.getElementById(group.getAttribute('aria-labelledby') ?? '')?.textContent === name,
      );
    const choose = (name: string, option: string) => {
      const label = [...(groupOf(name)?.querySelectorAll('label') ?? [])].find((each) => each.textContent === option);
      const input = label?.querySelector('input');
      if (!input) throw new Error(`no choice ${name}: ${option}`);
      input.click();
    };
    const drawn = () => new Promise((resolve) => requestAnimationFrame(() => setTimeout(resolve)));
    const box = (selector: string) => document.querySelector(selector)?.getBoundingClientRect();
    const hits = (a?: DOMRect, b?: DOMRect) =>
      a && b && a.left < b.right - 1 && b.left < a.right - 1 && a.top < b.bottom - 1 && b.top < a.bottom - 1;
    const wide = innerWidth >= 1200;

    const faultsOf = (chosen: Record<string, string>): string[] => {
      const found: string[] = [];
      const root = document.documentElement;
      const [main, bar, nav, footer] = [
        box('main'),
        box('header[data-app-bar]'),
        box('nav[aria-label]'),
        box('footer'),
      ];
      const isTop = chosen.Navigation === 'On top (from 1200 px)';
      const withoutBar = chosen['App bar'] === 'Hidden' && wide && !isTop;
      if (root.scrollWidth > root.clientWidth) found.push('scrolls sideways');
      if (root.dir !== (chosen.Direction === 'Right to left' ? 'rtl' : 'ltr')) found.push('the wrong direction');
      if (!main || main.width < 300) found.push('no page');
      if (Boolean(bar) === withoutBar) found.push(withoutBar ? 'an app bar' : 'no app bar');
      if (!nav) found.push('no navigation');
      if (Boolean(footer) === (chosen.Footer === 'Hidden')) found.push('the wrong footer');
      if (hits(main, bar)) found.push('the app bar covers the page');
      // On a phone the page scrolls behind the navigation, which stays at the bottom.
      if (wide && hits(main, nav)) found.push('the navigation covers the page');
      if (!wide && nav?.bottom !== innerHeight) found.push('the navigation is not at the bottom of the screen');
      if (hits(nav, bar)) found.push('the navigation covers the app bar');
      const end = wide ? innerHeight : (nav?.top ?? 0);
      if (chosen.Footer === 'Stays on screen' && footer && Math.abs(footer.bottom - end) > 1)
        found.push('the footer is not at the bottom of the screen');
      const foot = document.querySelector('footer');
      if (foot && foot.scrollWidth > foot.clientWidth) found.push('the footer scrolls sideways');
      if (chosen.Footer === 'Stays on screen' && footer && footer.height > 41) found.push('the footer has two lines');
      if (chosen.Footer === 'At the end of the page' && hits(main, footer)) found.push('the footer covers the page');
      if (chosen['Content width'] === 'Up to 1440 px' && main && main.width > 1489) found.push('the page is too wide');
      return found;
    };

    const names = Object.keys(given);
    const result: string[] = [];
    let count = 0;
    const visit = async (depth: number, chosen: Record<string, string>): Promise<void> => {
      const name = names[depth];
      if (name === undefined) {
        await drawn();
        count += 1;
        for (const fault of faultsOf(chosen)) result.push(`${Object.values(chosen).join(', ')}: ${fault}`);
        return;
      }
      for (const option of given[name] ?? []) {
        choose(name, option);
        await visit(depth + 1, { ...chosen, [name]: option });
      }
    };
    await visit(0, {});
    return { result: result.slice(0, 20), count };
  }, axes);

/** Whether a text with a bracket at its end is read from left to right, the bracket last. */
const readsToTheRight = (text: Locator) =>
  text.evaluate((element) => {
    const node = document.createTreeWalker(element, NodeFilter.SHOW_TEXT).nextNode();
    const left = (at: number) => {
      const range = document.createRange();
      range.setStart(node!, at);
      range.setEnd(node!, at + 1);
      return range.getBoundingClientRect().left;
    };
    return left((node?.textContent?.length ?? 0) - 1) > left(0);
  });

const choose = (page: Page, group: string, option: string | RegExp) =>
  page.getByRole('radiogroup', { name: group, exact: true }).getByRole('radio', { name: option }).check();

test('settings are in effect at once, every combination of them is sound, and the kept ones survive a reload', async ({
  page,
}) => {
  await asUser(page, 'demo', SETTINGS);
  await page.getByRole('heading', { level: 1, name: 'Settings' }).waitFor();
  // The navigation on top is loaded when it is first chosen.
  await choose(page, 'Navigation', /^On top/);
  await expect(page.getByRole('navigation', { name: 'Main navigation' }).getByRole('link').first()).toBeVisible();
  const { Direction, Navigation, 'App bar': appBar, Footer, 'Content width': width } = AXES;
  const fixed = { 'App bar': ['Stays on screen'], Footer: ['Stays on screen'] };
  if (HEAVY) expect(await walk(page, AXES)).toEqual({ result: [], count: 432 });
  else {
    const { Theme, Skin } = AXES;
    expect(await walk(page, { Theme, Skin, ...fixed, Navigation })).toEqual({ result: [], count: 12 });
    // The width of the content makes no difference on this screen, but on the next.
    expect(await walk(page, { Direction, Navigation, 'App bar': appBar, Footer })).toEqual({ result: [], count: 36 });
  }
  await page.setViewportSize({ width: 1700, height: 900 });
  expect(await walk(page, { ...fixed, Direction, Navigation, 'Content width': width })).toEqual({
    result: [],
    count: 8,
  });
  // Below 1200 px there is one layout, on a phone with the navigation at the bottom.
  await page.setViewportSize({ width: 390, height: 844 });
  expect(await walk(page, { Direction, 'App bar': appBar, Footer })).toEqual({ result: [], count: 18 });

  await page.setViewportSize({ width: 320, height: 700 });
  const footer = page.getByRole('contentinfo');
  await choose(page, 'Footer', 'Stays on screen');
  for (const [language, code] of Object.entries(LANGUAGES)) {
    // Checked when its texts are there.
    await page.getByRole('radio', { name: language }).click();
    await expect(page.locator('html')).toHaveAttribute('lang', code);
    expect(await footer.evaluate(({ scrollWidth, clientWidth }) => scrollWidth - clientWidth), language).toBe(0);
    expect((await footer.boundingBox())?.height, language).toBeLessThanOrEqual(41);
  }

  await page.setViewportSize({ width: 1440, height: 900 });
  // The page is mirrored, its English is not.
  await choose(page, 'Direction', 'Right to left');
  expect(await readsToTheRight(page.getByText('On top (from 1200 px)'))).toBe(true);
  await choose(page, 'Direction', 'Left to right');
  for (const place of ['Stays on screen', 'At the end of the page']) {
    await choose(page, 'Footer', place);
    await page.evaluate(() => scrollTo(0, document.documentElement.scrollHeight));
    const top = await page.getByRole('button', { name: 'Back to top' }).boundingBox();
    const end = await footer.boundingBox();
    expect((top?.y ?? Infinity) + (top?.height ?? 0), `the button to the top, footer: ${place}`).toBeLessThan(
      end?.y ?? 0,
    );
  }
  await choose(page, 'Theme', 'Semi-dark');
  await expect(page.locator('html')).toHaveAttribute('data-mode', 'light');
  await page.getByRole('button', { name: 'Orange' }).click();
  await expect(page.getByText(/contrast of 2\.\d:1/)).toBeVisible();
  await choose(page, 'Navigation', /^On top/);
  await page.reload();
  await expect(page.getByRole('radio', { name: 'Semi-dark' })).toBeChecked();
  await expect(page.getByRole('radio', { name: 'At the side' })).toBeChecked();
  await expect(page.getByRole('button', { name: 'Orange' })).toHaveAttribute('aria-pressed', 'true');
});
