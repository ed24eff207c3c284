import { asUser, expect, follow, test } from '../fixtures/test';

test.use({ contextOptions: { reducedMotion: 'no-preference' } });

/** Age from which an answer is asked for again: more than `DEDUPE_MS` (shared/src/react/query.ts), as busy machines are slow. */
const OLD_MS = 2_000;

test('account and algorithm are in the URL, and survive a reload and a change of page', async ({ page }) => {
  await asUser(page, 'demo');
  await expect(page.getByRole('heading', { level: 1, name: 'Dashboard' })).toBeVisible();
  await page.getByRole('radiogroup', { name: 'Algorithm' }).getByText('SCRYPT').click();
  await expect(page).toHaveURL(/algorithm=SCRYPT/);
  await page.getByRole('navigation').getByRole('link', { name: 'Workers' }).click();
  await expect(page).toHaveURL(/\/workers\/.*algorithm=SCRYPT/);
  await page.reload();
  await expect(page.getByRole('radio', { name: 'SCRYPT' })).toBeChecked();
  // Payments are of an account and all its algorithms: only that picker means something there.
  await page.getByRole('navigation').getByRole('link', { name: 'Payments' }).click();
  await expect(page.getByRole('heading', { level: 1, name: 'Payments' })).toBeVisible();
  await expect(page.getByRole('button', { name: /^Account:/ })).toBeVisible();
  await expect(page.getByRole('radiogroup', { name: 'Algorithm' })).toBeHidden();
  // The choice goes along to the user's own pages, which are of no account.
  await page.getByRole('navigation').getByRole('link', { name: 'Account' }).click();
  await expect(page.getByRole('button', { name: /^Account:/ })).toBeHidden();
  await page.getByRole('link', { name: 'Alerts' }).click();
  await expect(page).toHaveURL(/\/alerts.*algorithm=SCRYPT/);
  await expect(page).toHaveTitle('Alerts · Account · Mining Pool');
  await page.getByRole('link', { name: 'Profile' }).click();
  await expect(page).toHaveTitle('Account · Mining Pool');
});

test('language and theme change at once and stay', async ({ page }) => {
  await asUser(page, 'demo');
  await page.getByRole('button', { name: 'Language' }).click();
  await page.getByRole('menuitemradio', { name: 'العربية' }).click();
  await expect(page.locator('html')).toHaveAttribute('dir', 'rtl');
  await expect(page.getByRole('heading', { level: 1, name: 'لوحة التحكم' })).toBeVisible();
  await page.reload();
  await expect(page.locator('html')).toHaveAttribute('dir', 'rtl');
  await expect(page.getByRole('heading', { level: 1, name: 'لوحة التحكم' })).toBeVisible();
});

test('Back walks through timeframes, and a timeframe survives a reload and another page', async ({ page }) => {
  await asUser(page, 'demo');
  const timeframes = page.getByRole('radiogroup', { name: 'Timeframe' });
  const shown = (name: string) => expect(timeframes.getByRole('radio', { name })).toBeChecked();
  await shown('24h');
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
  const navigation = page.getByRole('navigation', { name: 'Main navigation' });
  await navigation.getByRole('link', { name: 'Payments' }).click();
  await expect(page.getByRole('heading', { level: 1, name: 'Payments' })).toBeVisible();
  await expect(page).toHaveTitle('Payments · Mining Pool');
  await navigation.getByRole('link', { name: 'Dashboard' }).click();
  await shown('7d');

  // So are a group, a comparison and the marks of events.
  const title = page.locator('main header').first();
  await page.getByRole('button', { name: 'Group: All groups' }).click();
  await page.getByRole('menuitemradio', { name: 'Hall A' }).click();
  await expect(title).toContainText('Hashrate and workers of Hall A');
  const view = page.getByRole('button', { name: 'What the chart shows' });
  await view.click();
  await page.getByRole('menuitemradio', { name: 'Week before' }).click();
  await expect(page.getByText(/the week before: .* on average, then/)).toBeVisible();
  const mark = page.getByRole('list', { name: 'Events on the chart' }).getByRole('button').first();
  await expect(mark).toHaveAccessibleName(/hashprice from/);
  await view.click();
  await page.getByRole('menuitemcheckbox', { name: 'Mark events' }).click();
  await expect(mark).toBeHidden();
  await page.goBack();
  await expect(mark).toBeVisible();
  await page.goBack();
  await expect(page.getByText(/the week before: /)).toBeHidden();
  await page.goBack();
  await expect(title).not.toContainText('Hall A');
});

