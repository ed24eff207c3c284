/** Who is connected, until the next batch carries it into the database. Worth less than a share: a crash may lose it. */
import { workerKey } from './rollup';
import type { WorkerPresence } from '../stratum/ports';
import type { Live } from './worker-rows';

export class PresenceBook {
  private readonly lives = new Map<string, Live & { dirty: boolean }>();

  note({ connected, at, ...presence }: WorkerPresence): void {
    const key = workerKey(presence);
    const known = this.lives.get(key);
    if (connected) {
      const connectedAt = known?.disconnectedAt === null ? known.connectedAt : at;
      this.lives.set(key, { ...presence, connectedAt, disconnectedAt: null, dirty: true });
    } else if (known) {
      this.lives.set(key, { ...known, difficulty: null, disconnectedAt: at, dirty: true });
    }
  }

  dirty(): Live[] {
    return [...this.lives.values()].filter((live) => live.dirty);
  }

  /** `written` are in the database now. Who left and was never written had no share: forgotten. */
  settled(lives: readonly Live[], written: ReadonlySet<string>): void {
    for (const live of lives) {
      const key = workerKey(live);
      const now = this.lives.get(key);
      if (now !== live) continue;
      if (live.disconnectedAt !== null) this.lives.delete(key);
      else if (written.has(key)) now.dirty = false;
    }
  }
}
