/** What is wrong with deployed remotes now: said in the log once, and on the admin's System page while it lasts. */
import { isAbsent } from './own-file';
import type { Logger } from '../platform/log';

/** `what`: a remote, `<name>/<version>`, or a file of it. */
export type Fault = { what: string; why: string };

/** Faults that are kept: names of files that are asked for can be made up. */
const MOST = 200;

export class Faults {
  private readonly known = new Map<string, Fault>();

  constructor(private readonly log: Logger) {}

  /** `outcome`: what the pool does instead. */
  note(what: string, error: unknown, outcome = 'it is left out'): void {
    const why = error instanceof Error ? error.message : String(error);
    if (this.known.get(what)?.why === why || this.known.size >= MOST) return;
    this.known.set(what, { what, why });
    this.log.error({ err: error, remote: what }, `a deployed remote cannot be used; ${outcome}`);
  }

  /** A version that a pointer names is not there. */
  noteAbsent(what: string): void {
    if (!this.known.has(what)) this.note(what, new Error('there is no such version with a manifest.json'));
  }

  /** Nothing is wrong with it any more. */
  mended(what: string): void {
    this.known.delete(what);
  }

  /**
   * Reads what a team has deployed: whatever is wrong with it, that remote alone is without it. Null: it is not there,
   * or cannot be used.
   */
  async guard<T>(what: string, read: () => Promise<T>, outcome?: string): Promise<T | null> {
    try {
      const found = await read();
      this.mended(what);
      return found;
    } catch (error) {
      if (isAbsent(error)) this.mended(what);
      else this.note(what, error, outcome);
      return null;
    }
  }

  /** `isServed`: whether the pool serves this remote, or this version of it. */
  list(isServed: (name: string, version: string | undefined) => boolean): Fault[] {
    return [...this.known.values()].filter(({ what }) => {
      const [name = '', version] = what.split('/');
      return isServed(name, version);
    });
  }
}
