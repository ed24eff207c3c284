/** What `npm run dev` watches, and whom it tells. */
import { existsSync, rmSync, watch } from 'node:fs';
import path from 'node:path';
import webpack from 'webpack';
import { ROOT } from '../build/files';
import { configOf, outputOf, record } from '../build/units';
import type { Front } from './front';
import { watchTypes } from './types';

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

  /** `remote.json` and texts of a remote. */
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
