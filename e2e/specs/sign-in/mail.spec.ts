/** A pool that sends mail, through a real SMTP server: a sign-up with its code, a forgotten password, a lost factor. */
import type { Page } from '@playwright/test';
import { codeIn, startMailServer, type MailServer } from '../../../api/src/messages/mail/testing/smtp';
import { lend, startProduct, type Product } from '../../fixtures/product';
import { turnOnSecondStep } from '../../fixtures/second-step';
import { expect, newUser, seriousFindings, submitSignUp, test as base, typeCode } from '../../fixtures/test';

const PUBLIC_URL = 'https://pool.test';
const sendingTo = ({ url }: MailServer) => ({ SMTP_URL: url, MAIL_FROM: 'Pool <mail@pool.test>' });

const test = base.extend<{ smtp: MailServer; product: Product }>({
  smtp: async ({}, use) => {
    const smtp = await startMailServer();
    await use(smtp);
    await smtp.close();
  },
  product: ({ smtp }, use) => lend(startProduct({ ...sendingTo(smtp), PUBLIC_URL }), use),
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
  // The code has a space, which apps show in it, and the digits of an Arabic keyboard.
  const digits = code.replaceAll(/\d/g, (digit) => String.fromCharCode(0x660 + Number(digit)));
  await typeCode(on, `${digits.slice(0, 3)} ${digits.slice(3)}`);
  await on.getByLabel('New password', { exact: true }).fill(password);
  await on.getByLabel('Confirm password').fill(password);
  await on.getByRole('button', { name: 'Reset Password' }).click();
}

test('an address is confirmed at the sign-up, a forgotten password is replaced by mail, and a lost second step is asked for', async ({
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
  await typeCode(page, codeIn(await smtp.mail(/confirmation code/)));
  await page.waitForURL('**/dashboard/**');
  await page.goto(`${product.url}/account/`);
  await expect(page.getByText(user.email)).toBeVisible();
  await expect(page.getByText('Confirmed', { exact: true })).toBeVisible();
  // This pool has no bot.
  await expect(page.getByRole('link', { name: 'Telegram' })).toHaveCount(0);

  const elsewhere = await (await page.context().browser()!.newContext()).newPage();
  const next = `${user.password}-renewed`;
  await resetPassword(elsewhere, product.url, user.email, next, smtp);
  await elsewhere.waitForURL('**/dashboard/**');
  expect((await smtp.mail(/was changed/)).to).toBe(user.email);
  // The first browser's session has ended: its page goes to the sign-in by itself.
  await page.waitForURL('**/sign-in**');

  // That browser is new to the account: it is told. Now the second step is lost there.
  expect((await smtp.mail(/New sign-in/)).text).toContain(`${PUBLIC_URL}/account-link?token=`);
  await turnOnSecondStep(elsewhere);
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
