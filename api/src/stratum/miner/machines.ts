/** Kinds of mining machines by the name of their software: where the search for their difficulty starts and ends. */
import { ALGORITHMS, type AlgorithmName } from '@pool/shared/domain';

type ByAlgorithm = Record<AlgorithmName, number>;

type Kind = {
  software: RegExp;
  /** Typical, H/s. */
  hashrate: ByAlgorithm;
  /** Lowest difficulty: chips report no easier share, or the machine looks at its best share of a batch only. */
  floor: ByAlgorithm;
  /** While it has not sent any share: seconds between two steps, and the factor of each. */
  search: Search;
};
export type Search = { seconds: number; factor: number };

/** What the search for a connection's difficulty knows of its machine. */
export type Machine = { start: number; floor: number; search: Search; isKnown: boolean };

/** Difficulty of an assumed hashrate: a share every so many seconds. */
const START_SECONDS = 2;
/** No share in 2.5 s at difficulty d proves with 95 % that 0.03 d brings at most forty shares a second. */
const FAST: Search = { seconds: 2.5, factor: 0.03 };
/** Time for machines that connect before they hash: an ASIC may start its boards for minutes. */
export const SLOW: Search = { seconds: 20, factor: 0.3 };

const equal = (value: number): ByAlgorithm => ({ SHA256_ASICBOOST: value, SCRYPT: value });
/** Floors of processors: a few hashes at least, since a share of less than one is worth less than its hash. */
const SLOWEST: ByAlgorithm = { SHA256_ASICBOOST: 1e-7, SCRYPT: 1e-4 };

const RENTALS = /nicehash|miningrigrentals/i;

/** The first that fits. Names: datum's list and those of the programs themselves. */
const KINDS: readonly Kind[] = [
  {
    software: /^(nerdminer|nmminer|han-?solo)/i,
    hashrate: { SHA256_ASICBOOST: 1e5, SCRYPT: 1e3 },
    floor: { ...SLOWEST, SHA256_ASICBOOST: 1e-5 },
    search: FAST,
  },
  {
    software: /bitaxe|esp-?miner|nerd.*axe|nmaxe|lucky ?miner/i,
    hashrate: { SHA256_ASICBOOST: 1.2e12, SCRYPT: 1e6 },
    floor: { SHA256_ASICBOOST: 256, SCRYPT: 1 },
    search: SLOW,
  },
  {
    software: RENTALS,
    hashrate: { SHA256_ASICBOOST: 1.2e15, SCRYPT: 2e10 },
    floor: equal(1),
    search: SLOW,
  },
  {
    software: /antminer|bmminer|whatsminer|btminer|bosminer|braiins|avalon|xminer|luxos|luxminer|vnish|powerplay/i,
    hashrate: { SHA256_ASICBOOST: 1e14, SCRYPT: 5e9 },
    floor: equal(1),
    search: SLOW,
  },
  {
    software: /^(cgminer|bfgminer|sgminer)/i,
    hashrate: { SHA256_ASICBOOST: 3e12, SCRYPT: 1e7 },
    floor: equal(1),
    search: SLOW,
  },
  {
    software: /^(cpuminer|minerd|ccminer|xmrig)/i,
    hashrate: { SHA256_ASICBOOST: 5e6, SCRYPT: 5e3 },
    floor: SLOWEST,
    search: FAST,
  },
];
const UNKNOWN: Kind = {
  software: /^/,
  hashrate: { SHA256_ASICBOOST: 5e11, SCRYPT: 1e7 },
  floor: SLOWEST,
  search: FAST,
};

/** `software`: as the miner names itself in `mining.subscribe`. */
const kindOf = (software: string | null): Kind | undefined =>
  KINDS.find((kind) => software !== null && kind.software.test(software));

/** Typical hashrate (H/s) of machines with this software; null where nothing is known. */
export const typicalHashrate = (algorithm: AlgorithmName, software: string | null): number | null =>
  kindOf(software)?.hashrate[algorithm] ?? null;

/** Rental services refuse less than four bytes to roll. */
export const rollsFour = (software: string | null): boolean => RENTALS.test(software ?? '');

export function machineOf(algorithm: AlgorithmName, software: string | null): Machine {
  const known = kindOf(software);
  const kind = known ?? UNKNOWN;
  const floor = kind.floor[algorithm];
  const start = (kind.hashrate[algorithm] * START_SECONDS) / ALGORITHMS[algorithm].hashesPerDifficulty;
  return { start: Math.max(floor, start), floor, search: kind.search, isKnown: known !== undefined };
}
