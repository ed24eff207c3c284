/** How versions of remotes do in the browsers, since the server's start: mounts, their errors and times. */
import { LRUCache } from 'lru-cache';
import { type Counter, Histogram, type Registry } from 'prom-client';
import type { Contract } from '@pool/shared/api/contract';
import type { z } from 'zod';
import type { Logger } from '../platform/log';
import { counter } from '../platform/metrics';
import type { RemoteRegistry } from './registry';

export type ClientReport = z.output<Contract['POST /client-errors']['body']>;
type ClientError = ClientReport['errors'][number];

/** Kinds that leave no usable page; the alarm RemoteFails counts them (docs/monitoring/alerts.yml). */
const ALARMING: readonly ClientError['kind'][] = ['crash', 'load', 'unfinished'];

/** Errors of one user in a version that the metrics count in the alarm's time: nobody raises it alone. */
const OF_A_USER = 4;
const ALARM_MS = 15 * 60_000;
const USERS = 10_000;
/** The last times of a version that its p95 is of. */
const TIMES = 500;
/** Different errors that are kept of a version. */
const ERRORS = 20;

/** `faulty`: mounts with an error of any kind but `slow`. `errors`: the most frequent first. */
export type Figures = NonNullable<Remote['versions'][number]['figures']>;
type Remote = z.output<Contract['GET /admin/system']['response']>['remotes'][number];

type Known = { mounts: number; faulty: number; times: number[]; errors: Map<string, Figures['errors'][number]> };

/** The 95th percentile; null of none. */
export const p95 = (times: readonly number[]): number | null =>
  times.toSorted((a, b) => a - b)[Math.ceil(times.length * 0.95) - 1] ?? null;

const SHELL = 'shell';

export class RemoteFigures {
  private readonly known = new Map<string, Known>();
  private readonly flags = new Map<string, Pick<Figures, 'mounts' | 'faulty'>>();
  /** Errors that were counted, by user, version and kind. */
  private readonly counted = new LRUCache<string, number>({ max: USERS, ttl: ALARM_MS, noUpdateTTL: true });
  private readonly counters: { mounts: Counter; errors: Counter; seconds: Histogram };

  constructor(
    private readonly registry: Pick<RemoteRegistry, 'isThere'>,
    private readonly log: Logger,
    metrics: Registry,
  ) {
    const labelNames = ['remote', 'version'];
    const errors = 'Errors in browsers, by kind; of the remote "shell": those of no remote';
    this.counters = {
      mounts: counter(metrics, 'remote_mounts_total', 'Mounts in browsers', labelNames),
      errors: counter(metrics, 'remote_errors_total', errors, [...labelNames, 'kind']),
      seconds: new Histogram({
        name: 'remote_mount_seconds',
        help: 'Time from the beginning to the end of a mount in browsers',
        labelNames,
        buckets: [0.05, 0.1, 0.25, 0.5, 1, 2, 3, 5, 10, 30],
        registers: [metrics],
      }),
    };
  }

  /** `flagsOf`: what is on for this user, by remote. */
  takeFlags(flagsOf: ReadonlyMap<string, readonly string[]>, { mounts, errors }: ClientReport): void {
    const add = (remote: string | null, what: 'mounts' | 'faulty', count: number): void => {
      for (const flag of flagsOf.get(remote ?? '') ?? []) {
        const known = this.flags.get(flag) ?? { mounts: 0, faulty: 0 };
        known[what] += count;
        this.flags.set(flag, known);
      }
    };
    for (const { remote } of mounts) add(remote, 'mounts', 1);
    for (const { remote, faultyMounts } of errors) add(remote, 'faulty', faultyMounts);
  }

  /** Null: no browser has told of it. */
  readFlag(flag: string): Pick<Figures, 'mounts' | 'faulty'> | null {
    const known = this.flags.get(flag);
    return known ? { ...known, faulty: Math.min(known.faulty, known.mounts) } : null;
  }

  /** Versions that are not deployed are left out: anybody can make up their names. */
  async take(userId: number, { shell, mounts, errors }: ClientReport): Promise<void> {
    for (const { remote, version, ms } of mounts) {
      const known = await this.of(remote, version);
      if (!known) continue;
      known.mounts += 1;
      this.counters.mounts.inc({ remote, version });
      if (ms === null) continue;
      known.times.push(ms);
      if (known.times.length > TIMES) known.times.shift();
      this.counters.seconds.observe({ remote, version }, ms / 1000);
    }
    for (const error of errors) await this.takeError(userId, error, shell);
  }

  private async takeError(userId: number, { faultyMounts, ...error }: ClientError, shell: string): Promise<void> {
    const { kind, message, count, remote, version } = error;
    const known = remote !== null && version !== null ? await this.of(remote, version) : null;
    if (remote !== null && !known) return;
    // The shell's builds are not listed: their names would be labels that anybody makes up.
    const labels = known && remote !== null && version !== null ? { remote, version } : { remote: SHELL, version: '' };
    const key = [userId, labels.remote, labels.version, kind].join(' ');
    const already = this.counted.get(key) ?? 0;
    const counted = Math.min(count, OF_A_USER - already);
    this.counted.set(key, already + counted);
    this.counters.errors.inc({ ...labels, kind }, counted);
    if (!known) {
      this.log.warn({ client: error, shell }, 'an error in a browser');
      return;
    }
    known.faulty += faultyMounts;
    const name = `${kind} ${message}`;
    const before = known.errors.get(name);
    if (before) before.count += count;
    else if (known.errors.size < ERRORS) {
      known.errors.set(name, { kind, message, count });
      this.log.warn({ client: error, shell }, 'an error of a remote in a browser');
    }
  }

  private async of(remote: string, version: string): Promise<Known | null> {
    const name = `${remote}/${version}`;
    if (!this.known.has(name) && (await this.registry.isThere(remote, version))) {
      this.known.set(name, { mounts: 0, faulty: 0, times: [], errors: new Map() });
      // Prometheus sees an increase only of what was there before.
      for (const kind of ALARMING) this.counters.errors.inc({ remote, version, kind }, 0);
    }
    return this.known.get(name) ?? null;
  }

  /** Null: no browser has told of this version. */
  read(remote: string, version: string): Figures | null {
    const known = this.known.get(`${remote}/${version}`);
    if (!known) return null;
    const { mounts, faulty, times, errors } = known;
    return {
      mounts,
      faulty: Math.min(faulty, mounts),
      p95Ms: p95(times),
      errors: [...errors.values()].sort((a, b) => b.count - a.count),
    };
  }
}
