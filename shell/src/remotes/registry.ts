import {
  allows,
  mayOpen,
  type ApiClient,
  type NavEntry,
  type PoolAbility,
  type PublicConfig,
  type RemoteManifest,
} from '@pool/shared';
import { queryOptions } from '@pool/shared/query';
import { isBelow } from '@pool/shared/remote-pages';

/** Time after which the list is refetched, in a hidden tab when it gets the focus. */
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

/** The remote that owns a path; undefined also when the user may not use it. */
export const remoteAt = (
  pathname: string,
  remotes: readonly RemoteManifest[],
  ability: PoolAbility,
): RemoteManifest | null =>
  remotes.find((remote) => isBelow(pathname, remote.basePath) && mayOpen(ability, remote, pathname)) ?? null;

/** `title`: a translation key; the main group, which holds the others, has none. */
export type NavGroup = { title: string; icon?: NavEntry['icon']; links: NavEntry[]; groups: NavGroup[] };

/** The navigation the user may use, from the manifests and the shell's own links, without running code of a remote. */
export function navigation(
  remotes: readonly RemoteManifest[],
  own: readonly NavEntry[],
  ability: PoolAbility,
): NavGroup {
  const main: NavGroup = { title: '', links: [], groups: [] };
  const allowed = remotes.filter((remote) => allows(ability, remote.requires));
  const facts: NonNullable<RemoteManifest['groups']> = Object.assign({}, ...allowed.map(({ groups }) => groups));
  const groupsOf = ({ group = [] }: NavEntry): string[] => [group].flat();
  const groupIn = (outer: NavGroup, title: string): NavGroup => {
    let inner = outer.groups.find((group) => group.title === title);
    if (!inner) outer.groups.push((inner = { title, icon: facts[title]?.icon, links: [], groups: [] }));
    return inner;
  };
  const entries = allowed
    .flatMap((remote) => remote.nav)
    .concat(own)
    .filter((entry) =>
      [entry, ...groupsOf(entry).map((title) => facts[title])].every((one) => allows(ability, one?.requires)),
    )
    .sort((a, b) => a.order - b.order);
  for (const entry of entries) groupsOf(entry).reduce(groupIn, main).links.push(entry);
  return main;
}

/** The links of a group and of the groups in it, in the order of the navigation. */
export const linksIn = ({ links, groups }: NavGroup): NavEntry[] => [...links, ...groups.flatMap(linksIn)];

/** The link of the current page: the longest path that matches. */
export const activePath = (pathname: string, links: readonly NavEntry[]): string | null =>
  links
    .filter((link) => isBelow(pathname, link.path.replace(/\/$/, '')))
    .sort((a, b) => b.path.length - a.path.length)[0]?.path ?? null;
