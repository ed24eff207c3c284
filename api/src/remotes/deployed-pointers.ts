/** Pointers of the deployed remotes: which version of each is served. Another one is noticed within half a second. */
import { readdir } from 'node:fs/promises';
import { join } from 'node:path';
import type { RemoteKeys } from '../platform/settings/remote-keys';
import { TtlCache } from '../platform/ttl-cache';
import type { Faults } from './faults';
import { earlierVersions, readHistory, readPointer, type Pointer } from './pointers';
import type { ShellSurface } from './surface';
import type { Versions } from './versions';

export const NAME = /^[a-z][a-z0-9-]{0,40}$/;

/** Interval of reading the pointers, and the shell's surface. */
const CHECK_MS = 500;

export type Deployed = { name: string; pointer: Pointer };
type Parts = { folder: string; faults: Faults; versions: Versions; keys: RemoteKeys; shell: ShellSurface | null };

export class DeployedPointers {
  /** Last pointer of each remote that could be read. */
  readonly last = new Map<string, Pointer>();
  private readonly kept = new TtlCache<Deployed[]>(CHECK_MS);

  constructor(private readonly parts: Parts) {}

  /** All pointers, as they were read up to half a second ago. */
  list(): Promise<Deployed[]> {
    return this.kept.get('', () => this.readAll());
  }

  /** The next `list` reads them. */
  expire(): void {
    this.kept.clear();
  }

  /** Calls `changed` after a pointer has changed. Returns what ends it. */
  watch(changed: () => void): () => void {
    let before: string | undefined;
    const check = async (): Promise<void> => {
      const found = JSON.stringify(await this.list());
      if (before !== undefined && found !== before) changed();
      before = found;
    };
    void check();
    const checks = setInterval(() => void check(), CHECK_MS).unref();
    return () => clearInterval(checks);
  }

  names(): Promise<string[]> {
    return readdir(this.parts.folder).catch(() => []);
  }

  async readAll(): Promise<Deployed[]> {
    await this.parts.shell?.look();
    const names = (await this.names()).filter((name) => NAME.test(name)).sort();
    for (const name of this.last.keys()) if (!names.includes(name)) this.last.delete(name);
    const found = await Promise.all(names.map(async (name) => ({ name, pointer: await this.read(name) })));
    return found.filter((entry): entry is Deployed => entry.pointer !== null);
  }

  /** Null: not deployed. A pointer that cannot be read, such as one that is just being copied, changes nothing. */
  async read(name: string): Promise<Pointer | null> {
    const { faults, folder } = this.parts;
    const last = this.last.get(name) ?? null;
    const read = await faults.guard(
      name,
      async () => ({ found: await readPointer(join(folder, name)) }),
      last ? 'its last pointer is used' : undefined,
    );
    const found = read ? read.found : last;
    if (!found) {
      this.last.delete(name);
      return null;
    }
    this.last.set(name, found);
    return this.withoutRefused(name, found);
  }

  /** Pointer, with the version before in place of one that is not signed as it has to be. */
  private async withoutRefused(name: string, { version, canary, ...rest }: Pointer): Promise<Pointer> {
    const { keys, versions, folder } = this.parts;
    if (keys.size === 0) return { version, canary, ...rest };
    const isRight = async (at: string): Promise<boolean> => (await versions.manifest(name, at)) !== null;
    const kept = canary && (await isRight(canary.version)) ? { canary } : {};
    if (await isRight(version)) return { version, ...kept, ...rest };
    const history = await readHistory(join(folder, name));
    for (const before of earlierVersions(history, rest.withdrawn))
      if (await isRight(before)) return { version: before, ...rest };
    return { version, ...rest };
  }
}
