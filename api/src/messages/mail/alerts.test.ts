/** Alerts by mail through a real SMTP server: what was chosen, in one mail, not at night. */
import { randomBytes } from 'node:crypto';
import pino from 'pino';
import { alertSettingOf, endMails, mailStopped, setAlerts } from '../../accounts/alert-setting';
import { writeNotes, type Note } from '../notifications';
import { Bus } from '../../platform/bus';
import { emptyTables, databaseOfFile } from '../../platform/db/testing/test-database';
import { isQuiet } from '../outbox/pending';
import { unsubscribeRoutes } from '../../http/routes/unsubscribe';
import { createServer } from '../../http/server/server';
import { createLog } from '../../platform/log';
import { Sender } from '../outbox/sender';
import { Secrets } from '../../platform/secrets';
import { mailAlerts } from './alerts';
import { mailDelivery } from './delivery';
import { startMailServer, type MailServer } from './testing/smtp';

const SECRETS = new Secrets([randomBytes(32)]);

it.each([
  [22 * 60, 7 * 60, 'UTC', '2026-11-25T22:00:00Z', true],
  [22 * 60, 7 * 60, 'UTC', '2026-11-26T06:59:00Z', true],
  [22 * 60, 7 * 60, 'UTC', '2026-11-26T07:00:00Z', false],
  [22 * 60, 7 * 60, 'Asia/Kolkata', '2026-11-25T16:29:00Z', false],
  [600, 660, 'UTC', '2026-11-25T11:00:00Z', false],
])('quiet from %i to %i in %s at %s: %s', (quietFrom, quietTo, timeZone, at, quiet) => {
  expect(isQuiet({ quietFrom, quietTo, timeZone }, Date.parse(at) / 1000)).toBe(quiet);
});

