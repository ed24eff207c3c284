/** The deployed remotes, as the commands of `npm run remote` read and change them. */
import { existsSync, readdirSync, readFileSync, renameSync, rmSync, statSync } from 'node:fs';
import path from 'node:path';
import {
  CANARY_FILE,
  earlierVersions,
  movePointer,
  readHistory,
  readPointer,
  VERSION,
  withFolderLock,
  type Move,
  type Pointer,
} from '../../api/src/remotes/pointers';
import type { RemoteManifest } from '../../shared/src/contract';
import { entriesOf, filesBelow, holds, readJson, REMOTES_DIST, writeFileWhole } from '../build/files';
import { assertFits, assertSmall, damagedFiles, deployedSurface } from './checks';
import type { Version } from './pack';
import { writeRelease } from './signing';
import { readRemote } from './source';
import { assertOwnStyles } from './styles';
import { commit, me, team } from './team';

const DAY_MS = 86_400_000;
/** The versions served last, which are never removed. */
const KEPT = 3;

export const folderOf = (name: string): string => path.join(REMOTES_DIST, name);
const manifestOf = (name: string, version: string): RemoteManifest | null => {
  const file = path.join(folderOf(name), version, 'manifest.json');
  return existsSync(file) ? readJson<RemoteManifest>(file) : null;
};
/** With those that were withdrawn. */
export const deployedNames = (): string[] =>
  entriesOf(REMOTES_DIST).filter((name) =>
    ['current.json', 'history.json'].some((file) => existsSync(path.join(folderOf(name), file))),
  );
export const versionsOf = (name: string): string[] =>
  entriesOf(folderOf(name)).filter((entry) => VERSION.test(entry) && manifestOf(name, entry) !== null);

/** The other deployed remotes: a team may have none of them in its checkout. */
async function others(name: string): Promise<RemoteManifest[]> {
  const found = deployedNames()
    .filter((other) => other !== name)
    .map(async (other) => manifestOf(other, (await readPointer(folderOf(other)))?.version ?? ''));
  return (await Promise.all(found)).filter((manifest) => manifest !== null);
}

async function move(
  name: string,
  what: Move['what'],
  to: Pointer,
  about: Pick<Move, 'commit' | 'why' | 'team'>,
): Promise<void> {
  const { version, canary } = (await readPointer(folderOf(name))) ?? {};
  if (!to.withdrawn && JSON.stringify([version, canary]) === JSON.stringify([to.version, to.canary])) return;
  await movePointer(folderOf(name), { at: new Date(), who: me(), what, to, ...about });
}

/** Owner of a name that the pool's own tree took over. */
const NOBODY = '';

/** `replace`: although the remote is another team's, or another person's canary runs. */
type Ownership = { replace?: boolean; why?: string };

/** Throws where another team has published the remote, or another person's canary runs. `version`: to be served. */
async function assertOwn(name: string, { replace }: Ownership, version?: string): Promise<void> {
  if (replace) return;
  const current = await readPointer(folderOf(name));
  const history = await readHistory(folderOf(name));
  const owner = history.findLast((each) => each.team !== undefined);
  const own = team();
  const canary = current?.canary && current.canary.version !== version ? current.canary : null;
  const running = canary ? `a canary, ${canary.version} for ${canary.percent} %` : '';
  if (owner?.team && owner.team !== own)
    throw new Error(
      `${name} is published by another team${running && `, which runs ${running}`}: ${owner.team} (${owner.who}). This is ${own ?? me()}. --replace does it all the same; one team is the same everywhere by REMOTE_SIGNING_KEY or POOL_USER`,
    );
  const started = canary && history.findLast(({ what }) => what === 'canary');
  if (started && !started.team && started.who !== me())
    throw new Error(`${started.who} runs ${running} of ${name}. --replace ends it`);
}

/** Runs `work` with the pointer as it is: the remote is this team's, and nobody else moves it meanwhile. */
const asOwner = <T>(name: string, given: Ownership, work: (current: Pointer | null) => Promise<T>): Promise<T> =>
  withFolderLock(folderOf(name), async () => {
    await assertOwn(name, given);
    return work(await readPointer(folderOf(name)));
  });

const FULL = `the disk of ${REMOTES_DIST} is full: 'prune --days 0' removes the versions that nobody needs any more`;

