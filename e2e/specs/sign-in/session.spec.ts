import type { Page } from '@playwright/test';
import { DEMO_PASSWORD } from '../../fixtures/shared-product';
import { asUser, expect, fillSignIn, follow, hold, newUser, signOut, submitSignUp, test } from '../../fixtures/test';

/** The frame of the product: landing and sign-in have a layout of their own. */
const frame = (page: Page) => page.locator('header[data-app-bar]');

test('a visitor with an invitation signs up from the landing page, signs out, and signs in again; another tab follows', async ({
  page,
  context,
}) => {
  const user = newUser('newcomer');
  await page.goto('/');
  await expect(frame(page)).toHaveCount(0);
  await expect(page).toHaveTitle(/Mining Pool/);
  await expect(page.getByRole('heading', { level: 1 })).toContainText('Point your hashrate.');
  await page.getByRole('link', { name: 'Create account' }).first().click();
  await page.waitForURL('**/sign-up**');
  await page.goto('/sign-up?ref=K7PQ4XW2MN');
  await expect(page.getByText('You have the invitation code K7PQ4XW2MN.')).toBeVisible();
  await expect(frame(page)).toHaveCount(0);
  const password = page.locator('input[name=password]');
  await expect(password).toHaveAttribute('autocomplete', 'new-password');
  await password.fill('password1234');
  await expect(page.getByText('Your password is not strong enough. Add more words').first()).toBeVisible();
  await password.fill(user.password);
  await expect(page.getByText('Long enough, and not a common one.').first()).toBeVisible();
  await submitSignUp(page, user);
  await page.waitForURL(/\/(dashboard|referral)\//);
  await expect(frame(page)).toBeVisible();
  await follow(page, '/dashboard/');
  await expect(page.getByRole('heading', { level: 1, name: 'Connect your first worker' })).toBeVisible();
  await expect(page.getByText(`Listening for ${user.userName}`)).toBeVisible();

  const other = await context.newPage();
  await other.goto('/account/');
  await expect(other.getByRole('heading', { level: 1, name: 'Account' })).toBeVisible();
  const button = (name: RegExp) => page.getByRole('banner').getByRole('button', { name });
  const choose = async (language: RegExp, item: string) => {
    await button(language).click();
    await page.getByRole('menuitemradio', { name: item, exact: true }).click();
  };
  await choose(/: EN$/, 'Français');
  await expect(other.getByRole('heading', { level: 1, name: 'Compte' })).toBeVisible();
  await choose(/: FR$/, 'English');
  await button(/^Theme:/).click();
  await expect(other.locator('html')).toHaveAttribute('data-mode', 'light');

  await signOut(page);
  await other.waitForURL('**/sign-in?redirect_url=%2Faccount%2F');
  await expect(other.locator('input[name=identifier]')).toBeVisible();
  // An answer from before the sign-out comes after it, and marks the browser as signed in.
  await context.addCookies([{ name: '__client_uat', value: '1700000000', url: page.url() }]);
  await page.goto('/');
  await expect(page.getByRole('heading', { level: 1 })).toContainText('Point your hashrate.');

  await fillSignIn(page, user.email, { password: user.password });
  await expect(page.getByRole('heading', { level: 1, name: 'Connect your first worker' })).toBeVisible();
  // A tab left at the form follows.
  await other.waitForURL('**/account/**');
});

test('nothing of a user is seen or kept in a tab after another has signed in there; its deep link is', async ({
  page,
  context,
  watch,
}) => {
  // The page of an ended session asks until it knows.
  watch.expectErrors(/status of 401 .*\/api\//);
  await page.goto('/referral/?x=1');
  await page.waitForURL('**/sign-in**');
  await fillSignIn(page, 'demo', { next: '**/referral/*x=1*' });
  const codeOfDemo = page.getByText('DEMOFARM');
  await expect(codeOfDemo.first()).toBeVisible();
  await page.evaluate(() => localStorage.setItem('user.recentCommands', '["page:/referral/"]'));

  const other = await context.newPage();
  await other.goto('/account/');
  await signOut(other);
  await page.waitForURL('**/sign-in?**');
  await expect(page).toHaveTitle('Sign in · Mining Pool');

  // What the first user saw would be shown until these answers have come.
  const answer = await hold(page, /\/api\/referral\//);
  await fillSignIn(page, 'admin', { next: '**/referral/**' });
  await expect(page.getByRole('heading', { level: 1, name: 'Referral Program' })).toBeVisible();
  await expect(page.getByRole('heading', { level: 2, name: 'Invite a miner' })).toBeVisible();
  await expect(codeOfDemo).toHaveCount(0);
  answer();
  await expect(page.getByRole('button', { name: 'Create my code' })).toBeVisible();
  await expect(codeOfDemo).toHaveCount(0);
  expect(await page.evaluate(() => localStorage.getItem('user.recentCommands'))).toBeNull();

  // A user of before sub-accounts has no switchers.
  await other.close();
  await page.goto('about:blank');
  await context.clearCookies();
  await asUser(page, 'legacy', '/workers/');
  await expect(page.getByRole('heading', { level: 1, name: 'Workers' })).toBeVisible();
  await expect(page.getByRole('banner')).toBeVisible();
  await expect(page.getByRole('button', { name: /^Account:/ })).toHaveCount(0);
  await expect(page.getByRole('radiogroup', { name: 'Algorithm' })).toHaveCount(0);
});

test('a wrong password is refused in the words of the page, with the focus in it, and the right one still works', async ({
  page,
  watch,
}) => {
  watch.expectErrors(/status of 4\d\d/);
  const name = page.locator('input[name=identifier]');
  const password = page.locator('input[name=password]');
  const next = page.getByRole('button', { name: 'Continue', exact: true });
  await page.goto('/sign-in');
  const choose = async (from: string, to: string) => {
    await page.getByRole('button', { name: new RegExp(`: ${from}$`) }).click();
    await page.getByRole('menuitemradio', { name: to }).click();
  };
  await choose('EN', 'Русский');
  await expect(page.getByRole('button', { name: 'Продолжить' })).toBeVisible();
  // The form is Russian or English: in an Arabic page it is from left to right.
  await choose('RU', 'العربية');
  await expect(page.locator('html')).toHaveAttribute('dir', 'rtl');
  const form = page.locator('[lang=en][dir=ltr]', { has: next });
  await expect(form).toBeVisible();
  await expect(form.getByRole('heading')).toHaveCSS('direction', 'ltr');
  await choose('AR', 'English');
  // A password manager fills in both: one step.
  await expect(name).toHaveAttribute('autocomplete', 'username');
  await expect(password).toHaveAttribute('autocomplete', 'current-password');
  await name.fill('demo');
  await password.fill('not-the-password-1', { force: true });
  await next.click();
  await expect(page.getByText('Name, e-mail address or password is incorrect. Try again.').first()).toBeVisible();
  await expect(page).toHaveURL(/\/sign-in$/);
  await expect(password).toBeFocused();
  // A person who types has a step for each.
  await page.reload();
  await name.fill('demo');
  await next.click();
  await page.waitForURL('**/factor-one');
  await password.fill('not-the-password-2');
  await next.click();
  await expect(page.getByText(/password is incorrect/i).first()).toBeVisible();
  await expect(password).toBeFocused();
  await password.fill(DEMO_PASSWORD);
  await next.click();
  await page.waitForURL('**/dashboard/**');
});

/** What only the hosted service says: code, field, its own words, those in the form if others. */
const HOSTED = [
  ['form_password_pwned', 'password', 'Found in a breach.', 'found as part of a breach'],
  ['captcha_invalid', '', 'Sign up unsuccessful due to failed security validations.'],
] as const;

test('messages of the sign-in service are shown in the form, with what was typed still in it', async ({
  page,
  watch,
}) => {
  watch.expectErrors(/status of 422/);
  await page.goto('/sign-up');
  const fields = { username: 'demo', emailAddress: 'demo@pool.localhost', password: newUser('x').password };
  const fill = async (changed: Partial<typeof fields>) => {
    for (const [name, value] of Object.entries({ ...fields, ...changed }))
      await page.locator(`input[name=${name}]`).fill(value);
    await page.getByRole('button', { name: 'Continue', exact: true }).click();
  };
  // The form has two places for a field's message, of which it shows one.
  const shown = (words: string) => page.getByText(words).filter({ visible: true }).first();
  const said = (words: string) => expect(shown(words)).toBeVisible();
  // The embedded service itself says what every field lacks, in the page, not in a bubble of the browser.
  await fill({ username: '', emailAddress: '', password: '' });
  await said('must contain 8 or more characters');
  for (const label of ['User name', 'E-mail address'])
    await expect(page.getByLabel(label)).toHaveAccessibleDescription(/Enter a value/);
  await expect(page.locator('input[name=username]')).toBeFocused();
  await fill({ emailAddress: `${newUser('mail').userName}@example.com` });
  await said('username is taken');
  // A stand-in answers as the hosted service does.
  for (const [code, param, own, words = own] of HOSTED) {
    await page.route('**/client/sign_ups?**', (route) =>
      route.fulfill({
        status: 422,
        json: { errors: [{ code, message: own, long_message: own, meta: param ? { param_name: param } : {} }] },
      }),
    );
    // The form judges a password a moment after it was typed: a busy browser shows that in the message's place.
    await expect(async () => {
      await fill({});
      await expect(shown(words)).toBeVisible({ timeout: 5000 });
    }).toPass();
    await page.unrouteAll();
  }
  await expect(page.locator('input[name=username]')).toHaveValue('demo');
});
