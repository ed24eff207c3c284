import { Attempts, CODE_LIMITS, PASSWORD_LIMITS } from './attempts';
import { IdentityError } from '../errors';

const wrong = async (): Promise<boolean> => false;
const right = async (): Promise<boolean> => true;
const setUp = (limits = PASSWORD_LIMITS) => {
  const pauses: number[] = [];
  const attempts = new Attempts(limits, async (ms) => void pauses.push(ms));
  const guess = (address: string, verify = wrong, known?: string): Promise<boolean | 'refused'> =>
    attempts.check('owner', { address, known }, verify).catch((error: unknown) => {
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
  const { guess } = setUp(CODE_LIMITS);
  for (let i = 0; i < 20; i += 1) expect(await guess(`10.0.${i}.1`)).toBe(false);
  expect(await guess('10.1.0.1', right)).toBe('refused');
  for (let i = 0; i < 10; i += 1) expect(await guess('10.1.0.1', wrong, 'device')).toBe(false);
  expect(await guess('10.1.0.1', right, 'device')).toBe('refused');
});

test('an address that tries many accounts is refused', async () => {
  const { attempts } = setUp();
  for (let i = 0; i < 30; i += 1) expect(await attempts.check(`user ${i}`, { address: 'a' }, wrong)).toBe(false);
  await expect(attempts.check('user 30', { address: 'a' }, right)).rejects.toMatchObject({ status: 429 });
  expect(await attempts.check('user 30', { address: 'b' }, right)).toBe(true);
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
  const outcomes = async (checks: Promise<boolean>[]): Promise<[done: number, refused: number]> => {
    const results = await Promise.allSettled(checks);
    return [
      results.filter(({ status }) => status === 'fulfilled').length,
      results.filter(({ status }) => status === 'rejected').length,
    ];
  };
  const same = Array.from({ length: 10 }, (_, i) => attempts.check('one', { address: `a${i}` }, slow));
  expect(await outcomes(same)).toEqual([4, 6]);
  const oneAddress = Array.from({ length: 20 }, (_, i) => attempts.check(`u${i}`, { address: 'nat' }, slow));
  expect(await outcomes(oneAddress)).toEqual([16, 4]);
  const everybody = Array.from({ length: 60 }, (_, i) => attempts.check(`v${i}`, { address: `b${i}` }, slow));
  expect(await outcomes(everybody)).toEqual([41, 19]);
  expect(most).toBe(1);
  expect(await attempts.check('one', { address: 'a0' }, slow)).toBe(true);
});