test.describe('in a half-hour zone', () => {
  test.use({ timezoneId: 'Asia/Kolkata' });

  test('local time is one switch for the whole page, and stays on the way to another and back', async ({ page }) => {
    await asUser(page, 'demo');
    const zone = page.getByRole('button', { name: /^Times in/ });
    await expect(zone).toHaveText('UTC');
    const control = page.getByRole('button', { name: /^Updates:/ });
    const clock = async () => {
      await control.click();
      const text = await page
        .getByText(/ · Updated/)
        .locator('..')
        .textContent();
      await page.keyboard.press('Escape');
      return text;
    };
    expect(await clock()).toContain('UTC');
    await zone.click();
    await expect(page).toHaveURL(/tz=local/);
    expect(await clock()).toContain('UTC+05:30');
    // The chart names it whole, inside its panel.
    const chart = page.locator('figure').first();
    const named = await chart.locator('svg').getByText('UTC+05:30').boundingBox();
    expect(named?.x).toBeGreaterThanOrEqual((await chart.boundingBox())?.x ?? Infinity);
    const navigation = page.getByRole('navigation', { name: 'Main navigation' });
    await navigation.getByRole('link', { name: 'Workers' }).click();
    await expect(page.getByRole('heading', { level: 1, name: 'Workers' })).toBeVisible();
    expect(await clock()).toContain('UTC+05:30');
    await navigation.getByRole('link', { name: 'Dashboard' }).click();
    await expect(page.getByRole('heading', { level: 1, name: 'Dashboard' })).toBeVisible();
    await expect(page).toHaveURL(/tz=local/);
    await page.goBack();
    await page.goBack();
    await page.goBack();
    await expect(zone).toHaveText('UTC');
  });
});

test('Back walks through filters, sort and search of the workers, one step for each', async ({ page }) => {
  await asUser(page, 'demo', '/workers/');
  const search = page.getByRole('searchbox', { name: 'Search workers' });
  const states = page.getByRole('radiogroup', { name: 'Show' });
  await states.getByText('Online').click();
  await page.getByRole('button', { name: 'Worker', exact: true }).click();
  await expect(page).toHaveURL(/sort=name/);
  await search.pressSequentially('rig', { delay: 400 });
  await expect(page).toHaveURL(/q=rig/);

  await page.goBack();
  await expect(page).toHaveURL(/sort=name/);
  await expect(page).not.toHaveURL(/q=/);
  await expect(search).toHaveValue('');
  await page.goBack();
  await expect(page).not.toHaveURL(/sort=/);
  await expect(states.getByRole('radio', { name: /^Online/ })).toBeChecked();
  await page.goBack();
  await expect(states.getByRole('radio', { name: /^All/ })).toBeChecked();
});

test('one payout has an address of its own', async ({ page }) => {
  await asUser(page, 'demo', '/payments/?tab=payouts');
  const payouts = page.getByRole('table', { name: 'Payouts' });
  const row = payouts.getByRole('row').nth(2);
  const amount = await row.getByRole('cell').nth(1).textContent();
  await row.getByRole('link').first().click();
  await expect(page).toHaveURL(/payout=\d+/);
  await page.reload();
  // Opened, with its course as a line.
  const steps = page.getByRole('dialog').getByRole('list', { name: 'Payout progress' }).getByRole('listitem');
  await expect(steps).toHaveText([/^Pending.*UTC$/, 'Queued', /^Sent.*UTC$/, /^Confirmed.*UTC$/]);
  const current = payouts.locator('tr[aria-current]');
  await expect(current).toHaveCount(1);
  await expect(current).toContainText(amount ?? '?');
  await expect(current).toBeInViewport();
});

