import {
  allows,
  type ApiClient,
  type NavEntry,
  type PoolAbility,
  type PublicConfig,
  type RemoteManifest,
} from '@pool/shared';
import { queryOptions } from '@pool/shared/query';

/** After this long the list is refetched, in a hidden tab when it gets the focus. */
const LIST_IS_FRESH_MS = 10 * 60_000;

/** The page contains the list of its own user; for another user, or after a sign-in, it is fetched. */
export const remotesQuery = (api: ApiClient, userId: string, page: Pick<PublicConfig, 'userId' | 'remotes'>) =>
  queryOptions({
    queryKey: ['remotes', userId],
    queryFn: ({ signal }) => api('GET /remotes', { signal }),
    staleTime: LIST_IS_FRESH_MS,
    refetchOnWindowFocus: true,
    refetchInterval: LIST_IS_FRESH_MS,
    initialData: page.userId === userId ? page.remotes : undefined,
  });

const within = (pathname: string, basePath: string): boolean =>
  pathname === basePath || pathname.startsWith(`${basePath}/`);

/** The remote that owns a path; undefined also when the user may not use it. */
export const remoteAt = (
  pathname: string,
  remotes: readonly RemoteManifest[],
  ability: PoolAbility,
): RemoteManifest | null =>
  remotes.find((remote) => within(pathname, remote.basePath) && allows(ability, remote.requires)) ?? null;

/** A group's title is a translation key; the main group has none. */
export type NavGroup = { title: string | null; links: NavEntry[] };

/** The navigation the user may use, from the manifests and the shell's own links, without running code of a remote. */
export function navigation(
  remotes: readonly RemoteManifest[],
  own: readonly NavEntry[],
  ability: PoolAbility,
): NavGroup[] {
  const links = remotes
    .filter((remote) => allows(ability, remote.requires))
    .flatMap((remote) => remote.nav)
    .concat(own)
    .filter((entry) => allows(ability, entry.requires))
    .sort((a, b) => a.order - b.order);
  const groups = new Map<string | null, NavEntry[]>();
  for (const link of links) groups.set(link.group ?? null, [...(groups.get(link.group ?? null) ?? []), link]);
  return [...groups]
    .map(([title, entries]) => ({ title, links: entries }))
    .sort((a, b) => Number(a.title !== null) - Number(b.title !== null));
}

/** The link of the current page: the longest path that matches. */
export const activePath = (pathname: string, links: readonly NavEntry[]): string | null =>
  links
    .filter((link) => within(pathname, link.path.replace(/\/$/, '')))
    .sort((a, b) => b.path.length - a.path.length)[0]?.path ?? null;
