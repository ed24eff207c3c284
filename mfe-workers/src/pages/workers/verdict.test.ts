import { worker } from '../../testing/worker';
import type { Series, Worker } from '@pool/shared';
import { lowSince, verdictOf as verdictOfAlgorithm } from './verdict';

const verdictOf = (of: Worker, day?: Series) => verdictOfAlgorithm(of, 'SHA256_ASICBOOST', day);

const history = (accepted: (number | null)[]) => ({
  from: 1_795_132_800,
  step: 600,
  accepted,
  stale: [],
  rejected: [],
});

test('a low worker has its fraction, limit and start time', () => {
  const low = worker({ state: 'low', h1: 56e12, h24: 92e12 });
  expect(verdictOf(low, history([92e12, 95e12, 60e12, 58e12, 55e12]))).toMatchObject({
    key: 'low',
    limit: 0.7,
    since: 1_795_132_800 + 2 * 600,
  });
  expect(verdictOf(low)).toMatchObject({ key: 'low', since: null });
});

test('a gap ends the low period: silence is not a low hashrate', () => {
  expect(lowSince(history([50, 50, null, 50]), 60)).toBe(1_795_132_800 + 3 * 600);
});

test('returns null when the hashrate was low before the chart starts', () => {
  expect(lowSince(history([50, 50]), 60)).toBeNull();
});

test('offline and inactive workers have the time of the last share', () => {
  expect(verdictOf(worker({ state: 'offline', lastShareAt: 7 }))).toEqual({
    key: 'silent',
    tone: 'offline',
    lastShareAt: 7,
  });
});

test('a difficulty that the machine cannot meet is named, before it is taken for offline', () => {
  const tooHard = { key: 'tooHard', tone: 'online', difficulty: 65_536 };
  const small = worker({ state: 'online', difficulty: 65_536, h24: (65_536 * 2 ** 32) / 60_000 });
  expect(verdictOf(small)).toMatchObject({ ...tooHard, times: expect.closeTo(1000) });
  expect(verdictOf({ ...small, state: 'offline' })).toMatchObject({ key: 'tooHard', tone: 'offline' });
  // A disconnected machine has no difficulty.
  expect(verdictOf({ ...small, state: 'offline', difficulty: null }).key).toBe('silent');
  expect(verdictOf({ ...small, h24: 92e12 }).key).toBe('steady');
});

test('a connection without a share is waiting, not broken', () => {
  expect(verdictOf(worker({ state: 'inactive', lastShareAt: null })).key).toBe('waiting');
  expect(verdictOf(worker({ state: 'inactive', lastShareAt: null, connectedAt: null })).key).toBe('neverSeen');
});

test('a worker in its first minutes has no mean to compare with', () => {
  expect(verdictOf(worker({ state: 'online', h24: 0 })).key).toBe('noMean');
});
