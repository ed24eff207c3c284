/** The deployed remotes. A deploy adds an immutable folder and changes the pointer, which is noticed by itself. */
import { createHash } from 'node:crypto';
import { readdir, stat } from 'node:fs/promises';
import { join } from 'node:path';
import { allows, createAbility, type Rule } from '@pool/shared/ability';
import type { RemoteManifest } from '@pool/shared/contract';
import type { Logger } from '../platform/log';
import { isGated, manifestFrom, withAllowedCalls, withoutTaken } from './manifest';
import { readOwn } from './own-file';
import {
  movePointer,
  readHistory,
  readPointer,
  standingVersions,
  VERSION,
  withFolderLock,
  type Move,
  type Pointer,
} from './pointers';
import type { RemoteKeys } from '../platform/settings/remote-keys';
import { checkRelease, readChecked, type Release } from './release';
import type { ShellSurface } from './surface';
import { versionFor, type Caller } from './version-for';

const NAME = /^[a-z][a-z0-9-]{0,40}$/;

/** Interval of reading the pointers, and the shell's surface. */
const CHECK_MS = 500;
const LEFT_OUT = 'it is left out';
const FIRST_VIEW = 'first-view.cjs';
const MANIFEST = 'manifest.json';
/** Every page holds the manifests of all remotes. In bytes. */
const MAX_MANIFEST = 128 * 1024;

const VISITOR = createAbility();

type Deployed = { name: string; pointer: Pointer };

export class RemoteRegistry {
  private readonly manifests = new Map<string, Promise<RemoteManifest | null>>();
  /** Last pointer of each remote that could be read. */
  private readonly lastPointers = new Map<string, Pointer>();
  private readonly reported = new Set<string>();
  /** Versions whose signature was checked, by `<name>/<version>`. */
  private readonly releases = new Map<string, Release>();
  private deployed: { until: number; list: Promise<Deployed[]> } = { until: 0, list: Promise.resolve([]) };

  constructor(
    private readonly folder: string,
    private readonly log: Logger,
    private readonly keys: RemoteKeys = new Map(),
    /** Besides the pool's own: files of remotes may be there. */
    readonly origins: readonly string[] = [],
    private readonly shell: ShellSurface | null = null,
  ) {}

  private report(what: string, error: unknown, outcome = LEFT_OUT): void {
    if (this.reported.has(what)) return;
    this.reported.add(what);
    this.log.error({ err: error, remote: what }, `a deployed remote cannot be used; ${outcome}`);
  }

  private reader(name: string, at: string): (file: string) => Promise<Buffer> {
    return (file) => readOwn(this.folder, `${name}/${at}/${file}`, file === MANIFEST ? MAX_MANIFEST : undefined);
  }

  /** A file of a version; null: it is not there. Rejects where it is not as it was signed. */
  async readFile(name: string, at: string, file: string): Promise<Buffer | null> {
    const release = this.releases.get(`${name}/${at}`);
    const read = this.reader(name, at);
    try {
      return await (release ? readChecked(read, file, release) : read(file));
    } catch (error) {
      if ((error as NodeJS.ErrnoException).code === 'ENOENT') return null;
      this.report(`${name}/${at}/${file}`, error);
      throw error;
    }
  }

  private async checkSignature(name: string, version: string): Promise<void> {
    if (this.keys.size === 0) return;
    this.releases.set(
      `${name}/${version}`,
      await checkRelease(this.reader(name, version), { name, version }, this.keys),
    );
  }

  /** Manifests never change, so each is read once; a failed read is repeated. */
  private manifest(name: string, at: string): Promise<RemoteManifest | null> {
    const key = `${name}/${at}`;
    const known = this.manifests.get(key);
    if (known) return known;
    const read = stat(join(this.folder, name, at, MANIFEST))
      .then(() => this.checkSignature(name, at))
      .then(() => this.readFile(name, at, MANIFEST))
      .then((content) => manifestFrom(name, at, JSON.parse(String(content)) as object, this.origins))
      .catch((error: unknown) => {
        this.manifests.delete(key);
        if ((error as NodeJS.ErrnoException).code !== 'ENOENT') this.report(key, error);
        return null;
      });
    this.manifests.set(key, read);
    return read;
  }

  /** Whether this version of a remote is deployed here. */
  async isThere(name: string, at: string): Promise<boolean> {
    return NAME.test(name) && VERSION.test(at) && (await this.manifest(name, at)) !== null;
  }

