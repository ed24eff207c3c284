/** The deployed remotes. A deploy adds an immutable folder and changes the pointer, which is noticed by itself. */
import { readdir, stat } from 'node:fs/promises';
import { join } from 'node:path';
import { allows, createAbility, type Rule } from '@pool/shared/ability';
import type { RemoteManifest, SlotPlace } from '@pool/shared/contract';
import type { Logger } from '../platform/log';
import { DeployedPointers, NAME, type Deployed } from './deployed-pointers';
import { Faults, type Fault } from './faults';
import type { Granted, Users } from './granted';
import { isGated, withAllowedCalls, withoutTaken } from './manifest';
import {
  movePointer,
  readHistory,
  readPointer,
  VERSION,
  withFolderLock,
  writeCanary,
  type Move,
  type Pointer,
} from './pointers';
import type { RemoteKeys } from '../platform/settings/remote-keys';
import type { ShellSurface } from './surface';
import { versionFor, type Caller } from './version-for';
import { Versions } from './versions';

const VISITOR = createAbility();

/**
 * `budget`: see `remote.json`; KiB. `places`: of the parts that the served version brings to pages of the pool.
 * `connect`: what the served versions ask besides the pool; `flags`: parts of them that are on for some users.
 */
type Overview = Deployed & {
  budget: number | null;
  places: SlotPlace[];
  connect: { origin: string; allowed: boolean }[];
  flags: { flag: string; users: Users }[];
  versions: { version: string; deployedAt: Date }[];
  history: Move[];
};

export class RemoteRegistry {
  readonly versions: Versions;
  private readonly told = new Map<string, string>();
  private readonly faults: Faults;
  readonly pointers: DeployedPointers;

  constructor(
    private readonly folder: string,
    log: Logger,
    keys: RemoteKeys = new Map(),
    /** Besides the pool's own: files of remotes may be there. */
    readonly origins: readonly string[] = [],
    shell: ShellSurface | null = null,
    /** What admins grant; null in tests without a database. */
    readonly granted: Granted | null = null,
  ) {
    this.faults = new Faults(log);
    this.versions = new Versions({ folder, faults: this.faults, keys, origins, shell });
    this.pointers = new DeployedPointers({ folder, faults: this.faults, versions: this.versions, keys, shell });
  }

  /** Whether this version of a remote is deployed here. */
  async isThere(name: string, at: string): Promise<boolean> {
    return NAME.test(name) && VERSION.test(at) && (await this.versions.manifest(name, at)) !== null;
  }

  /** All deployed remotes with every version that is there, the newest first, and the moves of their pointers. */
  async overview(): Promise<Overview[]> {
    return Promise.all(
      (await this.pointers.readAll()).map(async ({ name, pointer: at }) => {
        const entries = await readdir(join(this.folder, name), { withFileTypes: true }).catch(() => []);
        const versions = await Promise.all(
          entries
            .filter((entry) => entry.isDirectory() && VERSION.test(entry.name))
            .map(async ({ name: version }) => {
              // A version may be removed meanwhile, and its time may be any.
              const mtimeMs = await stat(join(this.folder, name, version)).then(
                (found) => found.mtimeMs,
                () => 0,
              );
              return { version, deployedAt: new Date(Math.min(mtimeMs, Date.now())) };
            }),
        );
        const served = await this.versions.manifest(name, at.version);
        const tried = at.canary && (await this.versions.manifest(name, at.canary.version));
        const both = [served, tried].filter((each) => each != null);
        const connect = [...new Set(both.flatMap((each) => each.connect ?? []))];
        const flags = [...new Set(both.flatMap((each) => each.flags ?? []))];
        const allowed = await this.granted?.originsOf({ name, connect });
        return {
          name,
          pointer: at,
          budget: served?.budget?.all ?? null,
          places: served?.slots?.map(({ place }) => place) ?? [],
          connect: connect.map((origin) => ({ origin, allowed: allowed?.includes(origin) ?? false })),
          flags: (await this.granted?.flagsOf({ name, flags })) ?? [],
          versions: versions.sort((a, b) => b.deployedAt.getTime() - a.deployedAt.getTime()),
          history: await readHistory(join(this.folder, name)),
        };
      }),
    );
  }

