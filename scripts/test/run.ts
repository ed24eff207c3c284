/** `npm test`, once everything is installed (scripts/test.mjs). Ends with `N passed, N failed`. */
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { chmodSync, mkdirSync, mkdtempSync, readFileSync, rmSync, statfsSync } from 'node:fs';
import { availableParallelism } from 'node:os';
import path from 'node:path';
import { stripVTControlCharacters } from 'node:util';
import { ROOT } from '../build/files';

/** A test whose first try failed, with what that try said. */
type Fault = { name: string; passedLater: boolean; said: string };
type Counted = { passed: number; failed: number; skipped: number; faults: Fault[] };

/** First lines of an error. */
const shortened = (message = ''): string =>
  stripVTControlCharacters(message)
    .split('\n')
    .filter((line) => line.trim() !== '')
    .slice(0, 8)
    .join('\n    ');

type JestTest = { status: string; fullName: string; retryReasons?: string[]; failureMessages?: string[] };
type JestReport = Record<`num${'Passed' | 'Failed' | 'Pending'}Tests` | 'numRuntimeErrorTestSuites', number> & {
  testResults: { name: string; message: string; assertionResults: JestTest[] }[];
};

function readJest(file: string): Counted {
  const report = JSON.parse(readFileSync(file, 'utf8')) as JestReport;
  const faults = report.testResults.flatMap(({ name, message, assertionResults }): Fault[] => {
    const file = path.relative(ROOT, name);
    if (assertionResults.length === 0 && message) return [{ name: file, passedLater: false, said: shortened(message) }];
    return assertionResults.flatMap(({ status, fullName, retryReasons = [], failureMessages = [] }) => {
      const [first] = [...retryReasons, ...failureMessages];
      if (first === undefined) return [];
      return { name: `${file} › ${fullName}`, passedLater: status === 'passed', said: shortened(first) };
    });
  });
  const failed = report.numFailedTests + report.numRuntimeErrorTestSuites;
  return { passed: report.numPassedTests, failed, skipped: report.numPendingTests, faults };
}

type PlaywrightTest = { status: string; results: { error?: { message?: string } }[] };
type PlaywrightSuite = {
  title: string;
  suites?: PlaywrightSuite[];
  specs?: { title: string; file: string; tests: PlaywrightTest[] }[];
};
type PlaywrightReport = {
  stats: { expected: number; unexpected: number; flaky: number; skipped: number };
  suites: PlaywrightSuite[];
};

function readPlaywright(file: string): Counted {
  const { stats, suites } = JSON.parse(readFileSync(file, 'utf8')) as PlaywrightReport;
  const faultsOf = (suite: PlaywrightSuite): Fault[] => [
    ...(suite.specs ?? []).flatMap(({ file: spec, title, tests }) =>
      tests
        .filter(({ status }) => status === 'flaky' || status === 'unexpected')
        .map(({ status, results }) => ({
          name: `e2e/specs/${spec} › ${title}`,
          passedLater: status === 'flaky',
          said: shortened(results.find(({ error }) => error)?.error?.message),
        })),
    ),
    ...(suite.suites ?? []).flatMap(faultsOf),
  ];
  const faults = suites.flatMap(faultsOf);
  return { passed: stats.expected + stats.flaky, failed: stats.unexpected, skipped: stats.skipped, faults };
}

const REPORTS = path.join(ROOT, '.cache/reports');
const NONE: Counted = { passed: 0, failed: 0, skipped: 0, faults: [] };

type Step = {
  name: string;
  /** It is ended after so many minutes and counts as failed, so that a test that hangs is named. */
  minutes: number;
  command: string[];
  env?: Record<string, string>;
  count?: () => Counted;
};
type Result = Counted & { name: string; seconds: number };

const MEMORY = '/dev/shm';
const NEEDED = 4 * 2 ** 30;

/** Temporary folder in memory, if enough is free: on a disk, databases and profiles take a tenth of the tests' time. */
function folderInMemory(): string | undefined {
  try {
    const { bavail, bsize } = statfsSync(MEMORY);
    if (bavail * bsize < NEEDED) return undefined;
    const folder = mkdtempSync(path.join(MEMORY, 'pool-tests-'));
    // PostgreSQL runs as a user of its own.
    chmodSync(folder, 0o755);
    return folder;
  } catch {
    return undefined;
  }
}

const say = (text: string): void => console.log(`\u2022 ${text}`);
const bin = (name: string): string => path.join(ROOT, 'node_modules/.bin', name);
/** Builds and pages make many objects that live for moments: with more room for those a tenth of the time is saved. */
const ROOM = '--max-semi-space-size=64';
const tsx = (...script: string[]): string[] => [process.execPath, ROOM, '--import', 'tsx', ...script];
const report = (name: string): string => path.join(REPORTS, `${name}.json`);

/** Side by side: each uses little more than one core, and they take about as long as each other. */
const CHECKS: Step[][] = [
  [
    { name: 'build', minutes: 10, command: tsx('scripts/build.ts') },
    { name: 'size budgets', minutes: 3, command: tsx('scripts/size.ts') },
  ],
  [
    { name: 'types and lint', minutes: 8, command: [bin('oxlint'), '--config', 'oxlint.config.mjs'] },
    { name: 'nothing unused', minutes: 8, command: [bin('knip'), '--no-progress'] },
    { name: 'translations', minutes: 8, command: tsx('scripts/i18n-check.ts') },
  ],
  [
    { name: 'format', minutes: 8, command: [bin('oxfmt'), '--check'] },
    { name: 'surface of shared', minutes: 8, command: tsx('scripts/surface.ts') },
    { name: 'miner, built', minutes: 8, command: tsx('scripts/interop.ts', '--build') },
  ],
];

