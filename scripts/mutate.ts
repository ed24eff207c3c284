/** Changes the source in small ways, one after another, and says which changes no test notices (StrykerJS). */
import { mkdirSync, readdirSync, statSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { run as databases, startDatabases } from '../api/src/platform/db/testing/run-setup';
import jest from '../jest.config.cjs';
import { runCommand } from './command-line.mjs';
import { ROOT } from './build/files';
import { run } from './setup.mjs';

/** Fetched when it is asked for: in the lock file its 97 packages would lengthen each fresh install. 10 needs Node 22. */
const VERSION = '9.6.1';
const CACHE = path.join(ROOT, '.cache/stryker');

const [unit, api] = jest.projects;
/** Folders that jest looks through for each change, without those of installed packages. */
const SOURCES = readdirSync(ROOT, { withFileTypes: true })
  .filter((entry) => entry.isDirectory() && !/^\.|^node_modules$/.test(entry.name))
  .map(({ name }) => path.join(ROOT, name));
const isFolder = (at: string): boolean => statSync(path.join(ROOT, at)).isDirectory();
const sourcesOf = (at: string): string => (isFolder(at) ? path.join(at, '**/*.{ts,tsx}') : at);
const testsOf = (at: string): string =>
  path.join(
    ROOT,
    /\.test\.tsx?$/.test(at) ? at : path.join(isFolder(at) ? at : path.dirname(at), '**/*.test.{ts,tsx}'),
  );

async function mutate(paths: string[], tests: string[]): Promise<void> {
  const isApi = paths.some((at) => /^(api|scripts|e2e)\//.test(at));
  mkdirSync(CACHE, { recursive: true });
  const config = path.join(CACHE, 'stryker.conf.json');
  const project = { ...(isApi ? api : unit), globalSetup: undefined, globalTeardown: undefined };
  writeFileSync(
    config,
    JSON.stringify({
      mutate: [...paths.map(sourcesOf), '!**/*.test.*', '!**/testing/**', '!**/*.d.ts'],
      // Texts of errors and SQL are no boundary, limit or combination.
      mutator: { excludedMutations: ['StringLiteral'] },
      // A copy would take the packages of the workspaces from here, unchanged.
      inPlace: true,
      disableTypeChecks: false,
      tempDirName: '.cache/stryker',
      testRunner: 'jest',
      plugins: ['@stryker-mutator/jest-runner'],
      jest: {
        config: { projects: [], ...project, roots: SOURCES, testMatch: tests.map(testsOf), testTimeout: 60_000 },
        enableFindRelatedTests: false,
      },
      coverageAnalysis: 'perTest',
      // What runs once, when a file is loaded, would be asked of all tests.
      ignoreStatic: true,
      concurrency: 1,
      dryRunTimeoutMinutes: 30,
      timeoutMS: 15_000,
      reporters: ['progress-append-only', 'clear-text'],
      clearTextReporter: { allowColor: false, reportTests: false },
    }),
  );
  process.env.TEST_DATABASE = 'postgresql';
  // Once for all: jest would make them for each change.
  if (isApi) await startDatabases();
  try {
    const packages = ['core', 'jest-runner'].flatMap((name) => ['-p', `@stryker-mutator/${name}@${VERSION}`]);
    process.exitCode = run('npx', ['--yes', ...packages, 'stryker', 'run', config]);
  } finally {
    await databases.cluster?.remove();
  }
}

void runCommand(
  {
    name: 'mutate',
    what:
      'Which changes of these files or folders no test notices. It changes them in place, one at a time, and puts them\n' +
      'back: commit before. The more tests it asks the longer it takes; those below http/routes start a server each.',
    takes: '<path> [paths...]',
    options: {
      tests: { type: 'string', what: 'files or folders of tests by commas, in place of those beside the paths' },
    },
  },
  ({ positionals, values: { tests } }) => mutate(positionals, tests?.split(',') ?? positionals),
);
