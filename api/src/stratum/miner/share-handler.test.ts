/** What becomes of one share: its answer, what is recorded of it, and what its upstream is said to have brought. */
import { Dues } from '../upstream/dues';
import type { SubmitAnswer } from '../upstream/upstream-events';
import { ERROR } from '../wire/protocol';
import type { Share } from '../ports';
import type { ConnectionWorkers, Miner } from './connection-workers';
import { type Job, JobBook, proofOf } from './job-book';
import { type ShareDeps, ShareHandler } from './share-handler';
import type { Wire } from '../wire/wire';

const ID = 7;
const SHARE = { extranonce2: '00000001', ntime: '65000000', nonce: '0000002a', version: 0 };
const MINER = {
  subAccountId: 1,
  account: 'alice',
  worker: 'rig',
  knowsPassword: true,
  banKey: 'alice.rig',
  text: 'alice.rig',
};

type Given = {
  /** Difficulties as parts of what the share reaches. */
  difficulty?: number;
  proof?: number;
  lowest?: number;
  highest?: number;
  answer?: SubmitAnswer;
  ready?: boolean;
  own?: boolean;
  full?: boolean;
  knowsPassword?: boolean;
  /** Shares that the upstream has refused, of work that others were credited. */
  dues?: number;
};

function handlerWith(given: Given = {}) {
  const { difficulty = 0.5, proof = difficulty, lowest = 0.5, highest = lowest, ready = true } = given;
  const { answer = { accepted: true } } = given;
  const template = { prevHash: Buffer.alloc(32), coinb2: Buffer.alloc(4), branches: [], nbits: 0 };
  const checked = { shared: { template, staleAt: Infinity }, coinbaseHead: '', version: 0, versionMask: 0 };
  const hash = proofOf('SHA256_ASICBOOST', checked as unknown as Job, SHARE) as number;
  const dues = new Dues();
  for (let n = 0; n < (given.dues ?? 0); n += 1) dues.refused(hash, 0, ERROR.duplicate);
  const events: string[] = [];
  const [lines, shares, notes]: [unknown[], Partial<Share>[], unknown[]] = [[], [], []];
  const connection = {
    ready,
    target: { ...(given.own ? { id: 3 } : {}), name: 'Pool', host: 'pool.example', url: '', user: 'u' },
    submit: (share: object, answered: (said: SubmitAnswer) => void) => {
      expect(share).toEqual({ ...SHARE, user: 'u', jobId: 'up', extranonce2: `ab${SHARE.extranonce2}`, mask: 0 });
      events.push('submitted');
      answered(answer);
    },
  };
  const shared = {
    ...checked.shared,
    lowest: lowest * hash,
    highest: highest * hash,
    sent: { id: 'up' },
    versionMask: 0,
    connection,
  };
  const jobs = new JobBook<Job>();
  const job = jobs.add({
    ...checked,
    shared,
    work: 'w',
    ntime: 0x65000000,
    extranonce2Size: 4,
    seat: { user: 'u', shared: { dues } },
    difficulty: difficulty * hash,
    worth: { most: difficulty * hash },
    proof: proof * hash,
    fixed: 'ab',
  } as unknown as Omit<Job, 'id'>);
  const parts = (value: number) => Number((value / hash).toFixed(6));
  const deps = {
    algorithm: 'SHA256_ASICBOOST',
    now: () => 1000,
    sink: {
      share: (share: Share) => {
        if (given.full) return false;
        const { outcome, taken, ownPool } = share;
        const credit = parts(share.difficulty);
        shares.push({
          outcome,
          difficulty: credit,
          ...(ownPool ? { ownPool } : {}),
          ...(taken ? { taken: { ...taken, accepted: parts(taken.accepted) } } : {}),
        });
        return true;
      },
    },
    bans: { note: (_: string, bad: boolean) => (bad && events.push('bad'), false) },
    withholding: {
      note: ({ account, at }: { account: string; at: number }, expected: number, brought: boolean) => {
        expect([account, at]).toEqual(['alice', 1000]);
        notes.push([Number(expected.toFixed(6)), brought]);
      },
    },
    log: {},
  } as unknown as ShareDeps;
  const place = { mined: () => events.push('mined') };
  const miner = { ...MINER, place, knowsPassword: given.knowsPassword ?? true } as unknown as Miner;
  const workers = { ofShare: () => miner, only: miner, mined: () => undefined } as unknown as ConnectionWorkers;
  const wire = {
    error: (_: unknown, code: number) => lines.push(code),
    answer: (_: unknown, result: unknown) => lines.push(result),
  } as unknown as Wire;
  let done = (): void => undefined;
  const settled = new Promise<void>((resolve) => (done = resolve));
  const handler = new ShareHandler(workers, jobs, wire, deps, {
    found: () => undefined,
    accepted: () => undefined,
    banned: () => undefined,
    settled: () => {
      expect(handler.pending).toBe(0);
      done();
    },
  });
  const submit = (nonce = SHARE.nonce, id: unknown = job.id) =>
    handler.submit({
      kind: 'request',
      id: ID,
      method: 'mining.submit',
      params: ['alice.rig', id, SHARE.extranonce2, SHARE.ntime, nonce],
    });
  return { handler, submit, settled, lines, shares, notes, events, shared };
}

