/** An admin's decision about a day whose figures are not plausible, and accepted against credited. */
import { randomBytes } from 'node:crypto';
import { addDays, dayOf, startOfDay } from '../../../platform/days';
import { testApp, type Answer, type Person, type TestApp } from '../../testing/test-app';

const TODAY = dayOf(Date.now() / 1000);
const DAY = addDays(TODAY, -2);
/** The work of 60 PH/s in a day. */
const WORK = (6e16 * 86_400) / 2 ** 32;

describe('the day that waits', () => {
  let test: TestApp;
  let admin: Person;
  let miner: Person;
  type Closing = { waiting: { day: string; tag: string; findings: { name: string }[] } | null; upstreams: unknown[] };
  const closing = async (): Promise<Closing> => (await admin.call('/api/admin/closing')).body as Closing;
  const decide = (body: object, { who = admin, day = DAY }: { who?: Person; day?: string } = {}): Promise<Answer> =>
    who.post(`/api/admin/closing/${day}`, body);
  const sql = async (text: string): Promise<unknown[]> => (await test.database.pool.query(text)).rows;

  beforeAll(async () => {
    test = await testApp();
    admin = await test.person('boss', { role: 'admin' });
    miner = await test.person('miner');
    await test.work([{ account: 'miner', at: startOfDay(DAY), accepted: WORK, span: 3600 }]);
    await test.database.pool.query(
      `insert into upstream_day values ($1, 'SHA256_ASICBOOST', 'pool.example:3333 pool', 96, 100, 9, 10),
         ($2, 'SHA256_ASICBOOST', 'pool.example:3333 pool', 1, 1, 1, 1)`,
      [TODAY, addDays(TODAY, -31)],
    );
  });
  afterAll(() => test.close());

  it('is in the overview, the preview and the page, with what upstreams accepted in 31 days', async () => {
    expect((await admin.post('/api/calculatePayments/', {})).code).toBe('day_not_plausible');
    expect(await closing()).toEqual({
      waiting: {
        day: DAY,
        tag: expect.any(String),
        findings: [
          {
            kind: 'account',
            algorithm: 'SHA256_ASICBOOST',
            name: 'miner',
            hashrate: expect.closeTo(6e16, -8),
            usual: null,
            grossSat: 2_940_000,
            payable: true,
          },
        ],
      },
      upstreams: [
        {
          day: TODAY,
          algorithm: 'SHA256_ASICBOOST',
          upstream: 'pool.example:3333 pool',
          accepted: 96,
          credited: 100,
          acceptedShares: 9,
          creditedShares: 10,
          counted: null,
        },
      ],
    });
    expect((await admin.call('/api/admin/overview')).body).toMatchObject({
      tasks: expect.arrayContaining([{ task: 'day_waiting', count: 1 }]),
    });
    expect((await admin.call('/api/admin/calculation')).body).toMatchObject({ days: [], waiting: { day: DAY } });
    expect((await admin.call('/api/notifications')).body).toMatchObject({
      notifications: [{ kind: 'day_waiting', values: { day: DAY } }],
    });
    expect((await miner.call('/api/notifications')).body).toMatchObject({ notifications: [] });
  });

  it('asks for a recent sign-in, the tag of what was seen and a reason, and is decided by admins only', async () => {
    const { tag } = (await closing()).waiting ?? { tag: '' };
    const decision = { tag, reason: 'a new farm', withhold: [] };
    expect((await decide(decision, { who: miner })).status).toBe(403);
    expect((await decide({ ...decision, reason: '' })).status).toBe(400);
    expect((await decide({ ...decision, tag: randomBytes(16).toString('base64url') })).code).toBe('changed_meanwhile');
    expect((await decide(decision, { day: TODAY })).code).toBe('day_not_finished');
    const old = await test.oldSession('boss');
    expect((await decide(decision, { who: old })).code).toBe('reverification_required');
    expect(await sql('select 1 from earning')).toEqual([]);

    expect((await decide(decision)).body).toMatchObject({ days: 1, accounts: 1, grossSat: 2_940_000 });
    expect((await closing()).waiting).toBeNull();
    expect(
      await sql(
        "select subject, after->>'reason' as reason, after->'findings'->0->>'name' as name from audit where action = 'closing.confirm'",
      ),
    ).toEqual([{ subject: DAY, reason: 'a new farm', name: 'miner' }]);
    // A second click closes nothing twice.
    expect((await decide(decision)).body).toMatchObject({ days: 1, grossSat: 2_940_000 });
    expect(await sql('select gross_sat from earning')).toEqual([{ gross_sat: 2_940_000 }]);
  });
});
