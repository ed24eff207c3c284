/** The demo's rigs: owner, model, behaviour. */
import type { AlgorithmName } from '@pool/shared/domain';

type Behaviour = 'steady' | 'low' | 'flaky' | 'rejects' | 'dead';
export type RigSpec = {
  account: string;
  worker: string;
  group: string | null;
  algorithm: AlgorithmName;
  /** Nominal, H/s. */
  hashrate: number;
  /** Difficulty the rig suggests; it gives a share every ten to twenty seconds. */
  difficulty: number;
  software: string;
  behaviour: Behaviour;
  /** Days before the demo's start at which the rig was switched on, and (dead rigs) off. */
  joined: number;
  left?: number;
};

/**
 * Divisor of the difficulty when the demo's pool checks a proof of work (`BuiltinPoolOptions.nominal`): a share of a
 * 100 TH/s rig costs 256 hashes in software, one of a 9 GH/s scrypt rig 8.
 */
export const NOMINAL: Record<AlgorithmName, { scale: number; from: number }> = {
  SHA256_ASICBOOST: { scale: 2 ** 42, from: 1024 },
  SCRYPT: { scale: 2 ** 34, from: 1024 },
};

type Batch = Omit<RigSpec, 'worker' | 'behaviour' | 'joined' | 'left'> & {
  prefix: string;
  count: number;
  joined: (number: number) => number;
  /** Behaviour of the rigs that are not steady, by number. */
  odd?: Record<number, Behaviour>;
  left?: Record<number, number>;
};

const TH = 1e12;
const GH = 1e9;
const S19 = {
  algorithm: 'SHA256_ASICBOOST',
  hashrate: 100 * TH,
  difficulty: 262_144,
  software: 'bmminer/2.0.0',
} as const;
const M30 = {
  algorithm: 'SHA256_ASICBOOST',
  hashrate: 112 * TH,
  difficulty: 262_144,
  software: 'whatsminer/v1.1',
} as const;
const S21 = {
  algorithm: 'SHA256_ASICBOOST',
  hashrate: 200 * TH,
  difficulty: 524_288,
  software: 'bosminer-plus-tuner/24.9',
} as const;
const S17 = {
  algorithm: 'SHA256_ASICBOOST',
  hashrate: 56 * TH,
  difficulty: 131_072,
  software: 'cgminer/4.11.1',
} as const;
const L7 = { algorithm: 'SCRYPT', hashrate: 9.16 * GH, difficulty: 2_097_152, software: 'bmminer/2.0.0' } as const;

const BATCHES: Batch[] = [
  {
    ...S19,
    account: 'demo',
    group: 'Hall A',
    prefix: 'a-s19-',
    count: 26,
    joined: () => 120,
    odd: { 5: 'flaky', 9: 'dead', 17: 'low', 22: 'rejects' },
    left: { 9: 12 },
  },
  {
    ...S19,
    account: 'demo',
    group: 'Hall B',
    prefix: 'b-s19-',
    count: 20,
    joined: (n) => (n <= 12 ? 120 : 62),
    odd: { 8: 'low', 13: 'flaky', 19: 'dead' },
    left: { 19: 33 },
  },
  {
    ...M30,
    account: 'demo',
    group: 'Hall B',
    prefix: 'b-m30-',
    count: 8,
    joined: (n) => (n <= 4 ? 120 : 27),
    odd: { 3: 'low' },
  },
  { ...L7, account: 'demo', group: 'Scrypt', prefix: 'd-l7-', count: 6, joined: () => 80, odd: { 4: 'low' } },
  { ...S21, account: 'hangar-2', group: 'Row 1', prefix: 'r1-s21-', count: 10, joined: () => 48, odd: { 6: 'flaky' } },
  {
    ...S21,
    account: 'hangar-2',
    group: 'Row 2',
    prefix: 'r2-s21-',
    count: 8,
    joined: (n) => 48 - n * 3,
    odd: { 2: 'low', 7: 'rejects' },
  },
  {
    ...L7,
    account: 'scrypt-farm',
    group: 'Rack 1',
    prefix: 'l7-',
    count: 14,
    joined: (n) => (n <= 8 ? 120 : 40),
    odd: { 3: 'flaky', 11: 'low', 12: 'dead' },
    left: { 12: 5 },
  },
  {
    ...S17,
    account: 'legacy',
    group: null,
    prefix: 's17-',
    count: 8,
    joined: () => 120,
    odd: { 2: 'flaky', 7: 'dead', 8: 'dead' },
    left: { 7: 20, 8: 64 },
  },
];

export const FLEET: readonly RigSpec[] = BATCHES.flatMap(({ prefix, count, joined, odd = {}, left = {}, ...common }) =>
  Array.from({ length: count }, (_, index) => {
    const number = index + 1;
    return {
      ...common,
      worker: `${prefix}${String(number).padStart(3, '0')}`,
      joined: joined(number),
      behaviour: odd[number] ?? ('steady' as const),
      left: left[number],
    };
  }),
);
