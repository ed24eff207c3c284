/**
 * Half a hall stops at night: told by mail, push and webhook, once, looked after on a phone, and back: through a real
 * SMTP server, and a push service that is a local server here, because a browser's is on the internet. What is sent
 * there is read with the browser's keys and given to the real service worker.
 */
import { createPublicKey, verify } from 'node:crypto';
import { rm } from 'node:fs/promises';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import path from 'node:path';
import type { BrowserContext, Page } from '@playwright/test';
import { codeIn, startMailServer, type MailServer } from '../../../api/src/messages/mail/testing/smtp';
import { pushBrowser } from '../../../api/src/messages/push/testing/browser';
import { startMiner } from '../../../api/src/testing/miner';
import events from '../../../shared/locales/events.ar.json';
import account from '../../../shell/locales/account.fr.json';
import firstRun from '../../../mfe-dashboard/locales/dashboard-first-run.fr.json';
import { wholeBrowser } from '../../../scripts/browser.cjs';
import { lend, startProduct, type Product } from '../../fixtures/product';
import { Records } from '../../fixtures/records';
import { startUpstream } from '../../fixtures/upstream';
import { expect, follow, newUser, submitSignUp, test as base, typeCode } from '../../fixtures/test';

type Call = { path: string; body: Buffer; headers: Record<string, unknown> };
type Receivers = { url: string; calls: Call[]; close(): void };
type Pushed = { text: string; path: string; tag: string };

