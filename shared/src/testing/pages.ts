import { existsSync, readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';
import type { RemoteSource } from '../contract';
import { isBelow } from '../contract/remote-schema';

/** What the remotes of this checkout say of themselves. */
const remotesHere = (): RemoteSource[] =>
  readdirSync('.')
    .map((folder) => path.join(folder, 'remote.json'))
    .filter(existsSync)
    .map((file) => JSON.parse(readFileSync(file, 'utf8')) as RemoteSource);

/** Addresses of the pages that they link to. */
export const pagesHere = (): Record<string, string> =>
  Object.fromEntries(
    remotesHere().flatMap(({ name, links = {} }) => Object.entries(links).map(([id, at]) => [`${name}.${id}`, at])),
  );

/** Subjects of the remote that the page at `at` is of. */
export const subjectsAt = (at: string): Pick<RemoteSource, 'subjects'> => ({
  subjects: remotesHere().find(({ basePath }) => isBelow(at.replace(/\/?(\?.*)?$/, ''), basePath))?.subjects,
});
