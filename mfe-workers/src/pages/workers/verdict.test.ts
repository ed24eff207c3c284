import { worker } from '../../testing/worker';
import type { Worker, WorkerEvent } from '@pool/shared';
import { verdictOf as verdictOfAlgorithm } from './verdict';

const verdictOf = (of: Worker, events?: WorkerEvent[]) => verdictOfAlgorithm(of, 'SHA256_ASICBOOST', events);

test('a low worker has its fraction, limit and the time of the recorded fault', () => {
  const low = worker({ state: 'low', h1: 56e12, h24: 92e12 });
  const fell = { at: 1_795_140_000, kind: 'low', value: null } as const;
  expect(verdictOf(low, [fell])).toMatchObject({ key: 'low', limit: 0.7, since: fell.at });
  expect(verdictOf(low, [{ ...fell, kind: 'low_over' }, fell])).toMatchObject({ since: null });
  expect(verdictOf(low)).toMatchObject({ key: 'low', since: null });
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

test('a worker in its first day has no mean of 24 h to compare with', () => {
  expect(verdictOf(worker({ minedSince: 1_795_184_000, h1: 23e12, h24: 1e12 })).key).toBe('noMean');
  expect(verdictOf(worker({ state: 'online', h24: 0 })).key).toBe('noMean');
});
