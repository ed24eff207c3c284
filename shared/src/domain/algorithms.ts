/** All differences between algorithms but the hash function (api/src/stratum/wire/proof.ts). */
export const ALGORITHMS = {
  SHA256_ASICBOOST: {
    label: 'SHA256',
    /** Suffix of its environment variables: `STRATUM_PORT_SHA256`. */
    setting: 'SHA256',
    hashesPerDifficulty: 2 ** 32,
    priceUnit: 'PH/s',
    priceUnitHs: 1e15,
    /** BTC per price unit per day, used when no price is known. */
    defaultPriceBtc: 0.00049,
    fallbackPort: 3311,
    /** Miners may roll bits of the block's version (BIP 310). */
    versionRolling: true,
  },
  SCRYPT: {
    label: 'SCRYPT',
    setting: 'SCRYPT',
    hashesPerDifficulty: 2 ** 16,
    priceUnit: 'TH/s',
    priceUnitHs: 1e12,
    defaultPriceBtc: 0.0092,
    fallbackPort: 3312,
    versionRolling: false,
  },
} as const;

export type AlgorithmName = keyof typeof ALGORITHMS;
export type AlgorithmSetting = (typeof ALGORITHMS)[AlgorithmName]['setting'];
export const ALGORITHM_NAMES = Object.keys(ALGORITHMS) as [AlgorithmName, ...AlgorithmName[]];
export const DEFAULT_ALGORITHM: AlgorithmName = 'SHA256_ASICBOOST';

export const isAlgorithm = (value: unknown): value is AlgorithmName =>
  typeof value === 'string' && Object.hasOwn(ALGORITHMS, value);

/** Mean hashrate in H/s of `work` (a sum of share difficulties) done in `seconds`. */
export const hashrateOfWork = (algorithm: AlgorithmName, work: number, seconds: number): number =>
  (work * ALGORITHMS[algorithm].hashesPerDifficulty) / seconds;

/** Seconds that a machine of `hashrate` (H/s) needs for a share, on average. */
export const secondsPerShare = (algorithm: AlgorithmName, difficulty: number, hashrate: number): number =>
  (difficulty * ALGORITHMS[algorithm].hashesPerDifficulty) / hashrate;

/** @public Seconds of a share that remotes built with 1.0.0 call too hard. */
export const TOO_HARD_S = 600;

/** Relative statistical error of a hashrate estimated from `shares` shares: about 1/sqrt(n). */
export const hashrateError = (shares: number): number | null => (shares > 0 ? 1 / Math.sqrt(shares) : null);
