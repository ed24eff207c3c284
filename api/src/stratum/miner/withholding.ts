/**
 * Work that was credited and brought the upstream less than chance explains: who keeps back the shares that count there
 * is paid for the others (docs/adr/0005-stratum.md). Machines, networks and accounts are looked at by the UTC day.
 */
import { LRUCache } from 'lru-cache';
import type { AlgorithmName } from '@pool/shared/domain';

/** `expected`: shares of the upstream that the credited work was worth; `brought`: those that the upstream took. */
export type Withheld = {
  algorithm: AlgorithmName;
  subAccountId: number;
  day: string;
  who: string;
  expected: number;
  brought: number;
  /** So unlikely that what the account earned that day is held. */
  held: boolean;
};
/** `told`: the level that was reported, and what was expected then. */
type Sum = { day: string; expected: number; brought: number; told: number; toldAt: number };

/** Chance from which on it is named, and from which on what was earned is held. */
const NAMED = 1e-6;
const HELD = 1e-9;
const MAX_KEYS = 200_000;

/** At most the chance of so few shares where so many were to be expected (Chernoff's bound); with none exactly that. */
export const chanceOf = (brought: number, expected: number): number =>
  brought >= expected ? 1 : Math.exp(brought - expected - (brought && brought * Math.log(brought / expected)));

type Of = Pick<Withheld, 'algorithm' | 'subAccountId'> & {
  worker: string;
  account: string;
  network: string;
  /** Unix milliseconds. */
  at: number;
};

export class Withholding {
  private readonly sums = new LRUCache<string, Sum>({ max: MAX_KEYS });

  constructor(private readonly report: (withheld: Withheld) => void) {}

  /** Counts a credited share. `expected`: shares of the upstream that it is worth; `brought`: whether it was one. */
  note({ algorithm, subAccountId, worker, account, network, at }: Of, expected: number, brought: boolean): void {
    const day = new Date(at).toISOString().slice(0, 10);
    const about = { algorithm, subAccountId, day };
    for (const who of [`${account}.${worker}`, network, account]) {
      const sum = this.add(`${algorithm} ${who}`, day, expected, brought);
      const chance = chanceOf(sum.brought, sum.expected);
      const level = chance < HELD ? HELD : chance < NAMED ? NAMED : 1;
      if (level === 1 || (level >= sum.told && sum.expected < 2 * sum.toldAt)) continue;
      Object.assign(sum, { told: level, toldAt: sum.expected });
      this.report({ ...about, who, expected: sum.expected, brought: sum.brought, held: level === HELD });
    }
  }

  private add(key: string, day: string, expected: number, brought: boolean): Sum {
    const known = this.sums.get(key);
    const sum = known?.day === day ? known : { day, expected: 0, brought: 0, told: 1, toldAt: 0 };
    if (sum !== known) this.sums.set(key, sum);
    sum.expected += expected;
    if (brought) sum.brought += 1;
    return sum;
  }
}