  /** Script of a remote's first view (shared/src/first-view); null: it has none. */
  async firstView({ name, version: at, files }: RemoteManifest): Promise<string | null> {
    const code = await this.reader(name, at)(FIRST_VIEW).catch(() => null);
    if (code === null) return null;
    const hash = `sha384-${createHash('sha384').update(code).digest('base64')}`;
    const [, known] =
      Object.entries(files ?? {}).find(([url]) => url.endsWith(`/remotes/${name}/${at}/${FIRST_VIEW}`)) ?? [];
    if (known === hash) return code.toString();
    const what = `${name}/${at}/${FIRST_VIEW}`;
    this.report(what, new Error(`the manifest has another hash of ${FIRST_VIEW}, or none`), 'pages come without it');
    return null;
  }

  /** Null: not deployed. A pointer that cannot be read, such as one that is just being copied, changes nothing. */
  private async readPointer(name: string): Promise<Pointer | null> {
    try {
      const found = await readPointer(join(this.folder, name));
      if (found) this.lastPointers.set(name, found);
      return found && (await this.withoutRefused(name, found));
    } catch (error) {
      const last = this.lastPointers.get(name) ?? null;
      this.report(name, error, last ? 'its last pointer is used' : LEFT_OUT);
      return last;
    }
  }

  /** Pointer, with the version before in place of one that is not signed as it has to be. */
  private async withoutRefused(name: string, { version, canary, ...rest }: Pointer): Promise<Pointer> {
    if (this.keys.size === 0) return { version, canary, ...rest };
    const isRight = async (at: string): Promise<boolean> => (await this.manifest(name, at)) !== null;
    const kept = canary && (await isRight(canary.version)) ? { canary } : {};
    if (await isRight(version)) return { version, ...kept, ...rest };
    const history = await readHistory(join(this.folder, name));
    for (const before of standingVersions(history).toReversed())
      if (await isRight(before)) return { version: before, ...rest };
    return { version, ...rest };
  }

  private async readPointers(): Promise<Deployed[]> {
    await this.shell?.look();
    const names = (await readdir(this.folder).catch(() => [])).filter((name) => NAME.test(name)).sort();
    const found = await Promise.all(names.map(async (name) => ({ name, pointer: await this.readPointer(name) })));
    return found.filter((entry): entry is Deployed => entry.pointer !== null);
  }

  private pointers(): Promise<Deployed[]> {
    if (performance.now() >= this.deployed.until)
      this.deployed = { until: performance.now() + CHECK_MS, list: this.readPointers() };
    return this.deployed.list;
  }

  /** Calls `changed` after a pointer has changed. Returns what ends it. */
  watch(changed: () => void): () => void {
    let before: string | undefined;
    const check = async (): Promise<void> => {
      const found = JSON.stringify(await this.pointers());
      if (before !== undefined && found !== before) changed();
      before = found;
    };
    void check();
    const checks = setInterval(() => void check(), CHECK_MS).unref();
    return () => clearInterval(checks);
  }

  /** All deployed remotes with every version that is there, the newest first, and the moves of their pointers. */
  async overview(): Promise<(Deployed & { versions: { version: string; deployedAt: Date }[]; history: Move[] })[]> {
    return Promise.all(
      (await this.readPointers()).map(async ({ name, pointer: at }) => {
        const entries = await readdir(join(this.folder, name), { withFileTypes: true });
        const versions = await Promise.all(
          entries
            .filter((entry) => entry.isDirectory() && VERSION.test(entry.name))
            .map(async (entry) => ({
              version: entry.name,
              deployedAt: (await stat(join(this.folder, name, entry.name))).mtime,
            })),
        );
        return {
          name,
          pointer: at,
          versions: versions.sort((a, b) => b.deployedAt.getTime() - a.deployedAt.getTime()),
          history: await readHistory(join(this.folder, name)),
        };
      }),
    );
  }

  /** Serves another version. Returns the pointer before; null: a version is not deployed, or it is not `expected`. */
  async switchTo(
    name: string,
    made: Pick<Move, 'who' | 'what' | 'to' | 'why'> & { at: Date },
    expected: (pointer: Pointer) => boolean,
  ): Promise<Pointer | null> {
    const { version, canary } = made.to;
    const wanted = canary ? [version, canary.version] : [version];
    if ((await Promise.all(wanted.map((at) => this.isThere(name, at)))).includes(false)) return null;
    const folder = join(this.folder, name);
    return withFolderLock(folder, async () => {
      const before = await this.readPointer(name);
      if (!before || !expected(before)) return null;
      await movePointer(folder, made);
      this.deployed.until = 0;
      return before;
    });
  }

