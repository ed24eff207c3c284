import type { Page, Route } from '@playwright/test';
import { asUser, expect, fillSignIn, test } from '../fixtures/test';

const ways: Record<string, (route: Route) => Promise<void> | void> = {
  'is down': (route) => route.abort('connectionrefused'),
  'answers 404': (route) => route.fulfill({ status: 404, contentType: 'text/plain', body: 'Not Found' }),
  'answers HTML': (route) =>
    route.fulfill({ status: 200, contentType: 'text/html', body: '<!doctype html><title>Login</title>' }),
  hangs: () => undefined,
  // Row 59: one byte more, still a script that would run.
  'is tampered with': async (route) => {
    const response = await route.fetch();
    await route.fulfill({ response, body: `${await response.text()};` });
  },
};
const files = {
  entry: String.raw`remoteEntry\.[^/]+\.js`,
  chunk: String.raw`(?!remoteEntry)[^/]+\.js`,
  stylesheet: String.raw`__federation_expose_app[^/]+\.css`,
};
/** Each remote fails in a way of its own. HEAVY=1: with each of its files; else an entry does, and one of the other files. */
const failing = [
  { remote: 'workers', link: 'Workers', title: 'Workers', way: 'is tampered with' },
  { remote: 'payments', link: 'Payments', title: 'Payments', way: 'answers 404' },
  { remote: 'referral', link: 'Referral Program', title: 'Referral Program', way: 'answers HTML' },
  { remote: 'admin', link: 'Users', title: 'Users', way: 'is down' },
  // The dashboard of an admin without machines leads to the overview.
  { remote: 'dashboard', link: 'Dashboard', title: 'Overview', way: 'hangs' },
];

const navigation = (page: Page) => page.getByRole('navigation', { name: 'Main navigation' });

for (const [file, pattern] of Object.entries(files)) {
  test(`the ${file} of a remote is down, no script, tampered with or hangs: a panel with Retry in its place, and Retry works without a reload`, async ({
    page,
    watch,
  }) => {
    test.slow();
    watch.expectErrors(/./);
    // The admin remote has no stylesheet of its own.
    const faults = failing.filter(({ remote }, at) =>
      process.env.HEAVY
        ? file !== 'stylesheet' || remote !== 'admin'
        : file === 'entry' || (file === 'chunk') === at > 2,
    );
    const urlOf = (remote: string) => new RegExp(`/remotes/${remote}/[^/]+/${pattern}`);
    for (const { remote, way } of faults) await page.route(urlOf(remote), ways[way] as (route: Route) => Promise<void>);
    await asUser(page, 'admin', '/account/');
    const title = page.getByRole('heading', { level: 1 });
    await expect(title).toHaveText('Account');
    await page.evaluate(() => Object.assign(window, { stillHere: true }));
    const panel = page.getByRole('alert').filter({ hasText: 'This part could not be loaded' });
    for (const [at, { remote, link, title: name }] of faults.entries()) {
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
      await page.unroute(urlOf(remote));
      const retry = panel.getByRole('button', { name: 'Retry' });
      // A file that hung may come by itself meanwhile, and the panel goes.
      await expect(async () => {
        if (await retry.isVisible()) await retry.click({ timeout: 5000 });
        await expect(title, remote).toHaveText(name, { timeout: 10_000 });
      }).toPass();
    }
    expect(await page.evaluate(() => 'stillHere' in window), 'no reload').toBe(true);
  });
}

test('a shared part that a page of the shell needs could not be fetched: Retry shows the page without a reload', async ({
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
});

test('offline on the way to another page: it says so, and the page opens by itself when the network is back', async ({
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
});

test('a page of HTML in place of one answer is the fault of one widget', async ({ page, watch }) => {
  watch.expectErrors(/./);
  await page.route('**/api/upstreams**', ways['answers HTML'] as (route: Route) => Promise<void>);
  await page.route('**/api/connectionInfo/**', (route) => route.fulfill({ json: { not: 'a list' } }));
  await asUser(page, 'demo');
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

test('the list of remotes fails: the page signed in to says so and stays, and finds its remotes when the list comes', async ({
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
});

test('a signed-in page contains its list: a list that fails later removes nothing', async ({ page, watch }) => {
  watch.expectErrors(/./);
  await asUser(page, 'demo');
  await page.route('**/api/remotes**', (route) => route.abort('connectionrefused'));
  await page.goto('/dashboard/');
  await expect(page.locator('main [data-ready~=figures]')).toBeVisible();
  await expect(page.getByRole('link', { name: /^Offline/ })).toBeVisible();
  for (const name of ['Dashboard', 'Payments', 'Workers', 'Referral Program'])
    await expect(navigation(page).getByRole('link', { name })).toBeVisible();
});