/** Copies what is missing or differs; the manifest last. Nothing is left of a version that cannot be copied whole. */
function copyVersion(from: string, to: string): void {
  const names = filesBelow(from).toSorted((a, b) => Number(a === 'manifest.json') - Number(b === 'manifest.json'));
  const wasThere = existsSync(path.join(to, 'manifest.json'));
  try {
    for (const name of names) {
      const content = readFileSync(path.join(from, name));
      const target = path.join(to, name);
      if (!holds(target, content)) writeFileWhole(target, content);
    }
  } catch (error) {
    if (!wasThere) rmSync(to, { recursive: true, force: true });
    throw (error as NodeJS.ErrnoException).code === 'ENOSPC' ? new Error(FULL, { cause: error }) : error;
  }
}

/** `auto`: minutes until it is promoted. `surface`: of a shell elsewhere. `isServed`: whether the pool has it. */
export type PublishOptions = {
  canary?: number;
  auto?: number;
  replace?: boolean;
  why?: string;
  surface?: string | null;
  isServed?: () => Promise<boolean>;
};

/** Throws what would refuse to publish the version. Returns the pointer that is served. */
export async function assertPublishable(
  { name, version, folder, manifest }: Version,
  { canary, replace, surface = deployedSurface() }: PublishOptions = {},
): Promise<Pointer | null> {
  const current = await readPointer(folderOf(name));
  if (canary !== undefined && !current)
    throw new Error(
      `everybody gets the first version of ${name}: there is no other one beside a canary. Without --canary`,
    );
  await assertOwn(name, { replace }, version);
  readRemote(name, await others(name));
  if (surface === null)
    throw new Error(
      `no shell is known that would run ${name}: none is deployed beside ${REMOTES_DIST}, and POOL_URL is not set`,
    );
  assertFits(manifest, folder, surface);
  assertSmall(manifest, folder);
  assertOwnStyles(name, folder);
  return current;
}

/** Adds a version and serves it. What is damaged of it is repaired. Returns what is served then. */
export const publish = (built: Version, options: PublishOptions = {}): Promise<Pointer> => {
  const { name, version, folder } = built;
  return withFolderLock(folderOf(name), async () => {
    const current = await assertPublishable(built, options);
    const { canary: percent, auto, why, replace, isServed } = options;
    const isNew = manifestOf(name, version) === null;
    const from = commit();
    writeRelease({ name, version, folder, commit: from });
    copyVersion(folder, path.join(folderOf(name), version));
    if (isServed && !(await isServed())) {
      if (isNew) rmSync(path.join(folderOf(name), version), { recursive: true });
      throw new Error(
        `the pool at POOL_URL does not have ${name} ${version} when it is in ${REMOTES_DIST}: it serves another folder, or refuses its signature (its log says why)`,
      );
    }
    const isCanary = percent !== undefined && current !== null && current.version !== version;
    if (percent === undefined || isCanary) {
      const to = isCanary ? { version: current.version, canary: { version, percent, auto } } : { version };
      const about = { ...(from && { commit: from }), team: team() ?? (replace ? NOBODY : undefined), why };
      await move(name, isCanary ? 'canary' : 'publish', to, about);
    }
    return (await readPointer(folderOf(name))) ?? { version };
  });
};

/** Whether the version was never deployed here. */
export async function isMissing({ name, version }: Version): Promise<boolean> {
  return (await readPointer(folderOf(name))) === null || manifestOf(name, version) === null;
}

export const promote = (name: string, { replace, why }: Ownership = {}): Promise<string> =>
  asOwner(name, { replace }, async (current) => {
    const version = current?.canary?.version;
    if (version === undefined) throw new Error(`${name} has no canary`);
    assertServable(name, version);
    await move(name, 'promote', { version }, { why });
    return version;
  });

export function deployedVersion(name: string, version: string): Version {
  const manifest = manifestOf(name, version);
  if (manifest) return { name, version, folder: path.join(folderOf(name), version), manifest };
  throw new Error(`${name} ${version} is not there. There are: ${versionsOf(name).join(', ') || 'no versions'}`);
}