  /** What is wrong with the remotes and the versions that are to be served. */
  async listFaults(): Promise<Fault[]> {
    await this.allFor(null);
    for (const { name, pointer } of await this.pointers.list())
      if (pointer.canary) await this.versions.manifest(name, pointer.canary.version);
    const names = await this.pointers.names();
    return this.faults.list((name, version) => {
      const pointer = this.pointers.last.get(name);
      const isServed = [pointer?.version, pointer?.canary?.version].includes(version);
      return version === undefined ? names.includes(name) : isServed;
    });
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
      const before = await this.pointers.read(name);
      if (!before || !expected(before)) return null;
      await movePointer(folder, made);
      this.pointers.expire();
      return before;
    });
  }

  /** Shows the part of a remote for a place of the pool's pages, or shows it to nobody. False: it is so already. */
  async switchSlot(
    name: string,
    place: SlotPlace,
    off: boolean,
    made: Pick<Move, 'who'> & { at: Date },
  ): Promise<boolean> {
    const folder = join(this.folder, name);
    return withFolderLock(folder, async () => {
      const to = await readPointer(folder);
      if (!to || (to.slotsOff?.includes(place) ?? false) === off) return false;
      const others = to.slotsOff?.filter((each) => each !== place) ?? [];
      await movePointer(folder, { ...made, what: 'slots', to: { ...to, slotsOff: off ? [...others, place] : others } });
      this.pointers.expire();
      return true;
    });
  }

  /** Leaves what is known of a remote's canary in its folder, where its team reads it. */
  async tellCanary(name: string, text: string): Promise<void> {
    if (this.told.get(name) === text) return;
    await writeCanary(join(this.folder, name), `${text}\n`);
    this.told.set(name, text);
  }

  /** Null: not deployed. */
  async pointerOf(name: string): Promise<Pointer | null> {
    return (await this.pointers.list()).find((entry) => entry.name === name)?.pointer ?? null;
  }

  /** ms of the beginning of its canary, by the history; without one: now. */
  async canarySince(name: string): Promise<number> {
    const began = (await readHistory(join(this.folder, name))).findLast(({ what }) => what === 'canary');
    return began ? Date.parse(began.at) : Date.now();
  }

  async hasCanary(): Promise<boolean> {
    return (await this.pointers.list()).some(({ pointer: { canary } }) => canary);
  }

  /** `<name>/<version>` of all deployed versions; of a remote with a canary, the caller's version comes last. */
  async deployedVersions(me: Caller | null): Promise<string[]> {
    return (await this.pointers.list()).flatMap(({ name, pointer: at }) => {
      const versions = new Set([at.version, ...(at.canary ? [at.canary.version] : [])]);
      const own = versionFor(me, at);
      versions.delete(own);
      return [...versions, own].map((each) => `${name}/${each}`);
    });
  }

  /** All remotes, each in the caller's version. */
  async allFor(me: Caller | null): Promise<RemoteManifest[]> {
    const manifests = await Promise.all(
      (await this.pointers.list()).map(async ({ name, pointer: at }) => {
        const read = (version: string) => this.versions.manifest(name, version);
        const found = (await read(versionFor(me, at))) ?? (await read(at.version));
        const lacks = found && (await this.versions.lackedBy(found));
        if (!found) this.faults.noteAbsent(`${name}/${at.version}`);
        const { withdrawn, slotsOff = [] } = at;
        const slots = found?.slots?.filter(({ place }) => !slotsOff.includes(place));
        // While the database is away nothing is granted.
        const granted = found && (await this.granted?.to(found, me?.user.userName).catch(() => null));
        return (
          lacks && {
            ...found,
            ...(slots && { slots }),
            ...(found.connect && { connect: granted?.connect ?? [] }),
            ...(found.flags && { flags: granted?.flags ?? [] }),
            ...(withdrawn && { withdrawn }),
            ...(lacks.length > 0 && { lacks }),
          }
        );
      }),
    );
    return withoutTaken(
      manifests.filter((manifest) => manifest !== null),
      ({ name, version }, taken) => {
        const what = `${name}/${version}/remote.json`;
        if (taken) this.faults.note(what, taken);
        else this.faults.mended(what);
      },
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

  /**
   * Origins that code in a page with these remotes may ask. A visitor gets those of every miner, because the page stays
   * open after the sign-in.
   */
  async originsFor(me: Caller | null, remotes: readonly RemoteManifest[]): Promise<string[]> {
    const own = me ? remotes : (await this.allFor(null)).filter(({ requires }) => !isGated(requires));
    return [...new Set(own.flatMap(({ connect = [] }) => connect))];
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
    const own = await this.versions.manifest(name, at);
    if (!own) return { kind: 'nobody' };
    const now = await this.pointerOf(name);
    const current = now && (await this.versions.manifest(name, now.version));
    const rules = [own.requires, (current ?? own).requires];
    return rules.some(isGated) ? { kind: 'gated', rules } : { kind: 'everybody' };
  }

  static meets(me: Caller | null, rules: readonly (Rule | undefined)[]): boolean {
    const ability = me?.ability ?? VISITOR;
    return me !== null && rules.every((rule) => allows(ability, rule));
  }
}
