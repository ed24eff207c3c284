export const ALGORITHMS = {
  SHA256_ASICBOOST: {
    label: 'SHA256',
    hashesPerDifficulty: 2 ** 32,
    priceUnit: 'PH/s',
    priceUnitHs: 1e15,
    fallbackPort: 3311,
  },
  SCRYPT: { label: 'SCRYPT', hashesPerDifficulty: 2 ** 16, priceUnit: 'TH/s', priceUnitHs: 1e12, fallbackPort: 3312 },
} as const;

export type AlgorithmName = keyof typeof ALGORITHMS;
export const ALGORITHM_NAMES = Object.keys(ALGORITHMS) as [AlgorithmName, ...AlgorithmName[]];
export const DEFAULT_ALGORITHM: AlgorithmName = 'SHA256_ASICBOOST';

export const isAlgorithm = (value: unknown): value is AlgorithmName =>
  typeof value === 'string' && Object.hasOwn(ALGORITHMS, value);

/** Mean hashrate in H/s of `work` (a sum of share difficulties) done in `seconds`. */
export const hashrateOfWork = (algorithm: AlgorithmName, work: number, seconds: number): number =>
  (work * ALGORITHMS[algorithm].hashesPerDifficulty) / seconds;

/** Relative statistical error of a hashrate estimated from `shares` shares: about 1/sqrt(n). */
export const hashrateError = (shares: number): number | null => (shares > 0 ? 1 / Math.sqrt(shares) : null);
