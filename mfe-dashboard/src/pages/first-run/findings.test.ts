import type { Arrivals } from '@pool/shared';
import { findingsOf } from './findings';

const NOW = 1_800_000_000;
const miner = (facts: Partial<Arrivals['connected'][number]> = {}): Arrivals['connected'][number] => ({
  worker: 'rig-01',
  algorithm: 'SHA256_ASICBOOST',
  software: 'cgminer/4',
  since: NOW - 20,
  difficulty: 65_536,
  hashrate: 3e12,
  refusedShares: 0,
  lowDifficulty: false,
  ...facts,
});
const refusal: Arrivals['refused'][number] = {
  at: NOW - 30,
  algorithm: 'SHA256_ASICBOOST',
  reason: 'wrong_password',
  name: 'northfield.rig-01',
};
const found = (connected: Arrivals['connected'], refused: Arrivals['refused'] = []) =>
  findingsOf({ nameless: [], connected, mining: {}, refused }, 'SHA256_ASICBOOST', NOW).map(({ kind }) => kind);

test('nothing is wrong with a miner that has just connected', () => expect(found([miner()])).toEqual([]));
test('a miner without a share for three minutes', () =>
  expect(found([miner({ since: NOW - 181 })])).toEqual(['noShare']));
test('a machine whose software says that the difficulty is far too high for it', () => {
  const small = miner({ software: 'NerdMinerV2/V1.8.3', difficulty: 1, hashrate: 2 ** 32 / 60_000 });
  expect(findingsOf({ nameless: [], connected: [small], mining: {}, refused: [] }, 'SHA256_ASICBOOST', NOW)).toEqual([
    { kind: 'tooHard', worker: 'rig-01', difficulty: 1, times: 1000 },
  ]);
  expect(found([{ ...small, hashrate: null }])).toEqual([]);
});
test('shares that are refused: too easy ones are of another algorithm', () => {
  expect(found([miner({ refusedShares: 3, lowDifficulty: true })])).toEqual(['tooEasy']);
  expect(found([miner({ refusedShares: 3 })])).toEqual(['refusedShares']);
});
test('a miner at the port of another algorithm', () =>
  expect(
    findingsOf(
      { nameless: [], connected: [miner({ algorithm: 'SCRYPT' })], mining: {}, refused: [] },
      'SHA256_ASICBOOST',
      NOW,
    ),
  ).toEqual([{ kind: 'otherAlgorithm', worker: 'rig-01', other: 'SCRYPT' }]));
test('a refused miner, until it is let in', () => {
  expect(found([], [refusal])).toEqual(['wrong_password']);
  expect(found([miner()], [refusal])).toEqual([]);
});
