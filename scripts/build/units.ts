/** The units webpack builds, and whether one has to be rebuilt. */
import { existsSync, readdirSync, readFileSync, statSync } from 'node:fs';
import { createRequire } from 'node:module';
import path from 'node:path';
import { promisify } from 'node:util';
import type webpack from 'webpack';
import type { Compilation, Configuration } from 'webpack';
import { bundleFirstView, FIRST_VIEW } from './first-view';
import { readRemote } from '../remotes/source';
import { COMMANDS, filesBelow, hashOf, hashOfFiles, readJson, ROOT, SHARED, writeFileWhole, writeJson } from './files';
import { valuesOf } from './values';

/** `against`: for the page of a deployed pool. `once`: keeps nothing for the next build. */
type BuildOptions = { dev?: boolean; against?: boolean; once?: boolean };
/** Loads the bundler when something is built: that takes a second, and most commands build nothing. */
const load = createRequire(import.meta.url);

const folderOf = (unit: string): string => path.join(ROOT, unit.startsWith('mfe-') ? unit : 'shell');
/** Webpack's output folder of a unit; the builds of `npm run dev` are separate from real builds. */
export const outputOf = (unit: string, dev = false): string =>
  dev ? path.join(ROOT, '.cache/dev', unit) : path.join(folderOf(unit), 'dist', unit.startsWith('mfe-') ? '' : unit);

/** Files a remote is deployed with that webpack does not read: `remote.json` and its texts. */
export const besideTheCode = (unit: string): string[] =>
  ['remote.json', ...filesBelow(path.join(folderOf(unit), 'locales')).map((name) => path.join('locales', name))].map(
    (name) => path.join(folderOf(unit), name),
  );

/** Installed packages and their versions, without the folders of this checkout, which are in the lock file too. */
function installed(): string {
  const other = ['pnpm-lock.yaml', 'yarn.lock'].map((name) => path.join(ROOT, name)).find((file) => existsSync(file));
  if (other) return readFileSync(other, 'utf8');
  const { packages } = readJson<{ packages: Record<string, { link?: boolean }> }>(path.join(ROOT, 'package-lock.json'));
  const isPackage = ([at, { link }]: [string, { link?: boolean }]) => at.startsWith('node_modules/') && !link;
  return JSON.stringify(Object.entries(packages).filter(isPackage));
}

/** What every unit depends on: the config, what is shared, and the installed packages. */
const common = (): string =>
  hashOf([
    hashOfFiles([
      ...['webpack.base', 'federation', 'sharing', 'plugins'].map((name) => path.join(COMMANDS, `build/${name}.cjs`)),
      path.join(SHARED, 'package.json'),
    ]),
    readdirSync(path.join(SHARED, 'src/ui')).join(),
    installed(),
  ]);

/**
 * Facts of a build: files of the shell's page, names of the shell's parts that a remote's first page loads. `sources`: files
 * outside of packages that webpack read, or looked for without finding; not of `npm run dev`.
 */
type Facts = { entry: string[]; parts: string[]; sources?: string[]; hash?: string };
const factsFile = (unit: string, dev: boolean): string =>
  path.join(ROOT, dev ? '.cache/dev' : '.cache/build', `${unit}.json`);
export const factsOf = (unit: string, dev = false): Facts => readJson<Facts>(factsFile(unit, dev));

const hashOfBuild = (unit: string, sources: readonly string[]): string =>
  hashOf([
    common(),
    hashOfFiles(sources.map((name) => path.join(ROOT, name))),
    ...(unit.startsWith('mfe-') ? [hashOfFiles(besideTheCode(unit)), JSON.stringify(valuesOf(unit))] : []),
  ]);

