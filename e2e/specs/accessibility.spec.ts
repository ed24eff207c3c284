import type { Locator, Page } from '@playwright/test';
import { cutTexts } from '../fixtures/shown';
import { asUser, expect, follow, newUser, seriousFindings, signUp, test } from '../fixtures/test';

const PAGES = {
  visitor: [
    '/',
    '/sign-in',
    '/sign-up',
    '/pages/calculator',
    '/pages/hashprice',
    '/pages/faq',
    '/pages/terms',
    '/pages/privacy',
    '/pages/security',
    '/watch/wt_unknown/',
  ],
  miner: [
    '/dashboard/',
    '/workers/',
    '/workers/groups',
    '/workers/pools',
    '/workers/connection',
    '/payments/',
    '/payments/?tab=payouts',
    '/payments/?tab=settings',
    '/payments/statement',
    '/referral/',
  ],
  account: [
    '/account/',
    '/account/sub-accounts',
    '/account/api-keys',
    '/account/watchers',
    '/account/organization',
    '/account/alerts',
    '/account/telegram',
    '/account/security',
    '/account/log',
    '/pages/account-settings/account',
    '/nowhere',
  ],
  admin: [
    '/admin/overview',
    // Others sign up, and their names may be long.
    '/admin/users?q=demo',
    '/admin/sub-accounts',
    '/admin/payments',
    '/admin/payments/referral',
    '/admin/payments/bonus',
    '/admin/payments/corrections',
    '/admin/terms',
    '/admin/audit',
    '/admin/system',
    '/pages/access-control',
    '/view-as/demo/dashboard/',
  ],
} as const;
const ALL_PAGES: readonly string[] = Object.values(PAGES).flat();
/** The narrowest of each layout: what fits there fits up to the next. And the widest. */
const WIDTHS = [320, 390, 600, 640, 720, 900, 1024, 1200, 1440, 1920];
/** Lists draw as many rows as a screen has room for: few. */
const HEIGHT = 600;
/** Widths with the least room: a phone, the navigation beside the page. */
const TIGHT = [320, 900];

/** Lists of money and the chart with dates at its ends: no figure is cut in any language. */
const MONEY = new Set([
  '/pages/hashprice',
  '/payments/',
  '/payments/?tab=payouts',
  '/payments/statement',
  '/referral/',
  '/admin/users?q=demo',
  '/admin/payments',
]);
const LISTS = [1440, 1024, 390];

/** The longest texts first. */
const LANGUAGES = ['ru', 'ar', 'en', 'fr'];

/** A page in a language: by axe in each of the `modes`, the first by all rules, and whether it fits the `widths`. */
type Look = { language: string; modes: readonly ('dark' | 'light')[]; widths: readonly number[] };

/**
 * The page with this number once by axe, in Russian, whose texts are the longest, or in Arabic, which is mirrored;
 * lists of money in both. HEAVY=1: in every language, mode and width.
 */
function looksAt(page: number): Look[] {
  if (process.env.HEAVY === '1')
    return LANGUAGES.map((language) => ({ language, modes: ['dark', 'light'], widths: WIDTHS }));
  // Four pages in the same mode: each change draws the whole page anew.
  const mode = page % 8 < 4 ? 'dark' : 'light';
  const language = page % 4 === 3 ? 'ar' : 'ru';
  const isMoney = MONEY.has(ALL_PAGES[page] ?? '');
  const widths = [...new Set([...TIGHT, WIDTHS[page % WIDTHS.length] ?? 0, ...(isMoney ? LISTS : [])])];
  const other: Look = { language: language === 'ru' ? 'ar' : 'ru', modes: [], widths: [390] };
  return [{ language, modes: [mode], widths }, ...(isMoney ? [other] : [])];
}

/** Pages that begin a document of their own; the others are opened by a link in one. */
const OWN_DOCUMENT = /^\/($|sign-in|watch\/|view-as\/)/;

/** The landing page has the language and the theme of its first paint. */
const isLanding = (page: Page) => new URL(page.url()).pathname === '/';

