/** Pointers of deployed remotes (`<remotes>/<name>/current.json`) and their history, moved under the remote's lock. */
import { closeSync, constants, fstatSync, openSync, readdirSync, rmSync, statSync } from 'node:fs';
import { chmod, lstat, mkdir, rename, rm, writeFile } from 'node:fs/promises';
import { basename, dirname, join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { tryLock } from 'fs-native-extensions';
import { z } from 'zod';
import { SLOT_PLACES } from '@pool/shared/remote-schema';
import { absent, NO_LINK, readOwn } from './own-file';

export const VERSION = /^\w[\w.+-]{0,80}$/;
const version = z.string().regex(VERSION);
const pointer = z.object({
  version,
  canary: z
    .object({
      version,
      percent: z.number().min(0).max(100),
      /** Promoted after so many minutes, if it is as good as the current version. */
      auto: z.number().min(1).optional(),
    })
    .optional(),
  /** Versions that open pages replace at once. */
  withdrawn: z.array(version).optional(),
  /** Slots whose parts of this remote the operator has switched off. */
  slotsOff: z.array(z.enum(SLOT_PLACES)).optional(),
});
export type Pointer = z.output<typeof pointer>;

const move = z.object({
  at: z.iso.datetime(),
  who: z.string(),
  /** Name of the team that published it: the same from CI and from a laptop (scripts/remotes/team.ts). */
  team: z.string().optional(),
  what: z.enum(['publish', 'canary', 'promote', 'rollback', 'withdraw', 'slots']),
  to: pointer,
  /** Commit of the sources that were built; `+` behind it: with changes that are not committed. */
  commit: z.string().optional(),
  why: z.string().optional(),
});
export type Move = z.output<typeof move>;

/** Moves and withdrawn versions that are kept: a page that slept through several learns of its own. */
const MOVES = 500;
const WITHDRAWN = 10;
const WAIT_MS = 30_000;

const readJson = async (folder: string, file: string): Promise<unknown> => {
  const text = await readOwn(dirname(folder), `${basename(folder)}/${file}`).catch(absent);
  return text === null ? null : JSON.parse(text.toString());
};

/** Null: the remote is not deployed. `folder`: the remote's. Rejects when the pointer cannot be read. */
export async function readPointer(folder: string): Promise<Pointer | null> {
  const found = await readJson(folder, 'current.json');
  return found === null ? null : pointer.parse(found);
}

/** The moves of the remote's pointer, the newest last. */
export async function readHistory(folder: string): Promise<Move[]> {
  const { data = [] } = z.array(move).safeParse(await readJson(folder, 'history.json').catch(() => null));
  return data;
}

/** Versions that everybody had and no rollback has taken back, the newest last: it leads to the one before. */
export function standingVersions(history: readonly Move[]): string[] {
  const standing: string[] = [];
  for (const { what, to } of history) {
    const at = standing.lastIndexOf(to.version);
    // A rollback takes back all that came after its version; to a version never served to everybody, the current one.
    if (what === 'rollback') standing.splice(at);
    else if (at >= 0) standing.splice(at, 1);
    standing.push(to.version);
  }
  return standing;
}

/** Versions to go back to, the newest first: standing ones that open pages did not have to replace at once. */
export const earlierVersions = (history: readonly Move[], withdrawn: readonly string[] = []): string[] =>
  standingVersions(history)
    .filter((each) => !withdrawn.includes(each))
    .toReversed();

/** Runs `work` while no other process does with this folder. Rejects after a wait of `waitMs`. */
export async function withFolderLock<T>(folder: string, work: () => Promise<T>, waitMs = WAIT_MS): Promise<T> {
  const path = join(folder, 'lock');
  for (const until = performance.now() + waitMs; performance.now() < until; await sleep(50)) {
    await mkdir(folder, { recursive: true });
    const file = openSync(path, constants.O_RDWR | constants.O_CREAT | NO_LINK, 0o666);
    try {
      if (!fstatSync(file).isFile()) throw new Error(`${path} is no file`);
      // The one who had it may have removed it.
      if (tryLock(file) && statSync(path, { throwIfNoEntry: false })?.ino === fstatSync(file).ino)
        return await work().finally(() => {
          // Nothing is left of a remote that was refused before anything of it was there.
          if (readdirSync(folder).join() === 'lock') rmSync(folder, { recursive: true });
        });
    } finally {
      closeSync(file);
    }
  }
  throw new Error(`${folder} is being changed by another process`);
}

/** Writes files of a remote's folder: all before one is replaced, as the disk may be full. */
async function replaceFiles(folder: string, files: Readonly<Record<string, string>>): Promise<void> {
  for (const [name, text] of Object.entries(files)) {
    const next = join(folder, `${name}.next`);
    await rm(next, { force: true, recursive: true });
    // Never over a link that a team has put there.
    await writeFile(next, text, { flag: 'wx' });
    // Teams read it, as other users of the machine.
    await chmod(next, 0o644);
  }
  for (const name of Object.keys(files)) {
    const to = join(folder, name);
    // A file does not take the place of a folder that a team has put there.
    if ((await lstat(to).catch(absent))?.isDirectory()) await rm(to, { recursive: true });
    await rename(`${to}.next`, to);
  }
}

/** What the pool knows of a remote's canary, for its team: `npm run remote -- status`. */
export const CANARY_FILE = 'canary.txt';
export const writeCanary = (folder: string, text: string): Promise<void> =>
  replaceFiles(folder, { [CANARY_FILE]: text });

/** Moves the pointer and adds to its history. Only with the remote's lock. After a failure the pointer is as it was. */
export async function movePointer(folder: string, { at, ...made }: Omit<Move, 'at'> & { at: Date }): Promise<void> {
  const moves = await readHistory(folder);
  // A remote that was withdrawn comes back with what the operator has switched off.
  const last = (await readPointer(folder).catch(() => null)) ?? moves.at(-1)?.to;
  const { withdrawn: before = [], slotsOff: off } = last ?? {};
  const { version, canary, withdrawn: more = [], slotsOff = off } = made.to;
  const withdrawn = [...new Set([...before, ...more])]
    .filter((each) => each !== version && each !== canary?.version)
    .slice(-WITHDRAWN);
  const to = { version, canary, ...(withdrawn.length > 0 && { withdrawn }), ...(slotsOff?.length && { slotsOff }) };
  const history = [...moves, move.parse({ ...made, to, at: at.toISOString() })].slice(-MOVES);
  // Nobody is served a version while there is no pointer.
  const current = made.what === 'withdraw' ? null : pointer.parse(to);
  const text = (content: unknown): string => `${JSON.stringify(content, null, 2)}\n`;
  await replaceFiles(folder, {
    'history.json': text(history),
    ...(current && { 'current.json': text(current) }),
  });
  if (!current) await rm(join(folder, 'current.json'));
}
