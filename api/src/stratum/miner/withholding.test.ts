import { stream } from '../../demo/random';
import { eventually } from '../../testing/eventually';
import { hashHeader, hashNumber, headerOf, jobOf, targetOf } from '../../../../e2e/miner/work';
import { stratumForEach } from '../testing/for-each';
import { chanceOf, type Withheld, Withholding } from './withholding';

const { stub, proxyOf, mine } = stratumForEach();

it('a hundred years of days of honest machines: none is held, and hardly one is named', () => {
  const random = stream(64);
  let [named, held] = [0, 0];
  for (let day = 0; day < 36_500; day += 1) {
    // Shares of the upstream a day: a small machine's to a large one's.
    const aDay = [3, 30, 100][day % 3] ?? 3;
    let [expected, worst] = [0, 1];
    for (let brought = 0; ; brought += 1) {
      expected -= Math.log(1 - random());
      if (expected > aDay) {
        worst = Math.min(worst, chanceOf(brought, aDay));
        break;
      }
      worst = Math.min(worst, chanceOf(brought, expected));
    }
    if (worst < 1e-6) named += 1;
    if (worst < 1e-9) held += 1;
  }
  expect(held).toBe(0);
  expect(named).toBeLessThanOrEqual(1);
});

it('the chance of none of N is e^-N, and of half of many far less than nothing', () => {
  expect(chanceOf(0, 13.8)).toBeCloseTo(Math.exp(-13.8), 12);
  expect([chanceOf(30, 30), chanceOf(40, 30)]).toEqual([1, 1]);
  expect(chanceOf(100, 200)).toBeLessThan(1e-9);
});

it('a day is looked at by itself, and each of machine, network and account is reported once for each level, and when it doubles', () => {
  const told: Withheld[] = [];
  const withholding = new Withholding((withheld) => told.push(withheld));
  const of = { algorithm: 'SHA256_ASICBOOST' as const, subAccountId: 1, account: 'alice', network: '192.0.2.7' };
  const note = (worker: string, times: number, at: number): void => {
    for (let i = 0; i < times; i += 1) withholding.note({ ...of, worker, at }, 0.5, false);
  };
  note('a', 27, 0);
  expect(told).toEqual([]);
  note('a', 70, 86_400_000);
  expect(told.map(({ who, held }) => [who, held])).toEqual([
    ...['alice.a', '192.0.2.7', 'alice'].map((who) => [who, false]),
    ...['alice.a', '192.0.2.7', 'alice'].map((who) => [who, true]),
  ]);
  expect(told.at(-1)).toMatchObject({ day: '1970-01-02', expected: 21, brought: 0 });
  note('a', 20, 86_400_000);
  expect(told.slice(6)).toMatchObject([{ expected: 42 }, { expected: 42 }, { expected: 42 }]);
});

it('a miner that keeps back what would reach the upstream is found, its honest neighbour is not', async () => {
  const [easy, hard] = [1e-9, 4e-9];
  const upstream = await stub({ difficulty: hard });
  const told: Withheld[] = [];
  const test = await proxyOf([upstream.target], {
    vardiff: { max: easy },
    limits: { linesPerSecond: 1e6, addressLinesPerSecond: 1e6 },
    onWithheld: (withheld) => told.push(withheld),
  });
  const target = (difficulty: number): number => Number(targetOf('sha256', difficulty));
  const work = async (user: string, keepsBack: boolean): Promise<void> => {
    const c = await mine(test.port, user);
    const [own] = c.lines.flatMap(({ result }) => (Array.isArray(result) ? [String(result[1])] : []));
    const job = jobOf(c.jobs[0] ?? [], 'sha256', easy);
    const extranonce2 = '00000001';
    const header = headerOf(job, Buffer.from(own ?? '', 'hex'), Buffer.from(extranonce2, 'hex'));
    header.writeUInt32LE(job.version, 0);
    for (let nonce = 0; nonce < 900; nonce += 1) {
      header.writeUInt32LE(nonce, 76);
      const hash = Number(hashNumber(hashHeader.sha256(header)));
      if (hash > target(easy) || (keepsBack && hash <= target(hard))) continue;
      expect(await c.submit({ extranonce2, nonce: nonce.toString(16).padStart(8, '0') })).toBe(true);
    }
  };
  await work('alice.honest', false);
  await work('bob.thief', true);
  await eventually(() => told.some(({ held }) => held), 'the thief');
  // Their common network may be named as well: half of its work brought nothing.
  const named = new Set(told.map(({ who }) => who).filter((who) => who !== '127.0.0.1'));
  expect(named).toEqual(new Set(['bob.thief', 'bob']));
  expect(told.find(({ held }) => held)).toMatchObject({ subAccountId: 2, brought: 0 });
});
