/** Files of deployed versions (`<name>/<version>/`), which never change: as their team signed them, or not at all. */
import { stat } from 'node:fs/promises';
import { join } from 'node:path';
import { z } from 'zod';
import type { RemoteManifest } from '@pool/shared/contract';
import type { RemoteKeys } from '../platform/settings/remote-keys';
import type { Faults } from './faults';
import { manifestFrom } from './manifest';
import { isAbsent, type Opened, openOwn, readOwn } from './own-file';
import { checkRelease, hashOf, readChecked, type Release } from './release';
import type { ShellSurface } from './surface';

const FIRST_VIEW = 'first-view.cjs';
const MANIFEST = 'manifest.json';
const USES = 'uses.txt';
const texts = z.record(z.string(), z.string());
const WITHOUT_IT = 'pages come without it';

export type VersionOptions = {
  folder: string;
  faults: Faults;
  keys: RemoteKeys;
  /** Besides the pool's own: files of remotes may be there. */
  origins: readonly string[];
  shell: ShellSurface | null;
};

export class Versions {
  private readonly manifests = new Map<string, Promise<RemoteManifest | null>>();
  /** Versions whose signature was checked, by `<name>/<version>`. */
  private readonly releases = new Map<string, Release>();

  constructor(private readonly options: VersionOptions) {}

  private reader(at: string): (file: string) => Promise<Buffer> {
    return (file) => readOwn(this.options.folder, `${at}/${file}`);
  }

  /** Rejects where it is not there, or not as it was signed. `at`: `<name>/<version>`. */
  private read(at: string, file: string): Promise<Buffer> {
    const release = this.releases.get(at);
    return release ? readChecked(this.reader(at), file, release) : this.reader(at)(file);
  }

  /** Texts of a file in its `locales`, by key; null: it is not there, or cannot be used. */
  texts(name: string, version: string, file: string): Promise<Record<string, string> | null> {
    const [at, path] = [`${name}/${version}`, `locales/${file}`];
    const read = async () => texts.parse(JSON.parse((await this.read(at, path)).toString()));
    return this.options.faults.guard(`${at}/${path}`, read, WITHOUT_IT);
  }

  /** A file to be sent, which its reader closes; null: none of its team's. Browsers check what it holds. */
  async open(name: string, version: string, file: string): Promise<Opened | null> {
    const at = `${name}/${version}`;
    const release = this.releases.get(at);
    if (release && !Object.hasOwn(release.files, file.replace(/\.(br|gz)$/, ''))) return null;
    return this.options.faults.guard(`${at}/${file}`, () => openOwn(this.options.folder, `${at}/${file}`));
  }

  /** Each is read once; a failed read is repeated. Null: there is no such version, or it is not as it has to be. */
  manifest(name: string, version: string): Promise<RemoteManifest | null> {
    const { folder, faults, keys, origins } = this.options;
    const at = `${name}/${version}`;
    const known = this.manifests.get(at);
    if (known) return known;
    const found = faults.guard(at, async () => {
      await stat(join(folder, at, MANIFEST));
      if (keys.size > 0) this.releases.set(at, await checkRelease(this.reader(at), { name, version }, keys));
      const content = await this.read(at, MANIFEST);
      return manifestFrom(name, version, JSON.parse(content.toString()) as object, origins);
    });
    this.manifests.set(at, found);
    void found.then((manifest) => manifest ?? this.manifests.delete(at));
    return found;
  }

  /** Script of a remote's first view (shared/src/first-view); null: it has none. */
  firstView({ name, version, files }: RemoteManifest): Promise<string | null> {
    const path = `${name}/${version}/${FIRST_VIEW}`;
    const read = async (): Promise<string> => {
      const code = await readOwn(this.options.folder, path);
      const [, known] = Object.entries(files ?? {}).find(([url]) => url.endsWith(`/remotes/${path}`)) ?? [];
      if (known !== hashOf(code)) throw new Error(`the manifest has another hash of ${FIRST_VIEW}, or none`);
      return code.toString();
    };
    return this.options.faults.guard(path, read, WITHOUT_IT);
  }

  /** What the shell lacks of what it uses; null: its list cannot be read. */
  async lackedBy({ name, version }: RemoteManifest): Promise<string[] | null> {
    const { faults, shell } = this.options;
    if (!shell) return [];
    const at = `${name}/${version}`;
    const what = `${at}/${USES}`;
    const uses = () => this.read(at, USES).catch((error: unknown) => (isAbsent(error) ? '' : Promise.reject(error)));
    try {
      const lacks = await shell.lackedBy(at, async () => (await uses()).toString());
      if (lacks.length === 0) faults.mended(what);
      else faults.note(what, new Error(`the shell's @pool/shared lacks ${lacks.join(', ')}`), 'it is refused');
      return lacks;
    } catch (error) {
      faults.note(what, error);
      return null;
    }
  }
}
