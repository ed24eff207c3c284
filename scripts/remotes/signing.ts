/** `release.json` of a version: its files by hash and its commit, signed with the key in the file REMOTE_SIGNING_KEY. */
import { createPrivateKey, type KeyObject } from 'node:crypto';
import { readFileSync } from 'node:fs';
import path from 'node:path';
import { releaseText } from '../../api/src/remotes/release';
import { filesBelow, sha384, writeFileWhole } from '../build/files';

type Built = { name: string; version: string; folder: string; commit: string };

/** Null: versions are not signed. Throws where there is no such key. */
export function signingKey(): KeyObject | null {
  const file = process.env.REMOTE_SIGNING_KEY;
  if (!file) return null;
  try {
    return createPrivateKey(readFileSync(file));
  } catch (error) {
    throw new Error(`REMOTE_SIGNING_KEY: ${file} is no private key in PEM: ${String(error)}`, { cause: error });
  }
}

export function writeRelease({ name, version, folder, commit }: Built): void {
  // Compressed forms are checked as what they hold.
  const names = filesBelow(folder).filter((each) => !/\.(br|gz)$|^release\.json$/.test(each));
  const files = Object.fromEntries(names.map((each) => [each, sha384(readFileSync(path.join(folder, each)))]));
  const content = { name, version, ...(commit && { commit }), files };
  writeFileWhole(path.join(folder, 'release.json'), releaseText(content, signingKey()));
}