/** Opens another page of the document; it is there when the tab has a title that none of the `seen` pages had. */
async function visit(page: Page, path: string, seen: ReadonlySet<string>) {
  await follow(page, path);
  await expect.poll(async () => seen.has(await page.title()), `the title of ${path}`).toBe(false);
}

/** Chooses the language in another tab, which is quicker than its menu. */
async function speak(page: Page, otherTab: Page, { language }: Look) {
  const html = page.locator('html');
  await otherTab.evaluate((chosen) => localStorage.setItem('i18nextLng', chosen), language);
  if (isLanding(page)) await page.reload();
  await expect(html).toHaveAttribute('lang', language);
  await expect(html).toHaveAttribute('dir', language === 'ar' ? 'rtl' : 'ltr');
}

/** The theme is that of the system. */
async function light(page: Page, mode: 'dark' | 'light') {
  const html = page.locator('html');
  await page.emulateMedia({ colorScheme: mode });
  if (isLanding(page) && (await html.getAttribute('data-mode')) !== mode) await page.reload();
  await expect(html).toHaveAttribute('data-mode', mode);
}

/** Waits until the page is complete: the heading, nothing loading, and figures where there are some. */
async function settled(page: Page) {
  await expect(page.getByRole('heading', { level: 1 }).first()).toBeVisible();
  await expect(page.locator('.sk, [data-skeleton], [aria-busy=true], [data-progress]')).toHaveCount(0);
}

/**
 * Nothing scrolls sideways, on a phone no table either, no card is too short for what it holds, no control and no list
 * cuts its own text, and Arabic in a chart is read from the right.
 */
async function fits(page: Page, path: string, widths: readonly number[]) {
  for (const width of widths) {
    await page.setViewportSize({ width, height: HEIGHT });
    const faults = async () => ({
      lists: await cutTexts(page),
      ...(await page.evaluate(() => {
        const { scrollWidth, clientWidth } = document.documentElement;
        // A mark placed on a chart has no height; a card that is not on screen has no layout, and no text.
        const cards = [...document.querySelectorAll<HTMLElement>('main li')].filter(
          (item) => item.clientHeight > 0 && item.innerText !== '',
        );
        const controls = document.querySelectorAll<HTMLElement>(
          'nav a, nav a *, button, button *, summary, summary *, .ant-select-selection-item',
        );
        const isCut = (element: HTMLElement) =>
          element.textContent.trim() !== '' &&
          element.scrollWidth > element.clientWidth + 1 &&
          element.clientWidth > 1 &&
          getComputedStyle(element).overflowX !== 'visible';
        const isBackwards = (text: SVGTextElement) =>
          /^\d.*[\u0600-\u06ff]/.test(text.textContent) &&
          text.getStartPositionOfChar(0).x < text.getStartPositionOfChar(text.getNumberOfChars() - 1).x;
        return {
          backwards: [...document.querySelectorAll<SVGTextElement>('svg text')]
            .filter(isBackwards)
            .map((text) => text.textContent),
          cut: [...controls].filter(isCut).map((element) => element.innerText),
          overflow: Math.max(0, scrollWidth - clientWidth),
          // A phone shows the rows of a panel's table as lists.
          sideways: [...document.querySelectorAll('main table[data-padded=true]')]
            .filter(({ parentElement: frame }) => innerWidth < 640 && frame && frame.scrollWidth > frame.clientWidth)
            .map((table) => table.ariaLabel),
          tooShort: cards
            .filter((card) => card.scrollHeight > card.clientHeight)
            .map((card) => `${card.innerText}: ${card.scrollHeight - card.clientHeight} px`),
        };
      })),
    });
    await expect
      .poll(faults, { message: `${path} at ${width} px`, timeout: 5_000 })
      .toEqual({ lists: [], backwards: [], cut: [], overflow: 0, sideways: [], tooShort: [] });
  }
}

