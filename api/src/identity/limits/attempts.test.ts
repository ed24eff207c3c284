import { databaseOfFile } from '../../platform/db/testing/test-database';
import { eventually } from '../../testing/eventually';
import { IdentityError } from '../errors';
import { APP_CODE_LIMITS, Attempts, PASSWORD_LIMITS } from './attempts';
import { SharedRateLimit } from '../../platform/limits/shared-rate-limit';

const database = databaseOfFile();
beforeEach(() => database.pool.query('delete from attempt'));

const wrong = async (): Promise<boolean> => false;
const right = async (): Promise<boolean> => true;
const setUp = (limits = PASSWORD_LIMITS) => {
  const pauses: number[] = [];
  const attempts = new Attempts(database.pool, limits, async (ms) => void pauses.push(ms));
  const guess = (address: string, verify = wrong, known?: string, account = 'owner'): Promise<boolean | 'refused'> =>
    attempts.check(account, { address, known }, verify).catch((error: unknown) => {
      if (error instanceof IdentityError && error.status === 429) return 'refused' as const;
      throw error;
    });
  return { pauses, attempts, guess };
};

test('guesses from one place are refused there, and the owner elsewhere is not affected', async () => {
  const { guess, pauses } = setUp();
  for (let i = 0; i < 10; i += 1) expect(await guess('10.0.0.1')).toBe(false);
  expect(await guess('10.0.0.1', right)).toBe('refused');
  expect(await guess('10.0.0.2', right)).toBe(true);
  expect(pauses.every((ms) => ms <= 50)).toBe(true);
});

test('one address tries thirty times at all accounts together; elsewhere each of them is open', async () => {
  const { guess } = setUp();
  for (let i = 0; i < 30; i += 1) expect(await guess('10.0.0.1', wrong, undefined, `account ${i}`)).toBe(false);
  expect(await guess('10.0.0.1', right, undefined, 'account 30')).toBe('refused');
  expect(await guess('10.0.0.2', right, undefined, 'account 30')).toBe(true);
});

test('two processes allow no more than one; what is right at one is given back for both', async () => {
  const [a, b] = [setUp(), setUp()];
  const turn = (n: number): typeof a => (n % 2 ? a : b);
  for (let i = 0; i < 9; i += 1) expect(await turn(i).guess('10.0.0.1')).toBe(false);
  for (let i = 0; i < 4; i += 1) expect(await turn(i).guess('10.0.0.1', right)).toBe(true);
  expect(await a.guess('10.0.0.1')).toBe(false);
  expect([await a.guess('10.0.0.1', right), await b.guess('10.0.0.1', right)]).toEqual(['refused', 'refused']);
  // A refused try there does not count as tried by all strangers, or one place could shut out the others.
  for (let i = 0; i < 120; i += 1) await turn(i).guess('10.0.0.1');
  expect(await b.guess('10.0.0.2', right)).toBe(true);
  expect([...a.pauses, ...b.pauses].every((ms) => ms <= 50)).toBe(true);
});

test('tried at once at two processes: each counts when it begins', async () => {
  const limiters = [1, 2].map(() => new SharedRateLimit(database.pool, 'test', 10));
  const taken = await Promise.all(Array.from({ length: 30 }, async (_, n) => limiters[n % 2]?.take('key')));
  expect(taken.filter((each) => each?.wait === 0)).toHaveLength(10);
  expect(taken.every((each) => each && each.wait <= 60)).toBe(true);
});

test('a network that has used up its own is refused without the database; its site has four times as many', async () => {
  const limit = new SharedRateLimit(database.pool, 'test', 2);
  const waits: number[] = [];
  for (let n = 0; n < 3; n += 1) waits.push(await limit.takeFrom('2001:db8:1:1::1'));
  await database.pool.query('delete from attempt');
  expect(waits.map((wait) => wait > 0)).toEqual([false, false, true]);
  expect([60, 59, 58]).toContain(await limit.takeFrom('2001:db8:1:1::2'));
  for (let n = 2; n < 10; n += 1) expect(await limit.takeFrom(`2001:db8:1:${n}::1`)).toBe(0);
  expect(await limit.takeFrom('2001:db8:1:99::1')).toBeGreaterThan(0);
});

