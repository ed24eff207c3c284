/** What `npm run dev` watches, and whom it tells. */
import { spawn } from 'node:child_process';
import { existsSync, rmSync, watch } from 'node:fs';
import path from 'node:path';
import { createInterface } from 'node:readline';
import webpack from 'webpack';
import { COMMANDS, ROOT, writeJson } from '../build/files';
import { configOf, outputOf, record } from '../build/units';
import type { Front } from './front';

const messageOf = (error: unknown): string => (error instanceof Error ? error.message : String(error));

/** Calls `changed` a moment after a file in the folder has changed: editors write in steps. */
export function watchFolder(folder: string, files: RegExp, changed: () => unknown): void {
  let timer: NodeJS.Timeout | undefined;
  if (!existsSync(folder)) return;
  watch(folder, (_event, file) => {
    if (file !== null && !files.test(file)) return;
    clearTimeout(timer);
    timer = setTimeout(changed, 50);
  });
}

/** Folder with the types of styles; in the package it is a part of the commands. */
const TYPES = path.join(COMMANDS, existsSync(path.join(COMMANDS, 'types')) ? 'types' : '../types');

/** Runs `tsc --watch` of these folders and what they import; `report` gets all errors after each check. */
function watchTypes(folders: readonly string[], report: (errors: string[]) => void): void {
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
  let errors: string[] = [];
  createInterface({ input: child.stdout }).on('line', (line) => {
    if (/^.+\(\d+,\d+\): error TS\d+: /.test(line)) errors.push(line);
    // More about the error above.
    else if (line.startsWith('  ') && errors.length > 0) errors.push(`${errors.pop()}\n${line}`);
    else if (/ Found \d+ errors?\./.test(line)) {
      report(errors);
      errors = [];
    }
  });
  process.on('exit', () => child.kill());
}

export class Watcher {
  constructor(
    private readonly front: Front,
    /** The page is a deployed shell's. */
    private readonly against = false,
  ) {}

  /** Runs `work`; what it throws are the problems of `source`, here and in the page. */
  async attempt(source: string, work: () => unknown): Promise<void> {
    let problems: string[] = [];
    try {
      await work();
    } catch (error) {
      problems = [messageOf(error)];
      console.error(`dev: ${source}\n${problems[0]}`);
    }
    this.front.tell({ source, problems });
  }

  /** Builds at each change; `built` is called after each build that succeeded. Resolves after the first. */
  unit(unit: string, built: () => Promise<void>): Promise<void> {
    return new Promise((firstBuild) => {
      rmSync(path.join(outputOf(unit, true), 'hot'), { recursive: true, force: true });
      const compiler = webpack(configOf(unit, { dev: true, against: this.against }));
      let underWay = 0;
      compiler.hooks.watchRun.tap('dev', () => {
        underWay += 1;
        this.front.buildStarts(unit);
      });
      compiler.watch({ aggregateTimeout: 20 }, (error, stats) => {
        void this.attempt(unit, async () => {
          if (error) throw error;
          if (!stats || stats.hasErrors())
            throw new Error(stats?.toString({ all: false, errors: true, colors: false }));
          record(unit, stats, true);
          await built();
        }).then(() => {
          underWay -= 1;
          if (underWay === 0) this.front.buildEnded(unit);
          if (stats && !error && !stats.hasErrors()) this.front.tell({ unit, hash: stats.hash ?? '' });
          firstBuild();
        });
      });
    });
  }

  besideTheCode(unit: string, changed: () => Promise<void>): void {
    watchFolder(path.join(ROOT, unit), /^remote\.json$/, changed);
    watchFolder(path.join(ROOT, unit, 'locales'), /./, changed);
  }

  types(folders: readonly string[]): void {
    watchTypes(folders, (errors) => {
      if (errors.length > 0) console.error(`dev: types\n${errors.join('\n')}`);
      this.front.tell({ source: 'types', problems: errors });
    });
  }
}