describe('alerts by mail', () => {
  const database = databaseOfFile();
  let smtp: MailServer;
  let mails: Sender;
  let close: () => void;
  let userId: number;
  let now: number;

  beforeEach(async () => {
    await emptyTables(database);
    smtp = await startMailServer();
    now = Date.parse('2026-11-25T20:00:00Z') / 1000;
    const { pool } = database;
    await pool.query(
      `insert into identity_user (id, user_name, email, email_verified_at, language, password_hash)
       values ('u1', 'anna', 'anna@example.com', now(), 'fr', 'x')`,
    );
    const { rows } = await pool.query<{ id: number }>(
      "insert into app_user (identity_id, user_name) values ('u1', 'anna') returning id",
    );
    userId = rows[0]?.id ?? 0;
    const delivery = mailDelivery(pool, {
      url: smtp.url,
      from: 'Pool <mail@pool.example>',
      secrets: SECRETS,
      links: { poolUrl: 'https://pool.example', secrets: SECRETS },
    });
    close = () => delivery.close();
    mails = new Sender({ pool, bus: new Bus(), log: pino({ level: 'silent' }), now: () => now, delivery });
  });
  afterEach(async () => {
    close();
    await smtp.close();
  });

  const choose = (quiet: [number, number] | [null, null] = [null, null]): Promise<unknown> =>
    database.pool.query(
      "insert into alert_setting (user_id, mail_events, quiet_from, quiet_to) values ($1, '{offline}', $2, $3)",
      [userId, ...quiet],
    );
  const offline = (worker: string): Omit<Note, 'userId'> => ({
    kind: 'worker_offline',
    values: { account: 'anna', worker },
  });
  const tell = (...notes: Omit<Note, 'userId'>[]): Promise<unknown> =>
    writeNotes(
      database.pool,
      notes.map((note) => ({ userId, ...note })),
      now,
    );
  const sent = async (): Promise<string[]> => {
    await mailAlerts(database.pool, now);
    while (await mails.round());
    return smtp.received.map(({ text }) => text);
  };

  it('only what was chosen, in the language of the address, with a link to the pool; by itself nobody is mailed', async () => {
    await tell(offline('rig0'));
    expect(await sent()).toEqual([]);
    await choose();
    await tell(offline('rig1'), { kind: 'payment_sent', values: { account: 'anna', amount: '0.5' } });
    expect(await sent()).toHaveLength(1);
    expect(smtp.received[0]).toMatchObject({
      to: 'anna@example.com',
      subject: expect.stringMatching(/rig1.*anna/) as string,
      text: expect.stringContaining('https://pool.example') as string,
    });
    expect(await sent()).toHaveLength(1);
  });

  it('one click asks for those of machines that stop, at a confirmed address only', async () => {
    const { pool } = database;
    const actor = { actorId: userId, ip: null };
    await setAlerts(pool, actor, () => ({ mailEvents: ['payment', 'offline'], quiet: null }));
    for (let click = 0; click < 2; click += 1) await mailStopped(pool, actor);
    const mailEvents = ['payment', 'offline', 'recovered'];
    expect(await alertSettingOf(pool, userId)).toEqual({ mailEvents, quiet: null });
    await pool.query('update identity_user set email_verified_at = null');
    await setAlerts(pool, actor, () => ({ mailEvents: [], quiet: null }));
    expect(await mailStopped(pool, actor)).toEqual({ mailEvents: [], quiet: null });
  });

  it('what comes within ten minutes of a mail is the next one', async () => {
    await choose();
    await tell(offline('rig1'));
    await sent();
    now += 60;
    await tell(offline('rig2'));
    expect(await sent()).toHaveLength(1);
    now += 60;
    await tell(offline('rig3'));
    expect(await sent()).toHaveLength(1);
    now += 500;
    const [, second] = await sent();
    expect(second).toMatch(/rig2[^]*rig3/);
    expect(smtp.received[1]?.subject).toBe('Alertes : 2');
  });

  it('in quiet hours an event is told that is as large as its reader says, in one sentence', async () => {
    const unless = { workers: null, percent: null, hashrate: 4e16 };
    const quiet = { from: 19 * 60, to: 21 * 60, timeZone: 'UTC', unless };
    await setAlerts(database.pool, { actorId: userId, ip: null }, () => ({ mailEvents: ['offline'], quiet }));
    expect(await alertSettingOf(database.pool, userId)).toMatchObject({ quiet });
    const event = (off: number, hs: number): Omit<Note, 'userId'> => ({
      kind: 'workers_offline',
      values: {
        ...{
          context: 'cost',
          event: 1,
          account: 'anna',
          by: 'address',
          place: '10.0.0.1',
          off,
          total: 400,
          percent: 20,
          hs,
        },
        ...{ since: '2026-11-25T19:50:30.000Z', hashrate: '41.00 PH/s', sats: 24_000 },
      },
    });
    await tell(event(399, 3.9e16));
    expect(await sent()).toEqual([]);
    await tell(event(400, 4.1e16));
    const [text] = await sent();
    expect(text?.replace(/\s/g, ' ')).toContain(
      'Adresse 10.0.0.1 : 400 sur 400 hors ligne depuis 2026-11-25 19:50 UTC, −41.00 PH/s, environ 24 000 sats par heure',
    );
    expect(text).not.toContain('399');
  });

  it('in quiet hours alerts wait, a changed address does not', async () => {
    await choose([20 * 60, 21 * 60]);
    await tell(offline('rig1'), offline('rig2'), {
      kind: 'wallet_set',
      values: { account: 'anna', newAddress: 'bc1' },
    });
    expect(await sent()).toEqual([expect.stringContaining('bc1')]);
    now += 3600;
    expect((await sent())[1]).toMatch(/rig1[^]*rig2/);
  });

  it('one click in a mail program ends its kinds, following the link only asks; warnings have no link', async () => {
    await database.pool.query("insert into alert_setting (user_id, mail_events) values ($1, '{offline,payment}')", [
      userId,
    ]);
    await tell(offline('rig1'), { kind: 'wallet_set', values: { account: 'anna', newAddress: 'bc1' } });
    await sent();
    const [warning, alert] = smtp.received;
    expect(warning?.text).toContain('bc1');
    expect(warning?.headers).not.toHaveProperty('list-unsubscribe');
    expect(alert?.headers['list-unsubscribe-post']).toBe('List-Unsubscribe=One-Click');
    const link = /^<https:\/\/pool\.example(\/unsubscribe\?t=\S+)>$/.exec(
      alert?.headers['list-unsubscribe'] ?? '',
    )?.[1];
    expect(alert?.text).toContain(`https://pool.example${link}`);
    const options = {
      log: createLog('silent'),
      rate: { perMinute: 100 },
      trustedProxies: [],
      hstsSeconds: 0,
      overloadMs: 0,
    };
    const app = await createServer(options);
    let clock = Date.now() / 1000;
    await unsubscribeRoutes(app, { pool: database.pool, secrets: SECRETS, now: () => clock });
    const call = async (method: 'GET' | 'POST', url = link ?? ''): Promise<[number, string]> => {
      const payload = method === 'POST' ? { payload: 'List-Unsubscribe=One-Click' } : {};
      const headers = { 'content-type': 'application/x-www-form-urlencoded', 'accept-language': 'fr' };
      const { statusCode, body } = await app.inject({ method, url, headers, ...payload });
      return [statusCode, body];
    };
    const chosen = async (): Promise<unknown> =>
      (await database.pool.query<{ mail_events: string[] }>('select mail_events from alert_setting')).rows[0]
        ?.mail_events;
    expect(await call('GET')).toEqual([200, expect.stringMatching(/Workers hors ligne \?.*<form method="post">/)]);
    expect(await chosen()).toEqual(['offline', 'payment']);
    expect(await call('POST')).toEqual([200, expect.stringContaining('Vous êtes désabonné')]);
    expect(await chosen()).toEqual(['payment']);
    expect((await call('POST'))[0]).toBe(200);
    const { rows } = await database.pool.query("select user_id from audit where action = 'alerts.change'");
    expect(rows).toEqual([{ user_id: userId }]);
    for (const url of [`${link?.slice(0, -2)}xx`, '/unsubscribe', '/unsubscribe?t=0:x'])
      expect((await call('POST', url))[0]).toBe(400);
    clock += 61 * 86_400;
    expect((await call('POST'))[0]).toBe(400);
    await app.close();
  });

  it('the links of two mails that are followed at once end the kinds of both', async () => {
    const actor = { actorId: userId, ip: null };
    await setAlerts(database.pool, actor, () => ({ mailEvents: ['offline', 'payment'], quiet: null }));
    const end = (event: 'offline' | 'payment') => endMails(database.pool, actor, [event]);
    await Promise.all([end('offline'), end('payment')]);
    expect((await alertSettingOf(database.pool, userId)).mailEvents).toEqual([]);
  });

  it('many alerts at once are one mail that counts them', async () => {
    await choose();
    await tell(...Array.from({ length: 100 }, (_, i) => offline(`rig${i}`)));
    expect(await sent()).toEqual([expect.stringContaining('Alertes : 100\n\nWorkers hors ligne: 100')]);
    expect(smtp.received[0]?.subject).toBe('Alertes : 100');
  });
});