for (const part of ['admin', 'miner', 'account', 'visitor'] as const) {
  test(`pages of ${part}: in four languages they fit every width, and axe finds nothing serious`, async ({
    page,
    watch,
  }) => {
    watch.expectErrors(/status of 40[14] .*\/(nowhere|watch)/);
    await page.addInitScript(() => localStorage.setItem('settings', JSON.stringify({ mode: 'system' })));
    const otherTab = await page.context().newPage();
    // Any page of the same origin.
    await otherTab.goto('/ready');
    await page.bringToFront();
    const seen = new Set<string>();
    for (const path of PAGES[part]) {
      await page.setViewportSize({ width: 1440, height: HEIGHT });
      if (part !== 'visitor' && seen.size === 0) await asUser(page, part === 'admin' ? 'admin' : 'demo', path);
      else if (OWN_DOCUMENT.test(path)) await page.goto(path);
      else await visit(page, path, seen);
      await settled(page);
      for (const look of looksAt(ALL_PAGES.indexOf(path))) {
        if (look.modes.length > 0) await page.setViewportSize({ width: 1440, height: HEIGHT });
        await speak(page, otherTab, look);
        for (const mode of look.modes) {
          await light(page, mode);
          await settled(page);
          const rules = mode === look.modes[0] ? 'all' : 'looks';
          expect(await seriousFindings(page, rules), `${path} in ${look.language}, ${mode}`).toEqual([]);
        }
        await settled(page);
        await fits(page, `${path} in ${look.language}`, look.widths);
      }
      seen.add(await page.title());
    }
  });
}

test('texts of 24 px and a held address of 62 characters fit the screen', async ({ page }) => {
  await page.addInitScript(() => {
    new MutationObserver((_, observer) => {
      if (!document.documentElement) return;
      document.documentElement.style.fontSize = '24px';
      observer.disconnect();
    }).observe(document, { childList: true });
  });
  const settings = '/payments/?tab=settings';
  await signUp(page, newUser('wide'), settings);
  const field = page.getByRole('textbox', { name: /^(Bitcoin|New bitcoin) address$/ });
  await field.fill('bc1qrp33g0q5c5txsp9arysrx4k6zdkfs4nce4xj0gdcccefvpysxf3qccfmv3');
  await page.getByRole('button', { name: 'Set address' }).click();
  await page.getByRole('button', { name: 'Change address' }).click();
  await field.fill('bc1qw508d6qejxtdg4y5r3zarvary0c5xw7kv8f3t4');
  await page.getByRole('button', { name: 'Change address' }).click();
  await expect(page.getByText(/^Nothing is paid out until/)).toBeVisible();
  await fits(page, `${settings}, held`, [390, 320]);
  // An open page would renew the session that is cleared.
  await page.goto('about:blank');
  await page.context().clearCookies();
  await asUser(page, 'demo');
  for (const path of ['/dashboard/', '/workers/', '/workers/pools', '/payments/', '/account/alerts', '/account/log']) {
    await follow(page, path);
    await settled(page);
    await fits(page, `${path} at 24 px`, [1440, 390]);
  }
});

