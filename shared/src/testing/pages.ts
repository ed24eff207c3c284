import { existsSync, readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';
import type { RemoteSource } from '../contract';

/** Addresses of the pages that the remotes of this checkout link to. */
export function pagesHere(): Record<string, string> {
  const files = readdirSync('.').map((folder) => path.join(folder, 'remote.json'));
  const remotes = files.filter(existsSync).map((file) => JSON.parse(readFileSync(file, 'utf8')) as RemoteSource);
  return Object.fromEntries(
    remotes.flatMap(({ name, links = {} }) => Object.entries(links).map(([id, at]) => [`${name}.${id}`, at])),
  );
}