test('a window that is over begins anew; the table keeps no more than so many', async () => {
  const limiter = new SharedRateLimit(database.pool, 'test', 1, 60_000);
  expect([await limiter.take('old'), (await limiter.take('old')).wait]).toEqual([{ wait: 0, count: 1 }, 60]);
  await database.pool.query("update attempt set until = now() - interval '1 s'");
  expect(await limiter.take('old')).toEqual({ wait: 0, count: 1 });
  for (let n = 0; n < 20; n += 1) await limiter.take(`key ${n}`);
  await database.pool.query(
    "update attempt set until = now() - interval '1 s' where key in (select key from attempt limit 5)",
  );
  await new SharedRateLimit(database.pool, 'test', 1, 60_000, 10).take('new');
  const { rows } = await database.pool.query('select from attempt');
  expect(rows.length).toBeLessThanOrEqual(11);
});

test('guesses from many places slow strangers down, then block them; a known device passes at once', async () => {
  const { guess, pauses } = setUp();
  for (let i = 0; i < 100; i += 1) expect(await guess(`10.0.${i}.1`)).toBe(false);
  expect(pauses).toHaveLength(90);
  expect(pauses.at(-1)).toBe(4500);
  expect(await guess('10.1.0.1', right)).toBe('refused');
  expect(await guess('10.1.0.1', right, 'device')).toBe(true);
  expect(pauses).toHaveLength(90);
  // Guesses at the device itself have their own limit.
  for (let i = 0; i < 10; i += 1) expect(await guess('10.1.0.1', wrong, 'stolen')).toBe(false);
  expect(await guess('10.1.0.1', right, 'stolen')).toBe('refused');
});

test('wrong codes: ten an hour at one place and twenty from all strangers, however many addresses they have', async () => {
  const { guess } = setUp(APP_CODE_LIMITS);
  for (let i = 0; i < 20; i += 1) expect(await guess(`10.0.${i}.1`)).toBe(false);
  expect(await guess('10.1.0.1', right)).toBe('refused');
  for (let i = 0; i < 10; i += 1) expect(await guess('10.1.0.1', wrong, 'device')).toBe(false);
  expect(await guess('10.1.0.1', right, 'device')).toBe('refused');
});

test('right passwords at once: checked one at a time, neither an account nor an address takes all turns', async () => {
  const { attempts } = setUp();
  let running = 0;
  let most = 0;
  const slow = async (): Promise<boolean> => {
    most = Math.max(most, (running += 1));
    await new Promise(setImmediate);
    running -= 1;
    return true;
  };
  /** Holds the first check until so many are refused, then lets all others through. */
  const outcomes = async (n: number, refused: number, place: (i: number) => [string, string]): Promise<void> => {
    let open = (): void => undefined;
    const gate = new Promise<void>((resolve) => (open = resolve));
    let rejected = 0;
    const checks = Array.from({ length: n }, (_, i) => {
      const [account, address] = place(i);
      return attempts.check(account, { address }, () => gate.then(slow)).catch(() => (rejected += 1));
    });
    await eventually(() => rejected === refused, `${refused} to be refused`);
    open();
    await Promise.all(checks);
    expect(rejected).toBe(refused);
  };
  await outcomes(10, 6, (i) => ['one', `a${i}`]);
  await outcomes(20, 4, (i) => [`u${i}`, 'nat']);
  await outcomes(60, 19, (i) => [`v${i}`, `b${i}`]);
  expect(most).toBe(1);
  expect(await attempts.check('one', { address: 'a0' }, slow)).toBe(true);
});
