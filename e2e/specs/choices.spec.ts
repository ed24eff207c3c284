import type { PageStart } from '../../shared/src/page-start/page';
import { asUser, expect, test } from '../fixtures/test';

test.use({ contextOptions: { reducedMotion: 'no-preference' }, timezoneId: 'Asia/Kolkata' });

/** Age from which an answer is asked for again: more than `DEDUPE_MS` (shared/src/react/query.ts), as busy machines are slow. */
const OLD_MS = 2_000;

test('language, algorithm, timeframe and clock are chosen once: they survive a reload and another page, and Back walks through them', async ({
  page,
  watch,
}) => {
  // The page's first calls leave before it knows the accounts.
  watch.expectErrors(/status of 404 .*=demo-gone/);
  await asUser(page, 'demo');
  const title = (name: string) => expect(page.getByRole('heading', { level: 1, name })).toBeVisible();
  await page.getByRole('button', { name: 'Language' }).click();
  await page.getByRole('menuitemradio', { name: 'العربية' }).click();
  await title('لوحة التحكم');
  await page.reload();
  await expect(page.locator('html')).toHaveAttribute('dir', 'rtl');
  await title('لوحة التحكم');
  await page.getByRole('button', { name: /: AR$/ }).click();
  await page.getByRole('menuitemradio', { name: 'English' }).click();
  await title('Dashboard');

  const navigation = page.getByRole('navigation', { name: 'Main navigation' });
  const timeframes = page.getByRole('radiogroup', { name: 'Timeframe' });
  const shown = (name: string) => expect(timeframes.getByRole('radio', { name })).toBeChecked();
  await timeframes.getByText('7d').click();
  await timeframes.getByText('30d').click();
  await expect(page).toHaveURL(/timeframe=d30/);
  await page.goBack();
  await shown('7d');
  await page.reload();
  await shown('7d');
  await page.goBack();
  await shown('24h');
  await page.goForward();
  await shown('7d');

  const zone = page.getByRole('button', { name: /^Times in/ });
  await expect(zone).toHaveText('UTC');
  await zone.click();
  await expect(page).toHaveURL(/tz=local/);
  // The chart names it whole, inside its panel.
  const chart = page.locator('figure').first();
  const named = await chart.locator('svg').getByText('UTC+05:30').boundingBox();
  expect(named?.x).toBeGreaterThanOrEqual((await chart.boundingBox())?.x ?? Infinity);

  await page.getByRole('radiogroup', { name: 'Algorithm' }).getByText('SCRYPT').click();
  await expect(page).toHaveURL(/algorithm=SCRYPT/);
  await navigation.getByRole('link', { name: 'Workers' }).click();
  await expect(page).toHaveURL(/\/workers\/.*algorithm=SCRYPT/);
  await page.reload();
  await expect(page.getByRole('radio', { name: 'SCRYPT' })).toBeChecked();
  // Payments are of an account and all its algorithms: only that picker means something there.
  await navigation.getByRole('link', { name: 'Payments' }).click();
  await title('Payments');
  await expect(page.getByRole('button', { name: /^Account:/ })).toBeVisible();
  await expect(page.getByRole('radiogroup', { name: 'Algorithm' })).toBeHidden();
  // The choice goes along to the user's own pages, which are of no account.
  await navigation.getByRole('link', { name: 'Account' }).click();
  await expect(page.getByRole('button', { name: /^Account:/ })).toBeHidden();
  await navigation.getByRole('link', { name: 'Dashboard' }).click();
  await shown('7d');
  await expect(zone).not.toHaveText('UTC');
  await expect(page).toHaveURL(/tz=local/);

  await page.goto('/payments/?account=demo-gone');
  await expect(page.getByText('The account demo-gone was deleted or is not yours. Go on with:')).toBeVisible();
  await page.getByRole('main').getByRole('button', { name: 'demo', exact: true }).click();
  await title('Payments');
});

test('the first calls of the dashboard are made once, for the algorithm of its URL, or their answers come with the page', async ({
  page,
}) => {
  await asUser(page, 'demo');
  await expect(page.getByRole('heading', { level: 1, name: 'Dashboard' })).toBeVisible();
  // A late request of this page is not one of the next, and no event asks for figures again.
  await page.goto('about:blank');
  await page.route('**/api/events**', () => undefined);
  const calls: { url: URL; at: number }[] = [];
  page.on('request', (request) => calls.push({ url: new URL(request.url()), at: Date.now() }));
  const opened = Date.now();
  await page.goto('/dashboard/?algorithm=SCRYPT');
  await expect(page.locator('main [data-ready~=figures]')).toBeVisible();
  await expect(page.locator('main [data-ready~=chart]')).toBeVisible();
  const start = JSON.parse((await page.locator('#pool-start').textContent()) ?? '') as PageStart;
  const first = start.prefetch?.calls ?? [];
  expect(first.length).toBeGreaterThan(3);
  const held = page.locator('#pool-view');
  const answers = (await held.count()) > 0 ? ((await held.textContent()) ?? '') : '';
  for (const url of first) {
    const asked = url.replace('{account}', 'demo').replace('{algorithm}', 'SCRYPT').replace('{timeframe=d1}', 'd1');
    const isHeld = answers.includes(JSON.stringify(asked));
    const made = calls.filter(({ url: { pathname } }) => pathname === asked.split('?')[0]);
    const isFresh = ({ at }: (typeof made)[number]): boolean => at - (isHeld ? opened : made[0]!.at) <= OLD_MS;
    expect(
      made.filter(isFresh).map(({ url: { pathname, search } }) => pathname + search),
      url,
    ).toEqual(isHeld ? [] : [asked]);
  }
});
