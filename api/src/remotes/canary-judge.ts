import type { Logger } from '../platform/log';
import { siteOf } from '../platform/network-of';
import { Comparison, type Verdict } from './canary';
import type { ClientReport } from './figures';
import type { Pointer } from './pointers';
import type { RemoteRegistry } from './registry';
import { versionFor, type Caller } from './version-for';

/** Interval of looking whether the time of a canary is over. */
const CHECK_MS = 5_000;
/** Name in the pointer's history for moves of the pool itself. */
const WHO = 'pool';

export type Decided = { name: string; version: string } & Verdict;

/** Compares each remote's canary with its current version, and moves the pointer when they differ clearly. */
export class CanaryJudge {
  private readonly comparisons = new Map<string, Comparison>();
  private readonly timer: NodeJS.Timeout;

  /** `decided` is told after the pointer was moved. */
  constructor(
    private readonly registry: RemoteRegistry,
    private readonly log: Logger,
    private readonly decided: (decision: Decided) => Promise<void>,
  ) {
    this.timer = setInterval(() => void this.check(), CHECK_MS).unref();
  }

  stop(): void {
    clearInterval(this.timer);
  }

  async take(me: Caller, ip: string, report: ClientReport): Promise<void> {
    // Errors may come long after the mount that they are of.
    for (const name of new Set([...report.mounts, ...report.errors].map(({ remote }) => remote))) {
      if (name === null) continue;
      const pointer = await this.registry.pointerOf(name);
      const comparison = pointer && (await this.comparison(name, pointer));
      if (!comparison) continue;
      comparison.take({ site: siteOf(ip), account: me.user.id }, name, versionFor(me, pointer), report);
      await this.decide(name, comparison);
    }
  }

  /** Null: the remote has no canary. Other versions or shares begin another comparison. */
  private async comparison(name: string, { version, canary }: Pointer): Promise<Comparison | null> {
    if (!canary) {
      this.comparisons.delete(name);
      return null;
    }
    const known = this.comparisons.get(name);
    const pointer = { version, canary };
    if (known?.isOf(pointer)) {
      known.pointer = pointer;
      return known;
    }
    const comparison = new Comparison(pointer, await this.registry.canarySince(name));
    this.comparisons.set(name, comparison);
    return comparison;
  }

  private async check(): Promise<void> {
    for (const [name, comparison] of this.comparisons)
      try {
        await this.registry.tellCanary(name, comparison.state());
        await this.decide(name, comparison);
      } catch (error) {
        this.log.error({ err: error, remote: name }, 'the folder of a remote could not be changed');
      }
  }

  private async decide(name: string, comparison: Comparison): Promise<void> {
    const verdict = comparison.verdict(Date.now());
    if (!verdict) return;
    const { version, canary } = comparison.pointer;
    this.comparisons.delete(name);
    const to = verdict.what === 'rollback' ? { version, withdrawn: [canary.version] } : { version: canary.version };
    const moved = await this.registry.switchTo(
      name,
      { ...verdict, at: new Date(), who: WHO, to },
      (pointer) => pointer.version === version && pointer.canary?.version === canary.version,
    );
    if (moved) await this.decided({ name, version: canary.version, ...verdict });
  }
}
