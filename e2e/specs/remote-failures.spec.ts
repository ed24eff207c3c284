import type { Page, Route } from '@playwright/test';
import { asUser, expect, fillSignIn, test } from '../fixtures/test';

const ways: Record<string, (route: Route) => Promise<void>> = {
  'is down': (route) => route.abort('connectionrefused'),
  'answers 404': (route) => route.fulfill({ status: 404, contentType: 'text/plain', body: 'Not Found' }),
  'answers HTML': (route) =>
    route.fulfill({ status: 200, contentType: 'text/html', body: '<!doctype html><title>Login</title>' }),
  hangs: async () => undefined,
  // Row 59: one byte more, still a script that would run.
  'is tampered with': async (route) => {
    const response = await route.fetch();
    await route.fulfill({ response, body: `${await response.text()};` });
  },
};
const files: Record<string, string> = {
  entry: String.raw`remoteEntry\.[^/]+\.js`,
  chunk: String.raw`(?!remoteEntry)[^/]+\.js`,
  stylesheet: String.raw`__federation_expose_app[^/]+\.css`,
};
/** Each remote fails in a way of its own, with its entry or with one of its other files. HEAVY=1: with each of its files. */
const failing = [
  { remote: 'workers', link: 'Workers', title: 'Workers', way: 'is tampered with', file: 'chunk' },
  { remote: 'payments', link: 'Payments', title: 'Payments', way: 'answers 404', file: 'stylesheet' },
  { remote: 'referral', link: 'Referral Program', title: 'Referral Program', way: 'answers HTML', file: 'entry' },
  { remote: 'admin', link: 'Users', title: 'Users', way: 'is down', file: 'chunk' },
  // The dashboard of an admin without machines leads to the overview.
  { remote: 'dashboard', link: 'Dashboard', title: 'Overview', way: 'hangs', file: 'entry' },
];

const navigation = (page: Page) => page.getByRole('navigation', { name: 'Main navigation' });

for (const round of process.env.HEAVY ? Object.keys(files) : ['own'])
  test(`a file of a remote is down, no script, tampered with or hangs (${round}): a panel with Retry in its place, and Retry works without a reload`, async ({
    page,
    watch,
  }) => {
    watch.expectErrors(/./);
    // The admin remote has no stylesheet of its own.
    const faults = failing.filter(({ remote }) => round !== 'stylesheet' || remote !== 'admin');
    const urlOf = ({ remote, file }: (typeof faults)[number]) =>
      new RegExp(`/remotes/${remote}/[^/]+/${files[round === 'own' ? file : round]}`);
    for (const fault of faults) await page.route(urlOf(fault), ways[fault.way]!);
    await asUser(page, 'admin', '/account/');
    const title = page.getByRole('heading', { level: 1 });
    await expect(title).toHaveText('Account');
    await page.evaluate(() => Object.assign(window, { stillHere: true }));
    const panel = page.getByRole('alert').filter({ hasText: 'This part could not be loaded' });
    for (const [at, fault] of faults.entries()) {
      const { remote, link, title: name } = fault;
      const open = () => navigation(page).getByRole('link', { name: link, exact: true }).click();
      await open();
      await expect(panel, remote).toBeVisible();
      if (at === 0) {
        // The rest is usable.
        await page.getByRole('button', { name: /User menu/ }).click();
        await page.getByRole('menuitem', { name: 'Account' }).click();
        await expect(title).toHaveText('Account');
        await open();
        await expect(panel, remote).toBeVisible();
      }
      await page.unroute(urlOf(fault));
      const retry = panel.getByRole('button', { name: 'Retry' });
      // A file that hung may come by itself meanwhile, and the panel goes.
      await expect(async () => {
        if (await retry.isVisible()) await retry.click({ timeout: 5000 });
        await expect(title, remote).toHaveText(name, { timeout: 10_000 });
      }).toPass();
    }
    expect(await page.evaluate(() => 'stillHere' in window), 'no reload').toBe(true);
  });

