/** What a fault costs the profile of several processes: pages, counting, miners. */
import { setTimeout as wait } from 'node:timers/promises';
import { eventually } from '../../api/src/testing/eventually';
import { ask } from './databases';
import type { Project } from './engine';
import type { Report } from './report';
import type { Swarm } from './swarm';

export const PAGES = 'http://127.0.0.2:8080';

export const page = (): Promise<boolean> =>
  fetch(`${PAGES}/ready`, { signal: AbortSignal.timeout(3000) }).then(
    ({ ok }) => ok,
    () => false,
  );

export class Scaled {
  constructor(
    readonly project: Project,
    readonly report: Report,
    readonly swarm: Swarm,
  ) {}

  shares = async (): Promise<number> =>
    Number(await ask(this.project, 'select coalesce(sum(shares), 0) from account_1d'));

  async counts(): Promise<void> {
    const before = await eventually(() => this.shares().catch(() => 0), 'a count', 120_000);
    await eventually(async () => (await this.shares().catch(() => 0)) > before, 'shares that are counted', 120_000);
  }

  /** Brings a fault about, and adds a line of what it cost to the report. */
  check(name: string, hit: () => Promise<unknown>): Promise<boolean> {
    return this.report.check(`${this.project.profile}: ${name}`, async () => {
      this.swarm.report();
      const begun = performance.now();
      const away = this.watchPages();
      await hit();
      await this.counts();
      const counted = performance.now() - begun;
      await eventually(page, `pages after ${name}`, 120_000);
      const longestAway = await away();
      const { lost, longest, p99 } = await this.untilAllWork(name);
      const s = (ms: number): string => (ms / 1000).toFixed(1);
      this.report.figures.push(`| ${name} | ${s(longestAway)} | ${s(counted)} | ${lost} | ${s(longest)} | ${s(p99)} |`);
    });
  }

  /** Asks for a page ten times a second. Returns what ends that, and the longest time without one. */
  private watchPages(): () => Promise<number> {
    let good = performance.now();
    let away = 0;
    let over = false;
    const looking = (async () => {
      while (!over) {
        if (await page()) good = performance.now();
        away = Math.max(away, performance.now() - good);
        await wait(100);
      }
    })();
    return async () => {
      over = true;
      await looking;
      return away;
    };
  }

  private async untilAllWork(name: string): Promise<{ lost: number; longest: number; p99: number }> {
    let [lost, longest, p99] = [0, 0, 0];
    const isDone = (): boolean => {
      const part = this.swarm.report();
      lost += part.lost;
      longest = Math.max(longest, part.longestWithoutWork);
      p99 = Math.max(p99, part.p99);
      return part.withoutWork === 0;
    };
    await eventually(isDone, `work for every miner after ${name}`, 300_000);
    return { lost, longest, p99 };
  }
}
