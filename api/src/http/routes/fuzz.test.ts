/**
 * Requests generated from the OpenAPI document, as every kind of caller: never a 5xx or a crash, memory does not grow.
 * FUZZ=1000000 for the full count, FUZZ_MINUTES for as many as fit.
 */
import fc from 'fast-check';
import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';
import { dayOf, startOfDay } from '../../platform/days';
import { ORIGIN, testApp, type TestApp } from '../testing/test-app';
import { requests, type Description, type FuzzRequest } from '../testing/fuzz';

const COUNT = Number(process.env.FUZZ ?? (process.env.HEAVY ? 1_000_000 : 300));
const LIMIT_MS = process.env.FUZZ_MINUTES ? Number(process.env.FUZZ_MINUTES) * 60_000 : undefined;
const AT_ONCE = 10;
const RENEW_MS = 25_000;
const MAX_GROWTH_MB = 48;
const PEOPLE = ['', 'owner', 'boss', 'stranger'] as const;

setFlagsFromString('--expose-gc');
const gc = runInNewContext('gc') as () => void;
const heapMb = (): number => {
  gc();
  gc();
  return process.memoryUsage().heapUsed / 2 ** 20;
};

let test: TestApp;
let tokens: string[] = [];
let renewedAt = 0;

/** Tokens live for a minute, and the fuzzer may have changed anybody's role. */
async function renew(): Promise<void> {
  if (Date.now() - renewedAt < RENEW_MS) return;
  await test.database.pool.query(
    "update app_user set disabled = false, role = case user_name when 'boss' then 'admin' else 'miner' end",
  );
  tokens = await Promise.all(PEOPLE.map(async (name) => (name ? (await test.signIn(name)).token : '')));
  renewedAt = Date.now();
}

async function send({ who, method, url, body, headers, address }: FuzzRequest) {
  const token = tokens[who];
  return test.app.inject({
    method: method as 'GET',
    url,
    remoteAddress: address,
    cookies: { 'XSRF-TOKEN': 'x' },
    ...(body === null ? {} : { payload: body }),
    headers: {
      host: 'pool.test:3000',
      ...(method === 'GET' ? {} : { origin: ORIGIN, 'x-xsrf-token': 'x' }),
      ...(body === null ? {} : { 'content-type': 'application/json' }),
      ...(token ? { authorization: `Bearer ${token}` } : {}),
      ...headers,
    },
  });
}

beforeAll(async () => {
  test = await testApp();
  await test.person('owner');
  await test.person('stranger');
  await test.person('boss', { role: 'admin' });
  const now = Date.now() / 1000;
  await test.work(
    ['owner', 'stranger'].flatMap((account) => [
      { account, at: now - 120, accepted: 1e6 },
      { account, at: startOfDay(dayOf(now)) - 3600, accepted: 1e12, span: 3600 },
    ]),
  );
});
afterAll(() => test.close());

it('a NUL, which the database cannot store, is a 400', async () => {
  const owner = await test.signIn('owner');
  expect(await owner.call('/api/audit?subject=a%00b')).toMatchObject({ status: 400, code: 'invalid_request' });
});

it(
  `${COUNT} requests`,
  async () => {
    const description = (await test.visitor.call('/api/docs/json')).body as Description;
    const answers = new Map<number, number>();
    let sent = 0;
    const started = Date.now();
    let half: number | null = null;
    await fc.assert(
      fc.asyncProperty(
        fc.array(requests(description, PEOPLE.length), { minLength: AT_ONCE, maxLength: AT_ONCE }),
        async (batch) => {
          await renew();
          const responses = await Promise.all(batch.map(send));
          sent += batch.length;
          responses.forEach((response, i) => {
            const { statusCode } = response;
            answers.set(statusCode, (answers.get(statusCode) ?? 0) + 1);
            if (statusCode >= 500) throw new Error(`${statusCode} ${response.body}\n${JSON.stringify(batch[i])}`);
            // Every refusal has the same form.
            if (statusCode >= 400 && batch[i]?.method !== 'HEAD')
              expect(response.headers['content-type']).toContain('application/problem+json');
          });
          if (half === null && (sent >= COUNT / 2 || (LIMIT_MS && Date.now() - started > LIMIT_MS / 2)))
            half = heapMb();
        },
      ),
      {
        numRuns: Math.ceil(COUNT / AT_ONCE),
        seed: process.env.SEED ? Number(process.env.SEED) : Date.now() & 0x7fffffff,
        endOnFailure: true,
        interruptAfterTimeLimit: LIMIT_MS,
      },
    );

    expect(heapMb() - (half ?? 0)).toBeLessThan(MAX_GROWTH_MB);
    // Not all of them were refused before the handler.
    for (const status of [200, 400, 401, 403, 404])
      expect([status, (answers.get(status) ?? 0) > sent / 1000]).toEqual([status, true]);
    if (process.env.FUZZ || process.env.HEAVY)
      process.stdout.write(
        `${sent} requests: ${[...answers]
          .sort()
          .map(([status, n]) => `${status} ${n}`)
          .join(', ')}; heap ${half ?? 0} MB half way, ${heapMb()} MB at the end\n`,
      );
    expect(
      await test.database.pool.query('select coalesce(sum(amount_sat), 0) as n from ledger').then(({ rows }) => rows),
    ).toEqual([{ n: 0 }]);
  },
  Math.max(240_000, COUNT * 10),
);