/** One after another: each uses all cores. A busy machine may be too slow for a page, so those are tried twice. */
const TESTS: Step[] = [
  {
    name: 'unit and API tests',
    minutes: 40,
    command: [
      process.execPath,
      ROOM,
      // Processes of tests live for seconds: optimising the embedded database takes longer than it saves, and so does
      // optimising functions as early as V8 does by default: after 67,584 bytes of bytecode.
      ...['--liftoff-only', '--interrupt-budget=600000'],
      ...[bin('jest'), '--json', `--outputFile=${report('jest')}`, '--silent'],
      // A test that fails before it closes its database would keep jest running until the step's limit.
      '--forceExit',
      // API tests wait for their processes half of the time: unit tests beside them use what they leave of the cores.
      ...['--maxWorkers', String(Math.max(5, availableParallelism() - 1))],
    ],
    env: { SECOND_TRY: '1', TEST_DATABASE: 'postgresql' },
    count: () => readJest(report('jest')),
  },
  {
    name: 'browser journeys',
    minutes: 57,
    command: [bin('playwright'), 'test', '--config', 'e2e/playwright.config.ts', '--retries', '1'],
    env: { PLAYWRIGHT_JSON_OUTPUT_NAME: report('e2e') },
    count: () => readPlaywright(report('e2e')),
  },
  {
    name: 'independent miner',
    minutes: 8,
    command: tsx('scripts/interop.ts', '--seconds', '12', '--report', report('interop')),
    count: () => ({ ...NONE, ...(JSON.parse(readFileSync(report('interop'), 'utf8')) as Partial<Counted>) }),
  },
];

async function execute({
  name,
  minutes,
  command: [file = '', ...args],
  env,
  count = () => NONE,
}: Step): Promise<Result> {
  say(name);
  const started = Date.now();
  // A process group of its own, so that what a step leaves running ends with it.
  const child = spawn(file, args, {
    cwd: ROOT,
    env: { FORCE_COLOR: '0', ...process.env, DEBUG_PRINT_LIMIT: '2000', ...env },
    stdio: 'inherit',
    detached: true,
  });
  const endGroup = (): void => {
    try {
      if (child.pid !== undefined) process.kill(-child.pid, 'SIGKILL');
    } catch {
      /* all of it has ended */
    }
  };
  process.once('exit', endGroup);
  const limit = setTimeout(() => {
    say(`${name}: not done after ${minutes} minutes, ended`);
    endGroup();
  }, minutes * 60_000);
  const code = await once(child, 'exit').then(
    ([exit]) => exit as number | null,
    (error: Error) => say(`${name}: ${error.message}`),
  );
  clearTimeout(limit);
  process.off('exit', endGroup);
  endGroup();
  let counted = NONE;
  try {
    counted = count();
  } catch {
    /* the step died before it could report: its exit code says so */
  }
  const failed = code === 0 ? counted.failed : Math.max(1, counted.failed);
  return { ...counted, name, failed, seconds: (Date.now() - started) / 1000 };
}

const countsOf = ({ passed, failed, skipped }: Omit<Counted, 'faults'>): string =>
  `${passed} passed, ${failed} failed${skipped > 0 ? `, ${skipped} skipped` : ''}`;

async function run(): Promise<void> {
  for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP']) process.once(signal, () => process.exit(1));
  rmSync(REPORTS, { recursive: true, force: true });
  mkdirSync(REPORTS, { recursive: true });
  const results: Result[] = [];
  const inSequence = async (steps: readonly Step[]): Promise<void> => {
    for (const step of steps) results.push(await execute(step));
  };
  await Promise.all(CHECKS.map(inSequence));
  const temporary = folderInMemory();
  if (temporary !== undefined) {
    process.env.TMPDIR = temporary;
    process.once('exit', () => rmSync(temporary, { recursive: true, force: true }));
  }
  await inSequence(TESTS);
  console.log();
  for (const { name, seconds, ...counted } of results) {
    const counts = counted.passed || counted.failed ? countsOf(counted) : '';
    console.log(`${counted.failed ? 'FAIL' : 'ok  '} ${name.padEnd(20)} ${counts} (${seconds.toFixed(0)} s)`);
  }
  console.log();
  const faults = results.flatMap((result) => result.faults);
  for (const { name, passedLater, said } of faults)
    say(`${passedLater ? 'passed at its second try' : 'failed'}: ${name}\n    ${said}`);
  const flaky = faults.filter(({ passedLater }) => passedLater);
  if (flaky.length > 0) console.log(`${flaky.length} flaky`);
  const sum = (key: 'passed' | 'failed' | 'skipped'): number =>
    results.reduce((total, result) => total + result[key], 0);
  console.log(countsOf({ passed: sum('passed'), failed: sum('failed'), skipped: sum('skipped') }));
  process.exit(sum('failed') === 0 ? 0 : 1);
}

void run();
