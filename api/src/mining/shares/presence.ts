/** Connections of workers in memory, until the next batch writes them to the database. A crash may lose them. */
import { workerKey } from './rollup';
import type { WorkerPresence } from '../../stratum/ports';
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

  /** What was written is lost: all are to be written again. */
  allDirty(): void {
    for (const live of this.lives.values()) live.dirty = true;
  }

  /** Call after writing `lives`, `written` of them to the database. Forgets disconnected workers. */
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
