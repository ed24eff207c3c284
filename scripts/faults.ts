/**
 * Runs the table of faults in docs/monitoring.md whole (HEAVY=1), and prints for each fault what was measured. A fault
 * passes when each of its tests does, and its alarm is the one that fired. One that fails or hangs holds up no other.
 * Those with an alarm mostly wait for it: the others run beside them.
 */
import { spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import type { Figures } from '../api/src/ops/faults/testing/alarms';
import { ROOT } from './build/files';
import { runCommand } from './command-line.mjs';
import { type Fault, faultsIn, withMeasured } from './faults/table';

const PAGE = path.join(ROOT, 'docs/monitoring.md');
const LAST = /^Last measured .*$/m;
/** Time for the tests of one file. */
const PATIENCE_MS = 1_800_000;

/** Pattern of a test's name; `%s` in the title stands for each of a table. */
const patternOf = (title: string): string =>
  title.replace(/[.*+?^${}()|[\]\\]/g, '\\$&').replace(/%[sif]|\\\$\w+/g, '.*');

/** Runs the tests of one fault in one file: how many passed; null: one failed, or they hung. */
async function passedOf(file: string, titles: readonly string[], folder: string): Promise<number | null> {
  const pattern = titles.map(patternOf).join('|');
  const journey = ['playwright', 'test', '--config', 'e2e/playwright.config.ts', file, '--grep', pattern];
  const project = /^(?:api|scripts|e2e)\//.test(file) ? 'api' : 'unit';
  const said = path.join(folder, 'jest.json');
  const test = ['jest', file, '--testNamePattern', pattern, '--selectProjects', project, '--json'];
  const isJourney = file.endsWith('.spec.ts');
  const args = isJourney ? journey : [...test, `--outputFile=${said}`];
  const env = { ...process.env, HEAVY: '1', FAULTS_REPORT: path.join(folder, 'report') };
  const child = spawn('npx', args, { cwd: ROOT, stdio: ['ignore', 2, 2], env, timeout: PATIENCE_MS });
  const [status] = (await once(child, 'exit')) as [number | null];
  if (status !== 0) return null;
  return isJourney
    ? titles.length
    : (JSON.parse(readFileSync(said, 'utf8')) as { numPassedTests: number }).numPassedTests;
}

/** The slowest of all, as the cell of the table. */
function measured(figures: readonly Figures[]): string {
  const most = (of: keyof Figures): number => Math.max(...figures.map((each) => Number(each[of])));
  const sum = (of: keyof Figures): number => figures.reduce((total, each) => total + Number(each[of]), 0);
  return `${most('recoveredS').toFixed(1)} s; ${sum('accepted')} / ${sum('counted')}; ${most('alarmS')} s`;
}

type Result = { name: string; cell: string; isPassed: boolean; tookS: number };

async function run({ name, alarm, tests }: Fault): Promise<Result> {
  const began = performance.now();
  const folder = mkdtempSync(path.join(tmpdir(), 'faults-'));
  const files = [...new Set(tests.map(({ file }) => file))];
  const passed: (number | null)[] = [];
  for (const file of files) {
    const titles = tests.flatMap((test) => (test.file === file ? [test.title] : []));
    passed.push(await passedOf(file, titles, folder));
  }
  const report = path.join(folder, 'report');
  const lines = existsSync(report) ? readFileSync(report, 'utf8').trim().split('\n') : [];
  rmSync(folder, { recursive: true });
  const figures = lines.map((line) => JSON.parse(line) as Figures);
  const result = (isPassed: boolean, cell: string): Result => ({
    name,
    cell,
    isPassed,
    tookS: Math.round((performance.now() - began) / 1000),
  });
  if (passed.includes(null) || figures.some((each) => each.alarm !== alarm)) return result(false, 'FAILED');
  // Each test names what it lacks, as "Left out: ...".
  if (passed.includes(0) || (alarm && figures.length === 0)) return result(false, 'not run on this machine');
  const tested = passed.reduce((sum: number, each) => sum + (each ?? 0), 0);
  return result(true, alarm ? measured(figures) : `${tested} ${tested === 1 ? 'test' : 'tests'} passed`);
}

const minutes = (seconds: number): string => `${(seconds / 60).toFixed(1)} min`;

void runCommand(
  {
    name: 'faults',
    what: 'Runs every fault of docs/monitoring.md whole: recovery; shares accepted / counted; time until the alarm.',
    options: {
      only: { type: 'string', what: 'faults by their names in the table, comma separated' },
      write: { type: 'boolean', what: 'writes what was measured into the table, each as soon as it is known' },
    },
  },
  async ({ values: { only, write } }) => {
    const faults = faultsIn(readFileSync(PAGE, 'utf8'));
    const names = only?.split(',') ?? faults.map(({ name }) => name);
    const wanted = faults.filter(({ name }) => names.includes(name));
    const unknown = names.filter((name) => !faults.some((fault) => fault.name === name));
    if (unknown.length > 0)
      throw new Error(`no fault "${unknown.join(', ')}"; there are: ${faults.map(({ name }) => name).join(', ')}`);
    const commit = spawnSync('git', ['rev-parse', '--short', 'HEAD'], { cwd: ROOT, encoding: 'utf8' }).stdout.trim();
    if (wanted.some(({ tests }) => tests.some(({ file }) => file.endsWith('.spec.ts'))))
      spawnSync('npm', ['run', 'build'], { cwd: ROOT, stdio: ['ignore', 2, 2] });
    const began = performance.now();
    const results: Result[] = [];
    const runAll = async (some: readonly Fault[]): Promise<void> => {
      for (const fault of some) {
        const result = await run(fault);
        results.push(result);
        console.log(`${fault.name}: ${result.cell}${fault.alarm && ` ${fault.alarm}`} (${minutes(result.tookS)})`);
        if (write) writeFileSync(PAGE, withMeasured(readFileSync(PAGE, 'utf8'), fault.name, result.cell));
      }
    };
    await Promise.all([runAll(wanted.filter(({ alarm }) => alarm)), runAll(wanted.filter(({ alarm }) => !alarm))]);
    const failed = results.filter(({ isPassed }) => !isPassed);
    const took = minutes((performance.now() - began) / 1000);
    const all = `${results.length - failed.length} of ${results.length} faults passed in ${took}`;
    console.log(`\n${all}, at ${commit}.`);
    if (write && only === undefined) {
      const last = `Last measured whole on ${new Date().toISOString().slice(0, 10)} at ${commit}: ${all}.`;
      writeFileSync(PAGE, readFileSync(PAGE, 'utf8').replace(LAST, last));
    }
    if (failed.length) throw new Error(failed.map(({ name, cell }) => `${name}: ${cell}`).join('\n'));
  },
);