/** What the pool's browsers tell of the canary, and what its verdict waits for; empty: nothing, or there is none. */
export function canaryState(name: string, { canary }: Pointer): string {
  const file = path.join(folderOf(name), CANARY_FILE);
  const text = canary && existsSync(file) ? readFileSync(file, 'utf8').trim() : '';
  return canary && text.startsWith(`canary ${canary.version}:`) ? text : '';
}

export async function servedVersions(name: string): Promise<Version[]> {
  const { version, canary } = (await readPointer(folderOf(name))) ?? {};
  return [version, canary?.version].filter((each) => each !== undefined).map((each) => deployedVersion(name, each));
}

function assertServable(name: string, version: string): void {
  const { folder, manifest } = deployedVersion(name, version);
  const damaged = damagedFiles(manifest, folder);
  if (damaged.length > 0) throw new Error(`${name} ${version} is damaged: ${damaged.join(', ')}. Publish it again`);
  assertFits(manifest, folder);
}

/** `urgent`: open pages replace what was served until now at once, not when they are opened again. */
type RollbackOptions = Ownership & { to?: string; urgent?: boolean };

/** Serves an earlier version, by default the last that everybody had before. Returns it. */
export const rollback = (name: string, { to, urgent, replace, why }: RollbackOptions = {}): Promise<string> =>
  asOwner(name, { replace }, async (current) => {
    const earlier = earlierVersions(await readHistory(folderOf(name)), current?.withdrawn).find(
      (each) => each !== current?.version && manifestOf(name, each) !== null,
    );
    const version = to ?? earlier;
    if (version === undefined) throw new Error(`${name} has no earlier version that everybody had: name one with --to`);
    assertServable(name, version);
    const served = current ? [current.version, ...(current.canary ? [current.canary.version] : [])] : [];
    const withdrawn = served.filter((each) => each !== version);
    await move(name, 'rollback', { version, ...(urgent && { withdrawn }) }, { why });
    return version;
  });

/** Serves no version any more; all are kept, and a rollback or another publish brings the remote back. */
export const withdraw = (name: string, { replace, why }: Ownership = {}): Promise<void> =>
  asOwner(name, { replace }, async (current) => {
    if (!current) throw new Error(`${name} is not deployed`);
    await movePointer(folderOf(name), { at: new Date(), who: me(), what: 'withdraw', to: current, why });
  });

/** Versions that may go: not the current one, the canary, the last three, or one that was served within `days`. */
async function removable(name: string, days: number, current: Pointer | null): Promise<string[]> {
  const history = await readHistory(folderOf(name));
  // The last move is not later than now: where it is much earlier, this machine's clock may be ahead.
  const now = Math.min(Date.now(), ...history.slice(-1).map(({ at }) => Date.parse(at)));
  const since = now - days * DAY_MS;
  const served = ({ to }: Move): string[] => (to.canary ? [to.version, to.canary.version] : [to.version]);
  // Each pointer was served until the next one.
  const recent = history.filter((_, index) => {
    const next = history[index + 1];
    return !next || Date.parse(next.at) > since;
  });
  const last = [...new Set(history.flatMap(served).toReversed())].slice(0, KEPT);
  const kept = new Set([current?.version, current?.canary?.version, ...last, ...recent.flatMap(served)]);
  return versionsOf(name).filter(
    (version) => !kept.has(version) && statSync(path.join(folderOf(name), version)).mtimeMs < since,
  );
}

/** Folders of publishes and prunes that were cut off: no such work is under way while the lock is held. */
const leftovers = (name: string): string[] =>
  readdirSync(folderOf(name), { withFileTypes: true }).flatMap((entry) =>
    entry.isDirectory() && !versionsOf(name).includes(entry.name) ? [entry.name] : [],
  );

export const prune = (name: string, days: number, { replace }: Ownership = {}): Promise<string[]> =>
  asOwner(name, { replace }, async (current) => {
    const versions = await removable(name, days, current);
    for (const version of versions) {
      // Out of the served names at once, not file by file.
      const gone = path.join(folderOf(name), `.removed-${version}`);
      renameSync(path.join(folderOf(name), version), gone);
      rmSync(gone, { recursive: true });
    }
    const left = leftovers(name);
    for (const each of left) rmSync(path.join(folderOf(name), each), { recursive: true });
    return [...versions, ...left];
  });
