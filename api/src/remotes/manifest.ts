import { abilityFor, allows, type PoolAbility, type Rule } from '@pool/shared/ability';
import { contract, type Endpoint } from '@pool/shared/api/contract';
import type { RemoteManifest } from '@pool/shared/contract';
import { faultsOf, isBelow, remoteManifestOf } from '@pool/shared/remote-schema';

const ordinary = [
  abilityFor({ role: 'miner', isLegacyUser: false }),
  abilityFor({ role: 'miner', isLegacyUser: true }),
];
/** Whether an ordinary miner may not load it. */
export const isGated = (rule: Rule | undefined): boolean => !ordinary.some((ability) => allows(ability, rule));

/** A path of files that every browser reads as it is written. */
const PLAIN = /^(\/[\w@+-][\w.@+-]*)+$/;

/** Checked: what it loads is in the folder of its version, here or at one of `origins`. Throws what is wrong with it. */
export function manifestFrom(name: string, at: string, json: object, origins: readonly string[]): RemoteManifest {
  const { data, error } = remoteManifestOf(name).safeParse(json);
  if (error) throw new Error(`manifest.json: ${faultsOf(error).join('; ')}`);
  if (data.version !== at) throw new Error(`manifest.json: version ${data.version} is in the folder ${at}`);
  const folder = `/remotes/${name}/${at}/`;
  const isOwn = (url: string): boolean =>
    ['', ...origins].some((origin) => url.startsWith(origin + folder) && PLAIN.test(url.slice(origin.length)));
  const foreign = [data.entry, ...data.preload].find((url) => !isOwn(url));
  if (foreign !== undefined)
    throw new Error(`manifest.json: ${foreign} is not in ${folder}, here or at one of REMOTE_ORIGINS`);
  return data;
}

const bareOf = (url: string): string => url.replace(/\/?(\?.*)?$/, '');
/** The permission of each call that reads, by its address. */
const RULES = new Map(
  Object.entries(contract as Record<string, Endpoint>)
    .filter(([call]) => call.startsWith('GET '))
    .map(([call, { requires }]) => [bareOf(`/api${call.slice(4)}`), requires]),
);
/** The manifest with only those first calls that will not be refused to the caller. */
export function withAllowedCalls(manifest: RemoteManifest, ability: PoolAbility): RemoteManifest {
  const allowed = (calls: readonly string[] = []) => calls.filter((url) => allows(ability, RULES.get(bareOf(url))));
  return { ...manifest, prefetchCalls: allowed(manifest.prefetchCalls), viewCalls: allowed(manifest.viewCalls) };
}

/** Two remotes with one base path, which publishing refuses: the one named like the path keeps it. */
export function withoutTaken(
  manifests: readonly RemoteManifest[],
  report: (manifest: RemoteManifest, taken: Error | null) => void,
): RemoteManifest[] {
  const owned = ({ name, basePath }: RemoteManifest): boolean => isBelow(basePath, `/${name}`);
  const inOrder = manifests.toSorted((a, b) => Number(owned(b)) - Number(owned(a)));
  return inOrder.filter((manifest, index) => {
    const { basePath } = manifest;
    const taker = inOrder
      .slice(0, index)
      .find((other) => isBelow(basePath, other.basePath) || isBelow(other.basePath, basePath));
    report(manifest, taker ? new Error(`basePath: ${basePath} is taken by '${taker.name}'`) : null);
    return !taker;
  });
}
