/** The deployed remotes, as the commands of `npm run remote` read and change them. */
import { existsSync, readdirSync, readFileSync, renameSync, rmSync, statSync } from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import {
  movePointer,
  readHistory,
  readPointer,
  withFolderLock,
  type Move,
  type Pointer,
} from '../../api/src/remotes/pointers';
import type { RemoteManifest } from '../../shared/src/contract';
import { filesBelow, readJson, REMOTES_DIST, writeFileWhole } from '../build/files';
import { assertFits, damagedFiles } from './checks';
import { commit } from './commit';
import type { Version } from './pack';
import { writeRelease } from './signing';
import { readRemote } from './source';

const DAY_MS = 86_400_000;
/** The versions served last, which are never removed. */
const KEPT = 3;

export const folderOf = (name: string): string => path.join(REMOTES_DIST, name);
const manifestOf = (name: string, version: string): RemoteManifest | null => {
  const file = path.join(folderOf(name), version, 'manifest.json');
  return existsSync(file) ? readJson<RemoteManifest>(file) : null;
};
export const deployedNames = (): string[] =>
  (existsSync(REMOTES_DIST) ? readdirSync(REMOTES_DIST) : []).filter((name) =>
    existsSync(path.join(folderOf(name), 'current.json')),
  );
export const versionsOf = (name: string): string[] =>
  (existsSync(folderOf(name)) ? readdirSync(folderOf(name)) : []).filter((entry) => manifestOf(name, entry) !== null);

/** The other deployed remotes: a team may have none of them in its checkout. */
async function others(name: string): Promise<RemoteManifest[]> {
  const found = deployedNames()
    .filter((other) => other !== name)
    .map(async (other) => manifestOf(other, (await readPointer(folderOf(other)))?.version ?? ''));
  return (await Promise.all(found)).filter((manifest) => manifest !== null);
}

const me = (): string => `${os.userInfo().username}@${os.hostname()}`;

async function move(name: string, what: Move['what'], to: Pointer, about: Pick<Move, 'commit' | 'why'>): Promise<void> {
  const current = await readPointer(folderOf(name));
  if (JSON.stringify(current) === JSON.stringify(to)) return;
  await movePointer(folderOf(name), { at: new Date(), who: me(), what, to, ...about });
}

/** Throws where another person's canary runs. */
async function assertNoOthersCanary(name: string, version: string, current: Pointer | null): Promise<void> {
  if (!current?.canary || current.canary.version === version) return;
  const started = (await readHistory(folderOf(name))).findLast(({ what }) => what === 'canary');
  if (started && started.who !== me())
    throw new Error(
      `${started.who} runs a canary of ${name}: ${current.canary.version} for ${current.canary.percent} %. --replace ends it`,
    );
}

/** Copies what is missing or differs; the manifest last. */
function copyVersion(from: string, to: string): void {
  const names = filesBelow(from).toSorted((a, b) => Number(a === 'manifest.json') - Number(b === 'manifest.json'));
  for (const name of names) {
    const content = readFileSync(path.join(from, name));
    const target = path.join(to, name);
    if (!existsSync(target) || !readFileSync(target).equals(content)) writeFileWhole(target, content);
  }
}

/** `canary`: for so many percent of the users; `auto`: promoted after so many minutes, if it is as good. */
export type PublishOptions = { canary?: number; auto?: number; replace?: boolean; why?: string };

/** Adds a version and serves it. What is damaged of it is repaired. Returns its name. */
export async function publish(
  { name, version, folder, manifest }: Version,
  { canary, auto, replace, why }: PublishOptions = {},
): Promise<string> {
  await withFolderLock(folderOf(name), async () => {
    const current = await readPointer(folderOf(name));
    if (!replace) await assertNoOthersCanary(name, version, current);
    readRemote(name, await others(name));
    assertFits(manifest, folder);
    writeRelease({ name, version, folder, commit: commit() });
    copyVersion(folder, path.join(folderOf(name), version));
    const isCanary = canary !== undefined && current !== null && current.version !== version;
    const to = isCanary ? { version: current.version, canary: { version, percent: canary, auto } } : { version };
    await move(name, isCanary ? 'canary' : 'publish', to, { ...(commit() && { commit: commit() }), why });
  });
  return version;
}

/** Whether the version was never deployed here. */
export async function isMissing({ name, version }: Version): Promise<boolean> {
  return (await readPointer(folderOf(name))) === null || manifestOf(name, version) === null;
}

/** Serves the canary to everybody. Returns its version. */
export const promote = (name: string, why?: string): Promise<string> =>
  withFolderLock(folderOf(name), async () => {
    const version = (await readPointer(folderOf(name)))?.canary?.version;
    if (version === undefined) throw new Error(`${name} has no canary`);
    assertServable(name, version);
    await move(name, 'promote', { version }, { why });
    return version;
  });

/** Throws when it is not there. */
export function deployedVersion(name: string, version: string): Version {
  const manifest = manifestOf(name, version);
  if (manifest) return { name, version, folder: path.join(folderOf(name), version), manifest };
  throw new Error(`${name} ${version} is not there. There are: ${versionsOf(name).join(', ') || 'no versions'}`);
}

/** What some users have: the current version and the canary. */
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
type RollbackOptions = { to?: string; urgent?: boolean; why?: string };

/** Serves an earlier version, by default the last that everybody had before. Returns it. */
export const rollback = (name: string, { to, urgent, why }: RollbackOptions = {}): Promise<string> =>
  withFolderLock(folderOf(name), async () => {
    const current = await readPointer(folderOf(name));
    const earlier = (await readHistory(folderOf(name)))
      .map((each) => each.to.version)
      .findLast((each) => each !== current?.version && manifestOf(name, each) !== null);
    const version = to ?? earlier;
    if (version === undefined) throw new Error(`${name} has no earlier version that everybody had: name one with --to`);
    assertServable(name, version);
    const served = current ? [current.version, ...(current.canary ? [current.canary.version] : [])] : [];
    const withdrawn = served.filter((each) => each !== version);
    await move(name, 'rollback', { version, ...(urgent && { withdrawn }) }, { why });
    return version;
  });

/** Versions that may go: not the current one, the canary, the last three, or one that was served within `days`. */
async function removable(name: string, days: number): Promise<string[]> {
  const current = await readPointer(folderOf(name));
  const history = await readHistory(folderOf(name));
  const since = Date.now() - days * DAY_MS;
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

/** Removes old versions. Returns those removed. */
export const prune = (name: string, days: number): Promise<string[]> =>
  withFolderLock(folderOf(name), async () => {
    const versions = await removable(name, days);
    for (const version of versions) {
      // Out of the served names at once, not file by file.
      const gone = path.join(folderOf(name), `.removed-${version}`);
      renameSync(path.join(folderOf(name), version), gone);
      rmSync(gone, { recursive: true });
    }
    return versions;
  });