test('a reader who wants no motion gets none; in forced colours and in shades of grey what is chosen is not as the others', async ({
  page,
}) => {
  // What moves, or fades for longer than a tenth of a second, of the page and of what it opens.
  await page.addInitScript(() => {
    const moved: string[] = [];
    Object.assign(globalThis, { moved });
    for (const event of ['animationstart', 'transitionrun'])
      document.addEventListener(event, ({ target }) => {
        for (const animation of (target as Element).getAnimations())
          if (Number(animation.effect?.getComputedTiming().duration) > 100) moved.push((target as Element).className);
      });
  });
  const walk = async () => {
    await asUser(page, 'demo');
    await page.locator('main [data-ready~=figures]').waitFor();
    await page.getByRole('main').getByText('7d', { exact: true }).click();
    await expect(page).toHaveURL(/timeframe=d7/);
    await page.getByRole('button', { name: /^Notifications/ }).click();
    await page.getByRole('dialog').waitFor();
    await page.keyboard.press('Escape');
    await page.getByRole('navigation').getByRole('link', { name: 'Workers' }).click();
    await page.getByRole('row').nth(1).click();
    await expect(page).toHaveURL(/\/workers\/\d+/);
    return page.evaluate(() => (globalThis as unknown as { moved: string[] }).moved);
  };
  expect(await walk()).toEqual([]);
  await page.emulateMedia({ reducedMotion: 'no-preference' });
  expect(await walk()).not.toEqual([]);
  await page.emulateMedia({ reducedMotion: 'reduce' });

  await follow(page, '/workers/');
  // Forced colours take backgrounds away; in shades of grey each colour counts as its grey, in ten steps.
  const looks = (place: Locator) =>
    place.first().evaluate((element) => {
      const { outline, borderBottom, color, backgroundColor, fontWeight } = getComputedStyle(element);
      if (matchMedia('(forced-colors: active)').matches) return [outline, borderBottom, color].join(' ');
      const grey = (_: string, ...[red, green, blue]: string[]): string =>
        String(Math.round((0.21 * Number(red) + 0.72 * Number(green) + 0.07 * Number(blue)) / 25));
      return [outline, borderBottom, color, backgroundColor, fontWeight]
        .join(' ')
        .replace(/rgba?\((\d+), (\d+), (\d+)/g, grey);
    });
  const main = page.getByRole('main');
  const pairs = [
    [
      'algorithm',
      page.locator('label:has(input[type=radio]:checked)'),
      page.locator('label:has(input[type=radio]:not(:checked))'),
    ],
    [
      'page',
      page.getByRole('navigation').locator('a[aria-current]'),
      page.getByRole('navigation').locator('a:not([aria-current])'),
    ],
    ['tab', main.locator('a[aria-current=page]'), main.locator('nav a:not([aria-current])')],
  ] as const;
  const modes = ['none', 'active'] as const;
  for (const forcedColors of modes) {
    await page.emulateMedia({ forcedColors });
    for (const [what, chosen, other] of pairs)
      expect(await looks(chosen), `${what}, ${forcedColors}`).not.toBe(await looks(other));
  }
  await follow(page, '/dashboard/');
  // What is drawn by its background alone keeps it: segments, bars of days, outages below a chart.
  const drawn = () =>
    main
      .locator(':is([role=img], figure) span')
      .evaluateAll((marks) =>
        marks
          .filter((mark) => !mark.textContent)
          .map((mark) => getComputedStyle(mark).backgroundColor.replace(/^rgba.* 0\)$/, 'none')),
      );
  await main.locator('figure a > span').first().waitFor();
  // Marks of the chart come and go with its data.
  await expect(async () => {
    await page.emulateMedia({ forcedColors: 'active' });
    const forced = await drawn();
    await page.emulateMedia({ forcedColors: 'none' });
    expect(forced.length).toBeGreaterThan(14);
    expect(forced).toEqual(await drawn());
  }).toPass();
  const frame = (name: string) => main.locator('label', { has: page.getByText(name, { exact: true }) });
  await expect(frame('7d')).toBeVisible();
  await frame('7d').click();
  await expect(page).toHaveURL(/timeframe=d7/);
  for (const forcedColors of modes) {
    await page.emulateMedia({ forcedColors });
    expect(await looks(frame('7d')), forcedColors).not.toBe(await looks(frame('30d')));
  }
});

test.describe('on a touch screen', () => {
  test.use({ hasTouch: true, isMobile: true, viewport: { width: 390, height: 844 } });
  test('the drawer of a phone closes after a link; no field is so small that a phone zooms into it', async ({
    page,
  }) => {
    await page.goto('/sign-in');
    await page.getByRole('textbox').first().waitFor();
    const small = () =>
      page
        .locator('input, textarea, select')
        .evaluateAll((fields) =>
          fields
            .filter((field) => parseFloat(getComputedStyle(field).fontSize) < 16)
            .map((field) => field.outerHTML.slice(0, 200)),
        );
    expect(await small()).toEqual([]);
    await asUser(page, 'demo', '/workers/');
    await page.getByRole('button', { name: 'More' }).click();
    const drawer = page.getByRole('dialog');
    await drawer.getByRole('link', { name: 'Payments' }).click();
    await expect(page.getByRole('heading', { level: 1, name: 'Payments' })).toBeVisible();
    await expect(drawer).toBeHidden();
    for (const path of ['/account/alerts', '/payments/?tab=settings']) {
      await follow(page, path);
      await page
        .locator('main :is(input, textarea):not([type=checkbox], [type=radio])')
        .first()
        .waitFor({ state: 'attached' });
      expect(await small(), path).toEqual([]);
    }
  });
});