async function startReceivers(): Promise<Receivers> {
  const server = createServer((request, response) => {
    const parts: Buffer[] = [];
    request.on('data', (part: Buffer) => parts.push(part));
    request.on('end', () => {
      receivers.calls.push({ path: request.url ?? '', body: Buffer.concat(parts), headers: request.headers });
      response.writeHead(201).end();
    });
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  const receivers: Receivers = { url, calls: [], close: () => void server.close() };
  return receivers;
}

const test = base.extend<{ smtp: MailServer; receivers: Receivers; upstream: { url: string }; product: Product }>({
  smtp: async ({}, use) => {
    const smtp = await startMailServer();
    await use(smtp);
    await smtp.close();
  },
  receivers: async ({}, use) => {
    const receivers = await startReceivers();
    await use(receivers);
    receivers.close();
  },
  upstream: async ({}, use) => {
    const upstream = await startUpstream(1e-7);
    await use(upstream);
    upstream.close();
  },
  product: ({ smtp, upstream }, use) => {
    const mail = { SMTP_URL: smtp.url, MAIL_FROM: 'Pool <mail@pool.test>' };
    return lend(startProduct({ ...mail, UPSTREAM_SHA256: upstream.url, UPSTREAM_ALLOW: '127.0.0.1' }), use);
  },
});
test.use({
  serviceWorkers: 'allow',
  // The forms of the sign-up are English then, the pages French.
  locale: 'fr-FR',
  launchOptions: { executablePath: wholeBrowser(), args: ['--no-sandbox', '--disable-gpu'] },
});

/** Endpoint and keys in place of the browser's push service. All else is the browser's. */
const subscribeAt = (context: BrowserContext, endpoint: string, keys: { p256dh: string; auth: string }) =>
  context.addInitScript(
    (own) => {
      const subscription = () =>
        localStorage.getItem('push key') === null
          ? null
          : {
              endpoint: own.endpoint,
              toJSON: () => own,
              unsubscribe: async () => {
                localStorage.removeItem('push key');
                return true;
              },
            };
      Object.assign(PushManager.prototype, {
        getSubscription: async () => subscription(),
        subscribe: async ({ applicationServerKey }: { applicationServerKey: string }) => {
          localStorage.setItem('push key', applicationServerKey);
          return subscription();
        },
      });
    },
    { endpoint, keys },
  );

/** Gives a message to the service worker of the page, as the browser does when its push service has one. */
async function deliver(page: Page, data: string) {
  const cdp = await page.context().newCDPSession(page);
  const registered = new Promise<string>((resolve) => {
    cdp.on('ServiceWorker.workerRegistrationUpdated', ({ registrations }) => {
      const [first] = registrations;
      if (first) resolve(first.registrationId);
    });
  });
  await cdp.send('ServiceWorker.enable');
  const origin = new URL(page.url()).origin;
  await cdp.send('ServiceWorker.deliverPushMessage', { origin, registrationId: await registered, data });
  await cdp.detach();
}

const shown = (page: Page) =>
  page.evaluate(async () => {
    const registration = await navigator.serviceWorker.ready;
    return (await registration.getNotifications()).map(({ title, body, tag, data }) => ({
      title,
      body,
      tag,
      path: String(data),
    }));
  });

/** The page that a click on the shown notification opens. A window is opened after a person's click only. */
async function clicked(context: BrowserContext): Promise<string> {
  const [worker] = context.serviceWorkers();
  if (!worker) throw new Error('no service worker');
  return worker.evaluate(async () => {
    const { registration, clients } = self as unknown as {
      registration: ServiceWorkerRegistration;
      clients: { openWindow(path: string): Promise<null> };
    };
    const [notification] = await registration.getNotifications();
    const click = Object.assign(new Event('notificationclick'), { notification, waitUntil: () => undefined });
    return new Promise<string>((resolve) => {
      clients.openWindow = async (path) => {
        resolve(path);
        return null;
      };
      self.dispatchEvent(click);
    });
  });
}

/** RFC 8292: who sends it says so with the key that the browser was given. */
function signer({ headers }: Call): { key: string; audience: string } {
  const [, jwt = '', key = ''] = /^vapid t=([^,]+), k=(.+)$/.exec(String(headers.authorization)) ?? [];
  const [head = '', claims = '', signature = ''] = jwt.split('.');
  const point = Buffer.from(key, 'base64url');
  const [x, y] = [point.subarray(1, 33), point.subarray(33)].map((part) => part.toString('base64url'));
  const publicKey = createPublicKey({ key: { kty: 'EC', crv: 'P-256', x, y }, format: 'jwk' });
  const signed = Buffer.from(`${head}.${claims}`);
  if (!verify('sha256', signed, { key: publicKey, dsaEncoding: 'ieee-p1363' }, Buffer.from(signature, 'base64url')))
    throw new Error('not signed with its key');
  return { key, audience: (JSON.parse(Buffer.from(claims, 'base64url').toString()) as { aud: string }).aud };
}

/** The server is ended, some of the records are changed, and it goes on as if it had looked half a minute ago. */
async function between(product: Product, ...changes: string[]) {
  await product.kill();
  // Nor are shares counted later that were not when it was killed.
  await rm(path.join(product.dataDir, 'journal'), { recursive: true, force: true });
  const records = await Records.open(product);
  for (const change of changes) await records.rows(change);
  // The least between two looks: a slow start is no absence. Miners seem to have mined for an hour.
  await records.rows(
    `update setting
     set value = value || jsonb_build_object(
       'up', jsonb_build_object('SHA256_ASICBOOST', extract(epoch from now()) - 3600),
       'outages', '{}'::jsonb,
       'ranAt', extract(epoch from now()) - 31
     )
     where name = 'alerts.state'`,
  );
  await records.close();
  // What the pool is to mine at is not there, and no fault of its own is to be found.
  await product.start({ UPSTREAM_SHA256: '' });
}

/** Fifty-nine machines that are as the one that mined, the first twenty in Hall D. */
const FARM = [
  "insert into worker_group (sub_account_id, name) select sub_account_id, 'Hall ' || hall from worker, unnest('{D,E,F}'::text[]) hall",
  `insert into worker (sub_account_id, algorithm, name) select sub_account_id, algorithm, 'rig-' || to_char(n, 'FM00')
   from worker, generate_series(2, 60) n`,
  `update worker w set standing = 'owned', group_id = g.id from worker_group g
   where g.name = 'Hall ' || (array['D', 'E', 'F'])[(right(w.name, 2)::int + 19) / 20]`,
  `insert into worker_live select w.id, l.last_share_at, l.connected_at, l.disconnected_at, l.difficulty, l.software,
     l.remote, l.mining_since, l.sub_account_id from worker w, worker_live l where w.id <> l.worker_id`,
  `insert into share_1h select w.id, s.at, s.accepted * 1e12, 0, 0, s.shares, s.sub_account_id from worker w, share_1h s
   where w.id <> s.worker_id`,
];
const HALF = "(select id from worker where name <= 'rig-10')";

test('half a hall that stops is told by mail, push and webhook, once; somebody looks after it on a phone; it is back', async ({
  page,
  browser: browsers,
  context,
  product,
  smtp,
  receivers,
  watch,
}) => {
  // A restart cuts what the page asks.
  watch.expectErrors(/ERR_|Failed to load resource|Failed to fetch|network error/);
  const browser = pushBrowser();
  await subscribeAt(context, `${receivers.url}/push`, { p256dh: browser.p256dh, auth: browser.auth });
  const user = newUser('stopped');
  const words = /^Hall D\s: 10 sur 20 hors ligne depuis .+ environ [1-9].* sats par heure$/;
  const pushes = () => receivers.calls.filter((call) => call.path === '/push');
  const hooked = () =>
    receivers.calls
      .filter((call) => call.path === '/hook')
      .map(({ body }) => (JSON.parse(body.toString()) as { type: string }).type);

  await test.step('a newcomer asks for it with one click, and takes it back', async () => {
    await page.goto('/sign-up');
    await submitSignUp(page, user);
    await expect(page.getByText('Verify your email')).toBeVisible();
    await typeCode(page, codeIn(await smtp.mail(/confirm/)));
    await page.waitForURL('**/dashboard/**');
    await page.evaluate(() => navigator.serviceWorker.ready.then(() => undefined));
    // A user who does not allow notifications has mail.
    const cdp = await context.newCDPSession(page);
    await cdp.send('Browser.setPermission', { permission: { name: 'notifications' }, setting: 'denied' });
    await page.reload();
    await page.getByRole('button', { name: firstRun['dashboard.firstRun.tell'] }).click();
    await expect(page.getByText(/sur cette page et par e-mail\.$/)).toBeVisible();
    await page.getByRole('button', { name: firstRun['dashboard.firstRun.tellUndo'] }).click();
    await expect(page.getByRole('button', { name: firstRun['dashboard.firstRun.tell'] })).toBeVisible();

    await page.goto('/account/alerts');
    await expect(page.getByText(account['account.push.denied'])).toBeVisible();
    await context.grantPermissions(['notifications']);
    await page.goto('/dashboard/');
    await page.getByRole('button', { name: firstRun['dashboard.firstRun.tell'] }).click();
    await expect(page.getByText(/par e-mail et dans ce navigateur quand la page est fermée\.$/)).toBeVisible();
  });

  await test.step('a webhook is to hear of it too', async () => {
    await follow(page, '/account/api-keys');
    await page.getByRole('button', { name: account['account.webhook.new'] }).click();
    await page.getByLabel(account['account.webhook.url'], { exact: true }).fill(`${receivers.url}/hook`);
    await page.getByRole('button', { name: account['account.webhook.make'] }).click();
    await page.getByRole('button', { name: account['account.webhook.done'] }).click();
  });

  await test.step('its machines mine, and half of a hall stops ten minutes ago', async () => {
    await follow(page, '/workers/');
    const miner = startMiner(product.stratum.sha256, `${user.userName}.rig-01`);
    await expect(page.locator('a[data-worker]', { hasText: 'rig-01' }).first())
      .toBeVisible()
      .finally(() => miner.stop());
    await page.goto('about:blank');
    await between(
      product,
      ...FARM,
      `update worker_live set last_share_at = now() - interval '14 minutes' where worker_id in ${HALF}`,
      `update worker_live set last_share_at = now() + interval '5 minutes' where worker_id not in ${HALF}`,
    );
    await expect.poll(() => [pushes().length, hooked()]).toEqual([1, ['workers_offline']]);
    expect((await smtp.mail(/hors ligne/)).to).toBe(user.email);
  });

  await test.step('the service worker shows it in the language of the page, and a click leads to the machines', async () => {
    const [call] = pushes();
    if (!call) throw new Error('nothing pushed');
    await page.goto('/dashboard/');
    const given = await page.evaluate(() => localStorage.getItem('push key'));
    expect(signer(call)).toEqual({ key: given, audience: receivers.url });
    expect(call.body.toString('latin1')).not.toContain('rig-01');
    const message = browser.read(call.body) as Pushed;
    // Twice, as a push service may have it: it is shown once.
    for (let n = 0; n < 2; n += 1) await deliver(page, JSON.stringify(message));
    await expect
      .poll(() => shown(page))
      .toEqual([{ title: expect.stringMatching(words), body: '', tag: message.tag, path: message.path }]);
    const opened = await clicked(context);
    expect(opened).toBe(message.path);
    await expect.poll(() => shown(page)).toEqual([]);
    await page.goto(opened);
    await expect(page.locator('a[data-worker]')).toHaveCount(10);
  });

  const phone = await browsers.newContext({
    ...{ locale: 'ar', viewport: { width: 390, height: 844 }, hasTouch: true },
    storageState: { ...(await context.storageState()), origins: [] },
  });
  const hand = await phone.newPage();
  const broken = hand.getByRole('list', { name: events['events.title'] });
  await test.step('on a phone in Arabic one tap leads to them, and two say who looks after it', async () => {
    await hand.goto('/dashboard/');
    await broken.getByRole('link', { name: /Hall D.*: 10 من 20 خارج الخدمة منذ/ }).tap();
    await expect(hand.locator('a[data-worker]')).toHaveCount(10);
    await expect(hand.locator('a[data-worker]').first()).toHaveText(/rig-\d\d/);
    await hand.getByRole('button', { name: events['events.lookAfter'] }).tap();
    await hand.getByRole('menuitem', { name: events['events.untilOver'] }).tap();
    await expect(hand.getByText(new RegExp(events['events.whole'].replace('{{name}}', '.*stopped.*')))).toBeVisible();
    await hand.goto('about:blank');
  });

  await test.step('they are back: it closes by itself, with one more message', async () => {
    await page.goto('about:blank');
    await between(
      product,
      'update worker_live set last_share_at = now()',
      "update worker_alert set clear_since = now() - interval '5 minutes'",
    );
    await expect.poll(() => [pushes().length, hooked()]).toEqual([2, ['workers_offline', 'workers_recovered']]);
    await hand.goto('/dashboard/');
    await expect(broken.getByRole('link', { name: /Hall D.*عاد 10 من 20 في/ })).toBeVisible();
    await expect(hand.getByRole('button', { name: events['events.lookAfter'] })).toHaveCount(0);
    await phone.close();
  });
});
