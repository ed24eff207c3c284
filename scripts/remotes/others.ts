/** Finds where a remote names pages of other remotes: it links to them by their ids, as the others may move them. */
import { isBelow, type RemoteSource } from '../../shared/src/contract/remote-schema';
import { sourcesIn } from '../build/files';

export type Other = Pick<RemoteSource, 'name' | 'basePath' | 'links'>;

const PATH = /(?<=['"`])\/[a-z0-9-]+(?:\/[a-z0-9-]+)*(?=[/?#'"`])/g;
const ID = /(?<=\bpage=['"])([a-z0-9-]+)\.([\w-]+)/g;

const STORED = /\b(?:local|session)Storage\)?\??\.(?:set|remove)Item\(\s*['"`]([^'"`$]+)/g;
const QUERY = /\bqueryKey:\s*\[\s*['"`]([^'"`]+)['"`]/g;

/** First words of the shell's query keys: what a remote keeps there the shell would take for its own. */
export const SHELLS_KEYS = [
  ...['account', 'alerts', 'algorithms', 'badge', 'connection', 'devices', 'email', 'hashprice', 'notifications'],
  ...['invitation', 'organization', 'pool', 'poolConnection', 'poolHashchart', 'poolStatistics', 'prices', 'push'],
  ...['remotes', 'subAccounts', 'telegram', 'userInfo', 'waiting', 'watch', 'webhooks'],
];

/** Keys of storages and queries that are not the remote's own: all code of a page shares both. `folder`: of its sources. */
export function faultsOfKeys(folder: string, name: string, others: readonly Other[]): string[] {
  const taken = [...SHELLS_KEYS, ...others.map((other) => other.name)];
  return sourcesIn(folder).flatMap(({ file, code }) => {
    const stored = [...code.matchAll(STORED)].filter(([, key = '']) => !key.startsWith(`${name}.`));
    const asked = [...code.matchAll(QUERY)].filter(([, key = '']) => key !== name && taken.includes(key));
    return [
      ...stored.map(([, key]) => `src/${file}: '${key}' is not stored by this remote: its keys begin with '${name}.'`),
      ...asked.map(
        ([, key]) => `src/${file}: the query key '${key}' is not this remote's: its keys begin with '${name}'`,
      ),
    ];
  });
}

/** `folder`: of the remote's sources. `others`: remotes beside it, as far as they are known. */
export function faultsOfPages(folder: string, others: readonly Other[]): string[] {
  return sourcesIn(folder).flatMap(({ file, code }) => {
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
