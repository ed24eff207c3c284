import { testApp, type TestApp } from '../../testing/test-app';

describe('POST /requestBonus', () => {
  let test: TestApp;
  let passed = 0;
  beforeAll(async () => {
    test = await testApp({
      now: () => Date.UTC(2030, 0, 1, 12) / 1000 + passed,
      env: { TRUSTED_PROXIES: '127.0.0.1', SIGN_UP_URL: '/join' },
    });
  });
  beforeEach(async () => {
    passed = 0;
    await test.database.pool.query('truncate bonus_request');
  });
  afterAll(() => test.close());

  const ask = async (email: string, from = '203.0.113.1'): Promise<[number, string]> => {
    const { status, text } = await test.visitor.call(`/api/requestBonus?email=${encodeURIComponent(email)}`, {
      method: 'POST',
      // Some clients always name the type, also without a body.
      headers: { 'x-forwarded-for': from, 'content-type': 'application/json' },
    });
    return [status, text];
  };
  const kept = async (): Promise<string[]> =>
    (
      await test.database.pool.query<{ email: string; source: string }>(
        'select email, source from bonus_request order by id',
      )
    ).rows.map(({ email, source }) => `${email} ${source}`);

  it('row 20: a second request of the day is 202 without effect, by address and by source', async () => {
    const answers = [
      await ask('anna@example.com'),
      await ask('ANNA@example.com', '203.0.113.2'),
      await ask('boris@example.com'),
      await ask('carla@example.com', '203.0.113.3'),
    ];
    expect(new Set(answers.map((answer) => answer.join()))).toEqual(new Set(['202,{"accepted":true}']));
    expect(await kept()).toEqual(['anna@example.com 203.0.113.1', 'carla@example.com 203.0.113.3']);
    passed = 86_400;
    await ask('anna@example.com');
    expect(await kept()).toHaveLength(3);
  });

  it('row 20: of fifty concurrent requests one counts', async () => {
    const answers = await Promise.all(Array.from({ length: 25 }, (_, i) => ask('anna@example.com', `203.0.113.${i}`)));
    expect(answers.every(([status]) => status === 202)).toBe(true);
    expect(await kept()).toHaveLength(1);
  });

  it.each(['nobody', 'a@example.com,b@example.com'])('refuses %j', async (email) => {
    expect((await ask(email))[0]).toBe(400);
    expect(await kept()).toEqual([]);
  });

  it('POST /referral/code: the link leads to the sign-up that the operator set', async () => {
    const { body } = await (await test.person('anna')).post('/api/referral/code');
    const { code, link } = body as { code: string; link: string };
    expect(link).toMatch(new RegExp(`/join\\?ref=${code}$`));
  });
});