  /** Null: not deployed. */
  async pointerOf(name: string): Promise<Pointer | null> {
    return (await this.pointers()).find((entry) => entry.name === name)?.pointer ?? null;
  }

  /** ms of the beginning of its canary, by the history; without one: now. */
  async canarySince(name: string): Promise<number> {
    const began = (await readHistory(join(this.folder, name))).findLast(({ what }) => what === 'canary');
    return began ? Date.parse(began.at) : Date.now();
  }

  async hasCanary(): Promise<boolean> {
    return (await this.pointers()).some(({ pointer: { canary } }) => canary);
  }

  /** `<name>/<version>` of all deployed versions; of a remote with a canary, the caller's version comes last. */
  async deployedVersions(me: Caller | null): Promise<string[]> {
    return (await this.pointers()).flatMap(({ name, pointer: at }) => {
      const versions = new Set([at.version, ...(at.canary ? [at.canary.version] : [])]);
      const own = versionFor(me, at);
      versions.delete(own);
      return [...versions, own].map((each) => `${name}/${each}`);
    });
  }

  private async lackedBy({ name, version }: RemoteManifest): Promise<string[]> {
    const at = `${name}/${version}`;
    const read = () => this.readFile(name, version, 'uses.txt');
    const lacks = (await this.shell?.lackedBy(at, read)) ?? [];
    if (lacks.length > 0)
      this.report(at, new Error(`the shell's @pool/shared lacks ${lacks.join(', ')}`), 'it is refused');
    return lacks;
  }

  /** All remotes, each in the caller's version. */
  async allFor(me: Caller | null): Promise<RemoteManifest[]> {
    const manifests = await Promise.all(
      (await this.pointers()).map(async ({ name, pointer: at }) => {
        const found = (await this.manifest(name, versionFor(me, at))) ?? (await this.manifest(name, at.version));
        const lacks = found ? await this.lackedBy(found) : [];
        return (
          found && { ...found, ...(at.withdrawn && { withdrawn: at.withdrawn }), ...(lacks.length > 0 && { lacks }) }
        );
      }),
    );
    return withoutTaken(
      manifests.filter((manifest) => manifest !== null),
      (taken, error) => this.report(taken, error),
    );
  }

  /** The remotes this caller may load, each in the caller's version, in the order of their navigation. */
  async listFor(me: Caller | null): Promise<RemoteManifest[]> {
    const ability = me?.ability ?? VISITOR;
    return (await this.allFor(me))
      .filter((manifest) => allows(ability, manifest.requires))
      .map((manifest) => withAllowedCalls(manifest, ability))
      .sort((a, b) => (a.nav[0]?.order ?? 0) - (b.nav[0]?.order ?? 0) || a.name.localeCompare(b.name));
  }

  /** Page that takes the code of an invitation, once its visitor has signed up; null: no remote has one. */
  async invitationPage(code: string): Promise<string | null> {
    const page = (await this.allFor(null)).find(({ opens }) => opens?.invitation)?.opens?.invitation;
    return page?.replace('{id}', encodeURIComponent(code)) ?? null;
  }

  /** Which callers may load files of this version, by its rule and by that of the current one. */
  async access(
    name: string,
    at: string,
  ): Promise<{ kind: 'everybody' | 'nobody' } | { kind: 'gated'; rules: (Rule | undefined)[] }> {
    if (!NAME.test(name) || !VERSION.test(at)) return { kind: 'nobody' };
    const own = await this.manifest(name, at);
    if (!own) return { kind: 'nobody' };
    const now = await this.pointerOf(name);
    const current = now && (await this.manifest(name, now.version));
    const rules = [own.requires, (current ?? own).requires];
    return rules.some(isGated) ? { kind: 'gated', rules } : { kind: 'everybody' };
  }

  static meets(me: Caller | null, rules: readonly (Rule | undefined)[]): boolean {
    const ability = me?.ability ?? VISITOR;
    return me !== null && rules.every((rule) => allows(ability, rule));
  }

  /** Whether no remote is deployed, for /ready and the start's message. */
  async isEmpty(): Promise<boolean> {
    return (await this.pointers()).length === 0;
  }
}
