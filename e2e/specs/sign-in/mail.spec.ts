/**
 * A pool that sends mail, through a real SMTP server: a sign-up with its code, a forgotten password, a lost factor,
 * an old account, a changed address that is put back, and a sign-in that was not the owner's.
 */
import type { Page } from '@playwright/test';
import { codeIn, startMailServer, type MailServer } from '../../../api/src/messages/mail/testing/smtp';
import { Authenticator } from '../../../api/src/identity/testing/authenticator';
import { startProduct, type Product } from '../../fixtures/product';
import { expect, newUser, seriousFindings, signUp, submitSignUp, test as base } from '../../fixtures/test';

const PUBLIC_URL = 'https://pool.test';
const sendingTo = ({ url }: MailServer) => ({ SMTP_URL: url, MAIL_FROM: 'Pool <mail@pool.test>' });
/** Clerk as clerk-js has it in the page. */
type Clerk = {
  user: { createTOTP(): Promise<{ secret: string }>; verifyTOTP(input: { code: string }): Promise<unknown> };
};

const test = base.extend<{ smtp: MailServer; product: Product }>({
  smtp: async ({}, use) => {
    const smtp = await startMailServer();
    await use(smtp);
    await smtp.close();
  },
  product: async ({ smtp }, use) => {
    const product = await startProduct({ ...sendingTo(smtp), PUBLIC_URL });
    await use(product);
    await product.dispose();
  },
});
const testWithoutMail = test.extend({
  product: async ({}, use) => {
    const product = await startProduct({ PUBLIC_URL });
    await use(product);
    await product.dispose();
  },
});

async function resetPassword(on: Page, url: string, email: string, password: string, smtp: MailServer) {
  await on.goto(`${url}/sign-in`);
  await on.locator('input[name=identifier]').fill(email);
  await on.getByRole('button', { name: 'Continue', exact: true }).click();
  await on.getByRole('link', { name: 'Forgot password?' }).click();
  await on.getByRole('button', { name: 'Reset your password' }).click();
  const code = codeIn(await smtp.mail(/reset code/));
  await expect(on.getByText('Reset password')).toBeVisible();
  expect(await seriousFindings(on)).toEqual([]);
  await on.keyboard.type(code);
  await on.getByLabel('New password', { exact: true }).fill(password);
  await on.getByLabel('Confirm password').fill(password);
  await on.getByRole('button', { name: 'Reset Password' }).click();
}

/** Opens the link of a mail as its reader does, who is signed in nowhere there, and presses the button. */
async function followLink(on: Page, url: string, { text }: { text: string }, title: string, button: string) {
  const [link = ''] = /\/account-link\?token=\S+/.exec(text) ?? [];
  await on.goto(`${url}${link}`);
  await expect(on.getByRole('heading', { name: title })).toBeVisible();
  expect(await seriousFindings(on)).toEqual([]);
  await on.getByRole('button', { name: button }).click();
}

