/** The builds of `npm run dev`: webpack-dev-middleware makes them again at each change, serves them and tells the page. */
import { spawn } from 'node:child_process';
import { existsSync } from 'node:fs';
import path from 'node:path';
import webpack, { type Compiler, type WebpackError } from 'webpack';
import devMiddleware from 'webpack-dev-middleware';
import { COMMANDS, ROOT, writeJson } from '../build/files';
import { configOf, record } from '../build/units';

/** `beside`: files that webpack does not read. `publish`: called after each build with those that changed; its error is one of the build. */
export type Unit = { name: string; beside?: readonly string[]; publish?(changed: readonly string[]): unknown };

export type Builds = ReturnType<typeof startBuilds>;

class PublishPlugin {
  private readonly changed = new Set<string>();

  constructor(private readonly unit: Unit) {}

  apply({ hooks }: Compiler): void {
    const { name, beside = [], publish } = this.unit;
    hooks.afterCompile.tap('dev', ({ fileDependencies }) => fileDependencies.addAll(beside));
    hooks.done.tapPromise('dev', async (stats) => {
      const { modifiedFiles = [] } = stats.compilation.compiler;
      for (const file of modifiedFiles) if (beside.includes(file)) this.changed.add(file);
      if (stats.hasErrors()) return;
      record(name, stats);
      try {
        await publish?.([...this.changed]);
        this.changed.clear();
      } catch (error) {
        stats.compilation.errors.push(error as WebpackError);
      }
    });
  }
}

/** `against`: the page is a deployed shell's. */
export function startBuilds(units: readonly Unit[], against = false) {
  const configs = units.map((unit) => {
    const { plugins = [], ...config } = configOf(unit.name, { dev: true, against });
    return { ...config, plugins: [...plugins, new PublishPlugin(unit)] };
  });
  const headers = { 'cache-control': 'no-store' };
  const stats = { all: false, errors: true } as const;
  return devMiddleware(webpack(configs), { headers, stats, hot: { path: '/__dev/events', inject: 'plugin' } });
}

/** Resolves after the first builds. */
export const built = (builds: Builds): Promise<unknown> => new Promise((resolve) => builds.waitUntilValid(resolve));

/** Folder with the types of styles; in the package it is a part of the commands. */
const TYPES = path.join(COMMANDS, existsSync(path.join(COMMANDS, 'types')) ? 'types' : '../types');

/** Runs `tsc --watch` of these folders and what they import; the page shows all errors after each check. */
export function watchTypes({ context: { hot } }: Builds, folders: readonly string[]): void {
  const config = path.join(ROOT, '.cache/dev/tsconfig.json');
  writeJson(config, {
    extends: '../../tsconfig.json',
    compilerOptions: { tsBuildInfoFile: 'tsbuildinfo' },
    include: [...folders, TYPES, path.join(COMMANDS, 'dev/page')].map((folder) => path.resolve(ROOT, folder)),
  });
  const compiler = path.join(ROOT, 'node_modules/typescript/bin/tsc');
  const child = spawn(
    process.execPath,
    [compiler, '--watch', '--preserveWatchOutput', '--pretty', 'false', '-p', config],
    { cwd: ROOT, stdio: ['ignore', 'pipe', 'inherit'] },
  );
  let text = '';
  let errors: string[] = [];
  const said = () => ({ action: 'types', name: 'types', errors });
  child.stdout.on('data', (more: Buffer) => {
    text += more.toString();
    if (!/ Found \d+ errors?\./.test(text)) return;
    // Lines that begin with blanks say more of the error above.
    errors = text.split(/\n(?=\S)/).filter((line) => /\(\d+,\d+\): error TS\d+: /.test(line));
    text = '';
    if (errors.length > 0) console.error(`dev: types\n${errors.join('\n')}`);
    hot?.publish(said());
  });
  hot?.onConnect((page) => hot.publishTo(page, said()));
  process.on('exit', () => child.kill());
}