const isFolder = (file: string): boolean => statSync(file, { throwIfNoEntry: false })?.isDirectory() ?? false;
const sourcesOf = ({ fileDependencies, missingDependencies }: webpack.Compilation): string[] =>
  [...fileDependencies, ...missingDependencies]
    .filter((file) => !file.includes(`${path.sep}node_modules`) && !isFolder(file))
    .map((file) => path.relative(ROOT, file))
    // Its commands change no output, and its dependencies are in the lock file.
    .filter((name) => name !== 'package.json')
    .sort();

export function isFresh(unit: string): boolean {
  if (!existsSync(outputOf(unit)) || !existsSync(factsFile(unit, false))) return false;
  // Facts that an older version of this script wrote have no sources: the unit is rebuilt.
  const { sources = [], hash } = factsOf(unit);
  return hash === hashOfBuild(unit, sources);
}

const PART = /^consume-shared-module\|\w+\|@pool\/shared\/(?:ui\/(?!core\|)|(?=antd\|))(\w+)\|/;

/** Names of the lazy parts of the shared UI that a remote's first page imports. */
function partsOf({ chunkGraph, namedChunkGroups }: Compilation): string[] {
  const { chunks = [] } = namedChunkGroups.get('__federation_expose_app') ?? {};
  const modules = chunks.flatMap((chunk) => [...chunkGraph.getChunkModulesIterable(chunk)]);
  return [...new Set(modules.flatMap((module) => PART.exec(module.identifier())?.[1] ?? []))].sort();
}

/** Writes the facts of a build. `more`: what only a build that is kept has; one of `npm run dev` has none of it. */
export function record(unit: string, stats: webpack.Stats, more?: Pick<Facts, 'sources' | 'hash'>): void {
  const { entrypoints = {} } = stats.toJson({ all: false, entrypoints: true });
  const files = (entrypoints[unit]?.assets ?? []).map((asset) => asset.name);
  // Hot updates are no files of the page.
  const entry = files.filter((name) => /^(?!hot\/).+\.(js|css)$/.test(name));
  writeJson(factsFile(unit, !more), { entry, parts: partsOf(stats.compilation), ...more } satisfies Facts);
}

export function configOf(unit: string, options: BuildOptions = {}): Configuration {
  const { pool } = load('./webpack.base.cjs') as {
    pool(name: string, options: BuildOptions & { version: string; values: Record<string, string> }): Configuration;
  };
  const values = unit.startsWith('mfe-') ? valuesOf(unit) : {};
  const config = pool(unit, { ...options, version: hashOf([common(), JSON.stringify(values)]), values });
  return { ...config, output: { ...config.output, path: outputOf(unit, options.dev) } };
}

/** Whether a file was saved during the build: then the output may be older than it. */
const savedSince = (time: number, sources: readonly string[]): boolean =>
  sources.some((name) => (statSync(path.join(ROOT, name), { throwIfNoEntry: false })?.mtimeMs ?? 0) > time);

export async function build(unit: string): Promise<void> {
  if (unit.startsWith('mfe-')) readRemote(unit.slice('mfe-'.length));
  const started = Date.now();
  // A fifth of a first build is writing a cache, which most checkouts that are only started never read.
  const once = !existsSync(factsFile(unit, false));
  const compiler = (load('webpack') as typeof webpack)(configOf(unit, { once }));
  const stats = await promisify<webpack.Stats>((done) => compiler.run(done as Parameters<typeof compiler.run>[0]))();
  await promisify<void>((done) => compiler.close(done))();
  const shown = { all: false, errors: true, errorDetails: false, moduleTrace: true, colors: false };
  if (stats.hasErrors()) throw new Error(stats.toString(shown));
  const view = await bundleFirstView(unit, unit.startsWith('mfe-') ? valuesOf(unit) : {});
  if (view.code !== null) writeFileWhole(path.join(outputOf(unit), FIRST_VIEW), view.code);
  const sources = [...new Set([...sourcesOf(stats.compilation), ...view.sources])].sort();
  const hash = savedSince(started, sources) ? '' : hashOfBuild(unit, sources);
  record(unit, stats, { sources, hash });
}