const TAKEN = (accepted: number) => ({ taken: { upstream: 'Pool', accepted } });
const refused = (code: (typeof ERROR)[keyof typeof ERROR]): SubmitAnswer => ({ accepted: false, code, message: 'No' });

test.each<[what: string, given: Given, answer: unknown, shares: Partial<Share>[], notes: unknown[], events: string[]]>([
  [
    'that the upstream takes is credited its least difficulty',
    { lowest: 0.25, highest: 0.5 },
    true,
    [{ outcome: 'accepted', difficulty: 0.25, ...TAKEN(0.25) }],
    [[0.5, true]],
    ['submitted', 'mined'],
  ],
  [
    'that is just at its difficulty',
    { difficulty: 1, lowest: 1 },
    true,
    [{ outcome: 'accepted', difficulty: 1, ...TAKEN(1) }],
    [[1, true]],
    ['submitted', 'mined'],
  ],
  [
    'whose proof is of less than its difficulty, which it has by chance',
    { proof: 0.25, lowest: 2, highest: 4 },
    true,
    [{ outcome: 'accepted', difficulty: 0.5, ...TAKEN(2) }],
    [[0.125, true]],
    ['submitted', 'mined'],
  ],
  [
    'that is too easy for its job',
    { difficulty: 1.001 },
    ERROR.lowDifficulty,
    [{ outcome: 'rejected', difficulty: 0.5 }],
    [],
    ['bad'],
  ],
  [
    'that is too easy for the upstream, which does not get it',
    { lowest: 1.001 },
    true,
    [{ outcome: 'accepted', difficulty: 0.5, ...TAKEN(0) }],
    [[0.4995, false]],
    ['mined'],
  ],
  [
    'that the upstream does not get, of work that it refuses to others',
    { lowest: 1.001, dues: 9 },
    ERROR.duplicate,
    [{ outcome: 'rejected', difficulty: 0.5 }],
    [],
    [],
  ],
  [
    'that the upstream takes, of work that it refuses to others',
    { dues: 9 },
    true,
    [{ outcome: 'accepted', difficulty: 0.5, ...TAKEN(0.5) }],
    [[1, true]],
    ['submitted', 'mined'],
  ],
  ['while its upstream is away', { ready: false }, ERROR.stale, [{ outcome: 'stale', difficulty: 0.5 }], [], []],
  [
    'that is lost on the way',
    { answer: { accepted: false, lost: true } },
    ERROR.stale,
    [{ outcome: 'stale', difficulty: 0.5 }],
    [],
    ['submitted'],
  ],
  [
    'that is lost where it may be too easy',
    { highest: 2, answer: { accepted: false, lost: true } },
    ERROR.stale,
    [{ outcome: 'stale', difficulty: 0.5 }],
    [],
    ['submitted'],
  ],
  [
    'that is known where it may be too easy',
    { highest: 2, answer: refused(ERROR.duplicate) },
    ERROR.duplicate,
    [{ outcome: 'rejected', difficulty: 0.5 }],
    [],
    ['submitted'],
  ],
  [
    'that is late there',
    { answer: refused(ERROR.stale) },
    ERROR.stale,
    [{ outcome: 'stale', difficulty: 0.5 }],
    [],
    ['submitted'],
  ],
  [
    'that is known there',
    { answer: refused(ERROR.duplicate) },
    ERROR.duplicate,
    [{ outcome: 'rejected', difficulty: 0.5 }],
    [],
    ['submitted'],
  ],
  [
    'that is too easy there, though it is not',
    { answer: refused(ERROR.lowDifficulty) },
    ERROR.lowDifficulty,
    [{ outcome: 'rejected', difficulty: 0.5 }],
    [],
    ['submitted'],
  ],
  [
    'that is too easy there by the higher of two difficulties',
    { highest: 2, answer: refused(ERROR.lowDifficulty) },
    true,
    [{ outcome: 'accepted', difficulty: 0.5, ...TAKEN(0) }],
    [[0.25, false]],
    ['submitted', 'mined'],
  ],
  [
    'whose name is refused there',
    { answer: refused(ERROR.unauthorised) },
    ERROR.other,
    [{ outcome: 'rejected', difficulty: 0.5 }],
    [],
    ['submitted'],
  ],
  [
    "of the account's own pool is nothing that the pool's upstream took",
    { own: true },
    true,
    [{ outcome: 'accepted', difficulty: 0.5, ownPool: true }],
    [],
    ['submitted', 'mined'],
  ],
  ['that cannot be recorded is no credit', { full: true }, ERROR.other, [], [], ['submitted']],
  [
    "refused of who knows no password and has no share is no account's",
    { difficulty: 1.001, knowsPassword: false },
    ERROR.lowDifficulty,
    [],
    [],
    ['bad'],
  ],
])('a share %s', async (_, given, answer, shares, notes, events) => {
  const one = handlerWith(given);
  one.submit();
  await one.settled;
  expect([one.lines, one.shares, one.notes, one.events]).toEqual([[answer], shares, notes, events]);
  // All of that job is late from now on.
  const said = given.answer;
  expect(Number.isFinite(one.shared.staleAt)).toBe(said !== undefined && 'code' in said && said.code === ERROR.stale);
  const isTaken = answer === true;
  const { pending, acceptedShares, refused: bad, lowDifficulty } = one.handler;
  expect([pending, acceptedShares, lowDifficulty]).toEqual([0, Number(isTaken), answer === ERROR.lowDifficulty]);
  if (!given.full) expect(bad).toBe(Number(!isTaken));
});

test('of a stranger so many refused shares count as accepted ones, and no more; a share twice is refused', async () => {
  const { submit, settled, lines, shares } = handlerWith({ knowsPassword: false });
  submit();
  await settled;
  for (let time = 0; time < 2; time += 1) submit();
  expect(lines).toEqual([true, ERROR.duplicate, ERROR.duplicate]);
  expect(shares.map(({ outcome }) => outcome)).toEqual(['accepted', 'rejected']);
});

test('a share of a connection of before is no fault for two minutes, what is none at all is one', () => {
  jest.useFakeTimers();
  try {
    jest.advanceTimersByTime(70_000);
    const { submit, lines, events } = handlerWith();
    const old = 'ffff';
    jest.advanceTimersByTime(119_999);
    submit('0000002b', old);
    expect([lines, events]).toEqual([[ERROR.stale], []]);
    jest.advanceTimersByTime(1);
    submit('0000002c', old);
    expect([lines, events]).toEqual([[ERROR.stale, ERROR.stale], ['bad']]);
    const none = handlerWith();
    none.submit('', 7);
    expect(none.events).toEqual(['bad']);
  } finally {
    jest.useRealTimers();
  }
});
