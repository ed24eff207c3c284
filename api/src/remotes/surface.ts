/** What the shell offers to remotes (its `surface.txt`), and what a version uses of it (its `uses.txt`). */
import { readFile, stat } from 'node:fs/promises';

/** Each line of a surface with its section before it: `@pool/shared/ui/core · Button: …`. */
export function linesIn(surface: string): string[] {
  let section = '';
  return surface
    .split('\n')
    .slice(1)
    .flatMap((line) => {
      if (line.startsWith('## ')) section = line.slice('## '.length);
      return line && !line.startsWith('## ') ? [`${section} · ${line}`] : [];
    });
}

export const nameOf = (line: string): string => line.split(':', 1)[0] ?? line;

/** `2.0.0` or, before it is released, `2.0.0-next.<hash>`. */
export const versionIn = (surface: string): string => /^@pool\/shared ([^:\s]+)/.exec(surface)?.[1] ?? '0.0.0';

/** A line of `uses.txt`. Others are not repeated: visitors see what a remote lacks. */
const USE = /^[\w@/ -]{1,60} · [\w$./{} -]{1,80}$/;

/** Names in `uses.txt` that the surface does not have, without their sections. */
export function lackingIn(uses: string, surface: string): string[] {
  const known = new Set(linesIn(surface).map(nameOf));
  const unknown = uses
    .split('\n')
    .filter((line) => line && !known.has(line))
    .map((line) => (USE.test(line) ? line : 'uses.txt · ?'));
  return [...new Set(unknown.map((line) => line.split(' · ')[1] ?? line))];
}

/** `file`: the surface of the deployed shell; a shell without one, or none, is taken to have everything. */
export class ShellSurface {
  private read = { at: 0, text: '' };
  private readonly lacking = new Map<string, string[]>();

  constructor(private readonly file: string) {}

  /** Reads the file again if it has changed. */
  async look(): Promise<void> {
    const { mtimeMs = 0 } = (await stat(this.file).catch(() => null)) ?? {};
    if (mtimeMs === this.read.at) return;
    this.read = { at: mtimeMs, text: await readFile(this.file, 'utf8').catch(() => '') };
    this.lacking.clear();
  }

  /** What the shell lacks of what a version (`<name>/<version>`) uses. */
  async lackedBy(version: string, uses: () => Promise<string>): Promise<string[]> {
    const known = this.lacking.get(version);
    if (known) return known;
    const found = this.read.text ? lackingIn(await uses(), this.read.text) : [];
    this.lacking.set(version, found);
    return found;
  }
}