test('a shared part, or a script of the shell, that does not load: the page says so and what to do', async ({
  page,
  watch,
}) => {
  watch.expectErrors(/./);
  await page.route('**/assets/*.js', async (route) => {
    const response = await route.fetch();
    // Exports of the shared part with form fields.
    if (/\bTextField(",0,|:\(\)=>)/.test(await response.text())) await route.abort('connectionrefused');
    else await route.fulfill({ response });
  });
  await asUser(page, 'demo', '/account/security');
  const fault = page.getByRole('main').getByRole('alert');
  await expect(fault).toHaveCount(1);
  // A file that is still on its way would be refused after the click.
  await page.unrouteAll({ behavior: 'wait' });
  // The browser may still be fetching the file for the page after this one: that fails, and Retry has to be pressed again.
  await expect(async () => {
    const retry = fault.getByRole('button', { name: 'Retry' });
    if (await retry.isVisible()) await retry.click();
    await expect(page.getByRole('region', { name: 'Change password' })).toBeVisible({ timeout: 5000 });
  }).toPass();
  await expect(fault).toHaveCount(0);

  const [script = ''] = await page
    .locator('script[src^="/assets/"]')
    .evaluateAll((scripts) => scripts.map((each) => each.getAttribute('src') ?? ''));
  await page.route(`**${script}`, (route) => route.abort());
  await page.goto('/workers/');
  await expect(page.getByRole('alert')).toContainText('Part of this page could not be loaded.');
  await page.unrouteAll();
  await page.getByRole('link', { name: 'Reload' }).click();
  await expect(page.getByRole('heading', { level: 1, name: 'Workers' })).toBeVisible();
});

test('offline on the way to another page: it says so, and the page opens when the network is back; HTML for one answer is the fault of one widget', async ({
  page,
  context,
  watch,
}) => {
  watch.expectErrors(/./);
  // The browser has not fetched the page beforehand.
  await page.route(/\/remotes\/referral\//, (route) => route.abort('internetdisconnected'));
  await asUser(page, 'demo');
  await expect(page.locator('main [data-ready~=figures]')).toBeVisible();
  await context.setOffline(true);
  await page.unrouteAll();
  await navigation(page).getByRole('link', { name: 'Referral Program' }).click();
  await expect(page.getByRole('alert').filter({ hasText: 'You are offline.' })).toBeVisible();
  await context.setOffline(false);
  await expect(page.getByRole('heading', { level: 1, name: 'Referral Program' })).toBeVisible();

  await page.route('**/api/upstreams**', ways['answers HTML']!);
  await page.route('**/api/connectionInfo/**', (route) => route.fulfill({ json: { not: 'a list' } }));
  await page.goto('/dashboard/');
  await expect(page.locator('main [data-ready~=figures]')).toBeVisible();
  await expect(page.getByText('The pool sent an answer this page does not understand.')).toBeVisible();
  await expect(page.getByText('Something went wrong on this page.')).toBeVisible();
  await page.unrouteAll();
  const retry = page.getByRole('main').getByRole('button', { name: 'Retry' });
  await retry.last().click();
  await expect(retry).toHaveCount(1);
  await retry.click();
  await expect(page.getByRole('main').getByRole('alert')).toHaveCount(0);
});

test('the list of remotes fails: the page signed in to says so, and finds its remotes when the list comes; later it removes nothing', async ({
  page,
  watch,
}) => {
  watch.expectErrors(/./);
  await page.route('**/api/remotes**', (route) => route.abort('connectionrefused'));
  await fillSignIn(page, 'demo');
  // The page that signed in had no remotes: it shows an error, and the shell around it works.
  await expect(page.getByRole('heading', { level: 1, name: 'The pool does not answer' })).toBeVisible();
  await expect(page.getByRole('button', { name: /^User menu|, User menu/ })).toBeVisible();
  await page.unroute('**/api/remotes**');
  await page.getByRole('main').getByRole('button', { name: 'Retry' }).click();
  await expect(page.getByRole('heading', { level: 1, name: 'Dashboard' })).toBeVisible();
  await expect(page.locator('main [data-ready~=figures]')).toBeVisible();
  await expect(navigation(page).getByRole('link', { name: 'Workers' })).toBeVisible();

  await page.route('**/api/remotes**', (route) => route.abort('connectionrefused'));
  await page.goto('/dashboard/');
  await expect(page.locator('main [data-ready~=figures]')).toBeVisible();
  await expect(page.getByRole('link', { name: /^Offline/ })).toBeVisible();
  for (const name of ['Dashboard', 'Payments', 'Workers', 'Referral Program'])
    await expect(navigation(page).getByRole('link', { name })).toBeVisible();
});
