/**
 * Runs the table of faults in docs/operations.md whole (HEAVY=1), and prints for each fault what was measured. A fault
 * passes when each of its tests does, and its alarm is the one that fired.
 */
import { spawnSync } from 'node:child_process';
import { existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import type { Figures } from '../api/src/ops/faults/testing/alarms';
import { ROOT } from './build/files';
import { runCommand } from './command-line.mjs';
import { type Fault, faultsIn } from './faults/table';

const PAGE = path.join(ROOT, 'docs/operations.md');
const LAST = /^Last measured .*$/m;

/** Of a test's name; `%s` in the title stands for each of a table. */
const patternOf = (title: string): string =>
  title.replace(/[.*+?^${}()|[\]\\]/g, '\\$&').replace(/%[sif]|\\\$\w+/g, '.*');

/** Whether the tests of one fault in one file pass. */
function passes(file: string, titles: readonly string[], report: string): boolean {
  const pattern = titles.map(patternOf).join('|');
  const journey = ['playwright', 'test', '--config', 'e2e/playwright.config.ts', file, '--grep', pattern];
  const project = /^(?:api|scripts|e2e)\//.test(file) ? 'api' : 'unit';
  const test = ['jest', file, '--testNamePattern', pattern, '--selectProjects', project];
  const args = file.endsWith('.spec.ts') ? journey : test;
  const env = { ...process.env, HEAVY: '1', FAULTS_REPORT: report };
  return spawnSync('npx', args, { cwd: ROOT, stdio: ['ignore', 2, 2], env }).status === 0;
}

/** The slowest of all, as the cell of the table. */
function measured(figures: readonly Figures[]): string {
  if (figures.length === 0) return 'passed';
  const most = (of: keyof Figures): number => Math.max(...figures.map((each) => Number(each[of])));
  const sum = (of: keyof Figures): number => figures.reduce((total, each) => total + Number(each[of]), 0);
  return `${most('recoveredS').toFixed(1)} s; ${sum('accepted')} / ${sum('counted')}; ${most('alarmS')} s`;
}

function run({ name, alarm, tests }: Fault): string | null {
  const folder = mkdtempSync(path.join(tmpdir(), 'faults-'));
  const report = path.join(folder, 'report');
  const files = [...new Set(tests.map(({ file }) => file))];
  const isPassed = files.every((file) =>
    passes(
      file,
      tests.flatMap((test) => (test.file === file ? [test.title] : [])),
      report,
    ),
  );
  const lines = existsSync(report) ? readFileSync(report, 'utf8').trim().split('\n') : [];
  rmSync(folder, { recursive: true });
  const figures = lines.map((line) => JSON.parse(line) as Figures);
  const isRight = isPassed && figures.every((each) => each.alarm === alarm);
  console.log(`${name}: ${isRight ? measured(figures) : 'FAILED'}${alarm && ` ${alarm}`}`);
  return isRight ? measured(figures) : null;
}

void runCommand(
  {
    name: 'faults',
    what: 'Runs every fault of docs/operations.md whole: recovery; shares accepted / counted; time until the alarm.',
    options: {
      only: { type: 'string', what: 'one fault, by its name in the table' },
      write: { type: 'boolean', what: 'writes what was measured into the table' },
    },
  },
  ({ values: { only, write } }) => {
    const faults = faultsIn(readFileSync(PAGE, 'utf8'));
    const wanted = faults.filter(({ name }) => only === undefined || name === only);
    if (wanted.length === 0)
      throw new Error(`no fault "${only}"; there are: ${faults.map(({ name }) => name).join(', ')}`);
    if (wanted.some(({ tests }) => tests.some(({ file }) => file.endsWith('.spec.ts'))))
      spawnSync('npm', ['run', 'build'], { cwd: ROOT, stdio: ['ignore', 2, 2] });
    const results = wanted.map((fault) => ({ ...fault, cell: run(fault) }));
    if (write) {
      const commit = spawnSync('git', ['rev-parse', '--short', 'HEAD'], { cwd: ROOT, encoding: 'utf8' }).stdout.trim();
      let text = readFileSync(PAGE, 'utf8');
      for (const { row, cell } of results)
        text = text.replace(row, () => row.replace(/[^|]*(?=\|[^|]*\|$)/, ` ${cell ?? 'FAILED'} `));
      if (only === undefined)
        text = text.replace(LAST, `Last measured on ${new Date().toISOString().slice(0, 10)} at ${commit}.`);
      writeFileSync(PAGE, text);
    }
    const failed = results.filter(({ cell }) => cell === null);
    if (failed.length) throw new Error(`failed: ${failed.map(({ name }) => name).join(', ')}`);
  },
);
