/** Reads a build, ours or another builder's (rspack, Vite, …), by its manifest of Module Federation; makes the remote's manifest. */
import { existsSync } from 'node:fs';
import path from 'node:path';
import { z } from 'zod';
import type { RemoteManifest } from '../../shared/src/contract';
import { faultsOf, type RemoteSource } from '../../shared/src/contract/remote-schema';
import { readJson, SHARED, sourcesIn } from '../build/files';
import { shared } from '../build/sharing.cjs';
import { pagesBelow, routesOf } from './routes';

const MANIFEST = 'mf-manifest.json';
const SHARING = '@pool/build/build/sharing.cjs';

const files = z.object({ sync: z.array(z.string()) });
const federationManifest = z.object({
  metaData: z.object({
    globalName: z.string(),
    publicPath: z.string(),
    remoteEntry: z.object({ name: z.string(), path: z.string(), type: z.string() }),
  }),
  shared: z.array(z.object({ name: z.string() })),
  exposes: z.array(z.object({ path: z.string(), assets: z.object({ js: files, css: files }) })),
});
type FederationManifest = z.output<typeof federationManifest>;

/** Stands in each copy of React and of React DOM, and in nothing that uses them. */
const OWN_REACT = /\.__CLIENT_INTERNALS_DO_NOT_USE_OR_WARN_USERS_THEY_CANNOT_UPGRADE\b/;

/**
 * Facts of a build. `preload`: files of its first page; `provided`: what the shell has for it; `made`: the entry's code,
 * where the builder wrote a module: the shell runs a script.
 */
export type Build = { entry: string; preload: string[]; provided: string[]; made?: string };

/** Name of the entry that is made for a build of modules. */
const ENTRY = 'pool-entry.js';
/** Leaves what the module has in a global variable. A Retry's mark in the address is the module's too. */
const entryOf = (global: string, module: string): string =>
  `var ${global} = ((entry) => ({
  init: async (...scope) => (await entry).init(...scope),
  get: async (part) => (await entry).get(part),
}))(import(new URL('${module}' + new URL(document.currentScript.src).search, document.currentScript.src)));
`;

/** What the pool cannot run, a line each. `code`: of all scripts. */
function faultsIn(
  { metaData: { globalName, publicPath }, shared: consumed, exposes }: FederationManifest,
  { name, slots = [] }: RemoteSource,
  code: string,
): string[] {
  const own = `pool_${name.replaceAll('-', '_')}`;
  const missing = ['./app', ...slots.map(({ part }) => `./slots/${part}`)].filter(
    (part) => !exposes.some((each) => each.path === part),
  );
  const unknown = consumed.map((each) => each.name).filter((each) => !(each in shared));
  const faults: [isOne: boolean, words: string][] = [
    [globalName !== own, `the federation is called '${globalName}', not '${own}'`],
    [publicPath !== 'auto', `its files are asked for at '${publicPath}': publicPath is 'auto', Vite's base './'`],
    [missing.length > 0, `nothing is exposed as ${missing.join(', ')}`],
    [unknown.length > 0, `the shell does not share ${unknown.join(', ')}: \`shared\` is that of ${SHARING}`],
    [OWN_REACT.test(code), `it has a React of its own: \`shared\` is that of ${SHARING}`],
  ];
  return faults.filter(([isOne]) => isOne).map(([, words]) => words);
}

/** Reads the build in `folder`. Throws a line for each fault. */
export function readBuild(remote: RemoteSource, folder: string): Build {
  const file = path.join(folder, MANIFEST);
  if (!existsSync(file))
    throw new Error(`${file} is not there: the federation's plugin writes it (\`manifest: true\`)`);
  const { data, error } = federationManifest.safeParse(readJson(file));
  const code = sourcesIn(folder, /\.js$/)
    .map((each) => each.code)
    .join('\n');
  const faults = error ? faultsOf(error) : faultsIn(data, remote, code);
  if (!data || faults.length > 0) throw new Error(faults.map((fault) => `${file}: ${fault}`).join('\n'));
  const { remoteEntry, globalName } = data.metaData;
  const entry = remoteEntry.path + remoteEntry.name;
  const isModule = remoteEntry.type === 'module';
  const app = data.exposes.find((each) => each.path === './app')?.assets;
  const provided = data.shared.map(({ name }) => name);
  // Scripts that are asked for ahead as such would be fetched a second time as modules.
  if (isModule) return { entry: ENTRY, preload: [], provided, made: entryOf(globalName, entry) };
  return { entry, preload: [...(app?.css.sync ?? []), ...(app?.js.sync ?? [])], provided };
}

/** `parts`, `preload`: what its first page loads of the shell's parts, and of its own files. */
type Facts = { parts: string[]; preload: readonly string[]; entry: string; files?: Record<string, `sha384-${string}`> };

/** The manifest of a build. `folder`: URL with a slash at its end. `files`: integrity by name; without: unchecked. */
export function manifestOf(
  source: RemoteSource,
  { parts, preload, entry, files }: Facts,
  { version, folder }: { version: string; folder: string },
): RemoteManifest {
  const url = (file: string) => folder + file;
  return {
    ...source,
    version,
    shared: `^${readJson<{ version: string }>(path.join(SHARED, 'package.json')).version}`,
    pages: pagesBelow(source.basePath, routesOf(source.name)),
    entry: url(entry),
    preload: preload.map(url),
    parts,
    ...(files && { files: Object.fromEntries(Object.entries(files).map(([file, hash]) => [url(file), hash])) }),
  };
}
