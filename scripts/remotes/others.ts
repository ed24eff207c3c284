/** Finds where a remote names pages of other remotes: it links to them by their ids, as the others may move them. */
import { readFileSync } from 'node:fs';
import path from 'node:path';
import { isBelow, type RemoteSource } from '../../shared/src/contract/remote-schema';
import { filesBelow } from '../build/files';

export type Other = Pick<RemoteSource, 'name' | 'basePath' | 'links'>;

const PATH = /(?<=['"`])\/[a-z0-9-]+(?:\/[a-z0-9-]+)*(?=[/?#'"`])/g;
const ID = /(?<=\bpage=['"])([a-z0-9-]+)\.([\w-]+)/g;

/** `folder`: of the remote's sources. `others`: remotes beside it, as far as they are known. */
export function faultsOfPages(folder: string, others: readonly Other[]): string[] {
  const files = filesBelow(folder).filter((file) => /(?<!\.test)\.tsx?$/.test(file));
  return files.flatMap((file) => {
    const code = readFileSync(path.join(folder, file), 'utf8');
    const paths = [...code.matchAll(PATH)].flatMap(([at]) => {
      const owner = others.find(({ basePath }) => isBelow(at, basePath));
      return owner ? [`src/${file}: ${at} is a page of '${owner.name}': link to it by its id, with PageLink`] : [];
    });
    const ids = [...code.matchAll(ID)].flatMap(([id, name, word = '']) => {
      const owner = others.find((other) => other.name === name);
      return owner && !owner.links?.[word]
        ? [`src/${file}: '${id}' is no page that mfe-${name}/remote.json has in its \`links\``]
        : [];
    });
    return [...paths, ...ids];
  });
}