test('an address is confirmed at the sign-up, and a forgotten password is replaced by mail', async ({
  page,
  product,
  smtp,
  watch,
}) => {
  // A wrong code, and a session that ends elsewhere.
  watch.expectErrors(/status of (401|422)/);
  const user = newUser('mail');
  await page.goto(`${product.url}/sign-up`);
  await submitSignUp(page, user);
  await expect(page.getByText('Verify your email')).toBeVisible();
  await page.keyboard.type(codeIn(await smtp.mail(/confirmation code/)));
  await page.waitForURL('**/dashboard/**');
  await page.goto(`${product.url}/account/`);
  await expect(page.getByText(user.email)).toBeVisible();
  await expect(page.getByText('Confirmed', { exact: true })).toBeVisible();

  const elsewhere = await (await page.context().browser()!.newContext()).newPage();
  const next = `${user.password}-renewed`;
  await resetPassword(elsewhere, product.url, user.email, next, smtp);
  await elsewhere.waitForURL('**/dashboard/**');
  expect((await smtp.mail(/was changed/)).to).toBe(user.email);
  // The first browser's session has ended.
  await page.reload();
  await page.waitForURL('**/sign-in**');

  // That browser is new to the account: it is told. Now the second step is lost there.
  expect((await smtp.mail(/New sign-in/)).text).toContain(`${PUBLIC_URL}/account-link?token=`);
  await elsewhere.waitForFunction(() => (window as unknown as { Clerk?: Partial<Clerk> }).Clerk?.user);
  const { secret } = await elsewhere.evaluate(async () => {
    const totp = await (window as unknown as { Clerk: Clerk }).Clerk.user.createTOTP();
    return { secret: totp.secret };
  });
  await elsewhere.evaluate(
    (code) => (window as unknown as { Clerk: Clerk }).Clerk.user.verifyTOTP({ code }),
    await new Authenticator(secret).next(),
  );
  await elsewhere.context().close();
  const lost = await (await page.context().browser()!.newContext()).newPage();
  await lost.goto(`${product.url}/sign-in`);
  await lost.locator('input[name=identifier]').fill(user.userName);
  await lost.getByRole('button', { name: 'Continue', exact: true }).click();
  await lost.locator('input[name=password]').fill(next);
  await lost.getByRole('button', { name: 'Continue', exact: true }).click();
  await lost.getByRole('link', { name: 'Lost your authenticator app and backup codes?' }).click();
  await lost.getByRole('button', { name: 'Send the code' }).click();
  await lost.getByLabel('Code').fill(codeIn(await smtp.mail(/recovery code/)));
  expect(await seriousFindings(lost)).toEqual([]);
  await lost.getByRole('button', { name: /in 72 hours/ }).click();
  await expect(lost.getByRole('heading', { name: 'The waiting time has started' })).toBeVisible();
  await lost.context().close();

  // Its owner, who is signed in nowhere, says by the link in the mail that it was somebody else.
  const [link = ''] = /\/account-link\?token=\S+/.exec((await smtp.mail(/will be removed/)).text) ?? [];
  await page.goto(`${product.url}${link}`);
  await page.getByRole('button', { name: /It wasn't me/ }).click();
  await expect(page.getByRole('heading', { name: 'The second step stays' })).toBeVisible();
});

testWithoutMail(
  'who signed up before the pool sent mail confirms the address, puts it back after a change, and shuts a thief out',
  async ({ page, browser, product, smtp, watch }) => {
    // Sessions that a link has ended, and a link that was used.
    watch.expectErrors(/status of 40[14]/);
    const user = newUser('old');
    await signUp(page, user, '/ready');
    await product.kill();
    await product.start(sendingTo(smtp));
    await page.goto('/account/');
    await page.getByRole('button', { name: 'Confirm', exact: true }).click();
    const dialog = page.getByRole('dialog');
    await dialog.getByLabel('Code from the mail').fill(codeIn(await smtp.mail(/confirmation code/)));
    await dialog.getByRole('button', { name: 'Confirm', exact: true }).click();
    await expect(page.getByText('Your e-mail address is confirmed')).toBeVisible();
    await expect(page.getByText('Confirmed', { exact: true })).toBeVisible();
    // This pool has no bot: what cannot be used is not offered.
    const tabs = page.getByRole('navigation', { name: 'Account pages' }).getByRole('link');
    await expect(tabs.filter({ hasText: 'Alerts' })).toBeVisible();
    await expect(tabs.filter({ hasText: 'Telegram' })).toHaveCount(0);

    // Somebody at this browser takes the account to an address of their own.
    const taken = `thief-${user.email}`;
    await page.goto('/account/');
    await page.getByRole('button', { name: 'Change', exact: true }).click();
    await page.getByRole('textbox', { name: 'New e-mail address' }).fill(taken);
    await page.getByRole('button', { name: 'Send code' }).click();
    await page.getByLabel('Code from the mail').fill(codeIn(await smtp.mail(/confirmation code/, 2)));
    await page.getByRole('dialog').getByRole('button', { name: 'Confirm', exact: true }).click();
    await expect(page.getByText(taken)).toBeVisible();

    // The owner, by the mail to the old address.
    const told = await smtp.mail(/e-mail address of .* was changed/);
    expect([told.to, told.text]).toEqual([user.email, expect.stringContaining(taken)]);
    const owner = await (await browser.newContext()).newPage();
    await followLink(owner, product.url, told, 'Restore your address?', 'Restore the address');
    await expect(owner.getByRole('heading', { name: 'Your address is restored' })).toBeVisible();
    await page.reload();
    await page.waitForURL('**/sign-in**');
    await resetPassword(owner, product.url, user.email, `${user.password}-renewed`, smtp);
    await owner.waitForURL('**/dashboard/**');
    await owner.goto(`${product.url}/account/security`);
    const hold = owner.getByRole('region', { name: 'Hold on upstream pool changes' });
    await expect(hold.getByRole('button', { name: 'Turn off' })).toBeVisible();

    // That browser was new to the account: had it been a stranger's, this would have shut it out.
    const link = await smtp.mail(/New sign-in/);
    await followLink(page, product.url, link, 'Was it not you?', "It wasn't me: protect the account");
    await expect(page.getByRole('heading', { name: 'The account is protected' })).toBeVisible();
    await owner.reload();
    await owner.waitForURL('**/sign-in**');
    // The link works once.
    await page.goto(`${product.url}${/\/account-link\?token=\S+/.exec(link.text)?.[0]}`);
    await expect(page.getByRole('heading', { name: 'This link is no longer valid' })).toBeVisible();
    await owner.context().close();
  },
);