test('what is no page answers 404 and shows that', async ({ page, watch }) => {
  watch.expectErrors(/status of 404 .*\/foo/);
  const paths = ['/dashboard/foo', '/workers/foo', '/workers/1/foo', '/payments/foo', '/referral/foo'];
  await asUser(page, 'demo');
  for (const path of paths) {
    // One by a load, which the browser writes to its console; the others as links lead there.
    if (path === paths[0]) expect((await page.goto(path))?.status(), path).toBe(404);
    else {
      const answer = await page.request.get(path, { headers: { accept: 'text/html' } });
      expect(answer.status(), path).toBe(404);
      await follow(page, '/account/');
      await expect(page.getByRole('heading', { level: 1, name: 'Account' })).toBeVisible();
      await follow(page, path);
    }
    await expect(page.getByRole('heading', { level: 1, name: 'Page not found' })).toBeVisible();
    await expect(page).toHaveTitle('Page not found · Mining Pool');
  }
});

test('a worker is found, opened by its link, and the list is exported', async ({ page }) => {
  await asUser(page, 'demo');
  await page.getByRole('navigation').getByRole('link', { name: 'Workers' }).click();
  await expect(page.getByRole('heading', { level: 1, name: 'Workers' })).toBeVisible();
  const first = page
    .getByRole('link', { name: /^Open / })
    .or(page.getByRole('row').nth(1).getByRole('link'))
    .first();
  await first.click();
  await expect(page).toHaveURL(/\/workers\/\d+/);
  await page.reload();
  await expect(page.getByText('Share quality, 24 h')).toBeVisible();
  await page.keyboard.press('Escape');
  await expect(page).toHaveURL(/\/workers\/(\?|$)/);
  // The panel's sentence and its figures are one measurement.
  await page.goto('/workers/?state=low');
  await page.getByRole('row').nth(1).getByRole('link').click();
  const low = page.getByRole('complementary');
  await expect(low).toContainText(/Running at .* of its 24 h mean/);
  const said = await low.innerText();
  const figure = (pattern: RegExp): number => Number(pattern.exec(said)?.[1]);
  const [part, hour, day] = [figure(/Running at ([\d.]+)\s%/), figure(/\n1\sh\n([\d.]+)/), figure(/\n24\sh\n([\d.]+)/)];
  expect(Math.abs(part - (100 * hour) / day)).toBeLessThan(0.1);
  expect(said.replace('Connected since', '')).not.toContain('since');
  await page.goto('/workers/');
  // A farm looks for its worst machines, and compares some of them.
  await page.getByRole('button', { name: /^24 h/ }).click();
  await expect(page.getByRole('columnheader', { name: /^24 h/ })).toHaveAttribute('aria-sort', 'ascending');
  const boxes = page.getByRole('table', { name: 'Workers' }).getByRole('row').getByRole('checkbox');
  for (const row of [1, 2, 3]) await boxes.nth(row).check();
  await expect(page.getByRole('region', { name: 'Selected workers' })).toContainText(/3 selected.*24 h .*H\/s/);
  await page.getByRole('button', { name: 'Compare' }).click();
  await expect(page).toHaveURL(/compare=\d+%2C\d+%2C\d+/);
  await page.reload();
  const panel = page.getByRole('complementary', { name: 'Compared workers' });
  await expect(panel.locator('svg [data-line]')).toHaveCount(5);
  await panel.getByRole('button', { name: 'Close' }).click();
  await expect(page).not.toHaveURL(/compare=/);
  const [download] = await Promise.all([
    page.waitForEvent('download'),
    page.getByRole('button', { name: 'Export the list as CSV' }).click(),
  ]);
  expect(download.suggestedFilename()).toMatch(/\.csv$/);
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
  const meta = await page.locator('meta[name=pool-prefetch]').getAttribute('content');
  const { calls: first } = JSON.parse(meta ?? '') as { calls: string[] };
  expect(first.length).toBeGreaterThan(3);
  const held = page.locator('#pool-answers');
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

test('a link with an account that is gone says so, and whose figures are shown', async ({ page, watch }) => {
  // The page's first calls leave before it knows the accounts.
  watch.expectErrors(/status of 404 .*=demo-gone/);
  await asUser(page, 'demo', '/payments/?account=demo-gone');
  const said = 'The account demo-gone was deleted or is not yours. This page shows demo.';
  await expect(page.getByText(said)).toBeVisible();
  await page.goto('/payments/');
  await expect(page.getByRole('heading', { level: 1, name: 'Payments' })).toBeVisible();
  await expect(page.getByText(said)).toHaveCount(0);
});
