/** The units webpack builds, and whether one has to be built again. */
import { existsSync } from 'node:fs';
import { createRequire } from 'node:module';
import path from 'node:path';
import webpack, { type Configuration, type StatsCompilation } from 'webpack';
import { readRemote } from './remote-source';
import { filesBelow, hashOfFiles, readJson, ROOT, writeJson } from './files';

const { pool } = createRequire(import.meta.url)('../../webpack.base.cjs') as {
  pool(name: string, options?: { dev?: boolean }): Configuration;
};

export const REMOTES = ['dashboard', 'workers', 'payments', 'referral', 'admin'] as const;
/** `landing` lives in the shell's folder. */
export const UNITS = ['shell', 'landing', ...REMOTES.map((name) => `mfe-${name}`)];

const folderOf = (unit: string): string => path.join(ROOT, unit === 'landing' ? 'shell' : unit);
/** Where webpack leaves a unit; what `npm run dev` builds stays out of the way of real builds. */
export const outputOf = (unit: string, dev = false): string =>
  dev ? path.join(ROOT, '.cache/dev', unit) : path.join(folderOf(unit), 'dist', unit.startsWith('mfe-') ? '' : unit);
const stampFile = (unit: string): string => path.join(ROOT, '.cache/build', `${unit}.json`);

const sourcesOf = (folder: string): string[] =>
  filesBelow(path.join(folder, 'src'))
    .filter((name) => !/\.test\.tsx?$/.test(name))
    .map((name) => path.join(folder, 'src', name));

/** What a remote is deployed with, and webpack does not see: what it says of itself, and its texts. */
export const besideTheCode = (unit: string): string[] => {
  const folder = folderOf(unit);
  return [
    path.join(folder, 'remote.json'),
    ...filesBelow(path.join(folder, 'locales')).map((name) => path.join(folder, 'locales', name)),
  ];
};

/** Everything a unit's output depends on: its sources, shared's, the config and the installed packages. */
function inputHash(unit: string): string {
  const common = ['webpack.base.cjs', 'package-lock.json', 'shared/package.json'].map((name) => path.join(ROOT, name));
  return hashOfFiles([
    ...common,
    ...sourcesOf(path.join(ROOT, 'shared')),
    ...sourcesOf(folderOf(unit)),
    ...(unit.startsWith('mfe-') ? besideTheCode(unit) : []),
  ]);
}

export const exists = (unit: string): boolean =>
  ['main.tsx', 'landing/main.tsx', 'app.ts', 'app.tsx'].some((entry) =>
    existsSync(path.join(folderOf(unit), 'src', entry)),
  );

export function isFresh(unit: string): boolean {
  return (
    existsSync(outputOf(unit)) &&
    existsSync(stampFile(unit)) &&
    readJson<{ hash: string }>(stampFile(unit)).hash === inputHash(unit)
  );
}

/** Entry points and chunk groups of a finished build, kept beside its output for the page templates, preloads and budgets. */
export type UnitStats = { entry: string[]; groups: Record<string, string[]> };
const statsFile = (unit: string, dev: boolean): string =>
  path.join(ROOT, '.cache', dev ? 'dev' : 'build', `${unit}.stats.json`);
export const statsOf = (unit: string, dev = false): UnitStats => readJson<UnitStats>(statsFile(unit, dev));

function unitStats(unit: string, stats: StatsCompilation): UnitStats {
  const files = (assets: { name: string }[] | undefined) =>
    (assets ?? []).map((asset) => asset.name).filter((name) => /\.(js|css)$/.test(name));
  return {
    entry: files(stats.entrypoints?.[unit]?.assets),
    groups: Object.fromEntries(
      Object.entries(stats.namedChunkGroups ?? {}).map(([name, group]) => [name, files(group.assets)]),
    ),
  };
}

export function record(unit: string, stats: webpack.Stats, dev = false): void {
  writeJson(
    statsFile(unit, dev),
    unitStats(unit, stats.toJson({ all: false, entrypoints: true, chunkGroups: true, chunkGroupAuxiliary: false })),
  );
}

export function configOf(unit: string, dev = false): Configuration {
  const config = pool(unit, { dev });
  return { ...config, output: { ...config.output, path: outputOf(unit, dev) } };
}

/** Builds one unit; throws with webpack's own messages, or with what is wrong in its `remote.json`. */
export async function build(unit: string): Promise<void> {
  if (unit.startsWith('mfe-')) readRemote(unit.slice('mfe-'.length));
  const hash = inputHash(unit);
  const compiler = webpack(configOf(unit));
  const stats = await new Promise<webpack.Stats>((resolve, reject) => {
    compiler.run((error, result) =>
      error ? reject(error) : result ? resolve(result) : reject(new Error(`${unit}: no result`)),
    );
  });
  await new Promise<void>((resolve, reject) => {
    compiler.close((error) => (error ? reject(error) : resolve()));
  });
  if (stats.hasErrors())
    throw new Error(
      stats.toString({ all: false, errors: true, errorDetails: false, moduleTrace: true, colors: false }),
    );
  record(unit, stats);
  writeJson(stampFile(unit), { hash });
}
