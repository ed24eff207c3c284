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

/** Divisor of the demo's proof of work: a share of a 100 TH/s rig costs 256 hashes, of a 9 GH/s scrypt rig 8. */
export const NOMINAL: Record<AlgorithmName, { scale: number; from: number }> = {
  SHA256_ASICBOOST: { scale: 2 ** 42, from: 1024 },
  SCRYPT: { scale: 2 ** 34, from: 1024 },
};

type Model = Pick<RigSpec, 'algorithm' | 'hashrate' | 'difficulty' | 'software'>;
const model = (algorithm: AlgorithmName, hashrate: number, difficulty: number, software: string): Model => ({
  ...{ algorithm, hashrate, difficulty, software },
});
const S19 = model('SHA256_ASICBOOST', 100e12, 262_144, 'bmminer/2.0.0');
const M30 = model('SHA256_ASICBOOST', 112e12, 262_144, 'whatsminer/v1.1');
const S21 = model('SHA256_ASICBOOST', 200e12, 524_288, 'bosminer-plus-tuner/24.9');
const S17 = model('SHA256_ASICBOOST', 56e12, 131_072, 'cgminer/4.11.1');
const L7 = model('SCRYPT', 9.16e9, 2_097_152, 'bmminer/2.0.0');

/** `odd`: behaviour of the rigs that are not steady, by number; `left`: see `RigSpec`. */
type Details = { joined(number: number): number; odd?: Record<number, Behaviour>; left?: Record<number, number> };

const batch = (
  rigs: Pick<RigSpec, 'account' | 'group'>,
  prefix: string,
  of: Model,
  count: number,
  { joined, odd = {}, left = {} }: Details,
): RigSpec[] =>
  Array.from({ length: count }, (_, index) => {
    const number = index + 1;
    return {
      ...rigs,
      ...of,
      worker: `${prefix}${String(number).padStart(3, '0')}`,
      joined: joined(number),
      behaviour: odd[number] ?? 'steady',
      left: left[number],
    };
  });

const HALL_A = { account: 'demo', group: 'Hall A' };
const HALL_B = { account: 'demo', group: 'Hall B' };
const SCRYPT = { account: 'demo', group: 'Scrypt' };
const ROW_1 = { account: 'hangar-2', group: 'Row 1' };
const ROW_2 = { account: 'hangar-2', group: 'Row 2' };
const RACK_1 = { account: 'scrypt-farm', group: 'Rack 1' };
const LEGACY = { account: 'legacy', group: null };
const long = () => 120;

export const FLEET: readonly RigSpec[] = [
  batch(HALL_A, 'a-s19-', S19, 26, {
    joined: long,
    odd: { 5: 'flaky', 9: 'dead', 17: 'low', 22: 'rejects' },
    left: { 9: 12 },
  }),
  batch(HALL_B, 'b-s19-', S19, 20, {
    joined: (n) => (n <= 12 ? 120 : 62),
    odd: { 8: 'low', 13: 'flaky', 19: 'dead' },
    left: { 19: 33 },
  }),
  batch(HALL_B, 'b-m30-', M30, 8, { joined: (n) => (n <= 4 ? 120 : 27), odd: { 3: 'low' } }),
  batch(SCRYPT, 'd-l7-', L7, 6, { joined: () => 80, odd: { 4: 'low' } }),
  batch(ROW_1, 'r1-s21-', S21, 10, { joined: () => 48, odd: { 6: 'flaky' } }),
  batch(ROW_2, 'r2-s21-', S21, 8, { joined: (n) => 48 - n * 3, odd: { 2: 'low', 7: 'rejects' } }),
  batch(RACK_1, 'l7-', L7, 14, {
    joined: (n) => (n <= 8 ? 120 : 40),
    odd: { 3: 'flaky', 11: 'low', 12: 'dead' },
    left: { 12: 5 },
  }),
  batch(LEGACY, 's17-', S17, 8, { joined: long, odd: { 2: 'flaky', 7: 'dead', 8: 'dead' }, left: { 7: 20, 8: 64 } }),
].flat();
