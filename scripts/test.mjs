/** `npm test`: everything. Ends with `N passed, N failed`. */
import { spawn } from 'node:child_process';
import { mkdirSync, readFileSync, rmSync } from 'node:fs';
import path from 'node:path';
import { ensureInstalled, findChromium, installTestTools, ROOT, say } from './setup.mjs';

if (process.argv.length > 2) {
  process.stderr.write('npm test runs everything and takes no names; one unit: npm run check -- <unit>\n');
  process.exit(1);
}
const tools = installTestTools();
ensureInstalled();
await tools;
const chromium = await findChromium();
const REPORTS = path.join(ROOT, '.cache', 'reports');
rmSync(REPORTS, { recursive: true, force: true });
mkdirSync(REPORTS, { recursive: true });

const bin = (name) => path.join(ROOT, 'node_modules', '.bin', name);
const tsx = (...script) => [process.execPath, ['--import', 'tsx', ...script]];
const report = (name) => path.join(REPORTS, `${name}.json`);
const env = {
  ...process.env,
  CHROME_PATH: chromium,
  FORCE_COLOR: process.env.FORCE_COLOR ?? '0',
  DEBUG_PRINT_LIMIT: '2000',
};

/** `minutes`: the step is ended and counts as failed after them, so that a test that hangs is named. */
const step = (name, minutes, [command, args], count = () => ({ passed: 0, failed: 0 }), extra = {}) => ({
  name,
  minutes,
  command,
  args,
  count,
  env: { ...env, ...extra },
});
/** More failed files than this are no accident of a noisy machine. */
const MOST_AGAIN = 3;
/**
 * Forced to exit: a test that fails before it closes its database would keep jest running until the step's limit.
 * `files`: only these. `again`: a step of the files that failed, and how many of their tests passed; null: none to try.
 */
const jest = (project, minutes, options = [], extra = {}, files = []) => {
  const file = report(files.length > 0 ? `${project}-again` : project);
  const read = () => JSON.parse(readFileSync(file, 'utf8'));
  const count = () => {
    const { numPassedTests: passed, numFailedTests: failed, numRuntimeErrorTestSuites: broken } = read();
    return { passed, failed: failed + broken };
  };
  const again = () => {
    const failed = read().testResults.filter(({ status }) => status === 'failed');
    if (failed.length === 0 || failed.length > MOST_AGAIN) return null;
    const names = failed.map(({ name }) => name);
    say(`${project} tests, again: ${names.map((name) => path.relative(ROOT, name)).join(', ')}`);
    const passed = failed.flatMap((suite) => suite.assertionResults).filter(({ status }) => status === 'passed').length;
    return { next: jest(project, minutes, options, extra, names), passed };
  };
  return {
    ...step(
      `${project} tests`,
      minutes,
      [
        process.execPath,
        [
          ...options,
          bin('jest'),
          ...files,
          ...(files.length > 0 ? ['--runTestsByPath'] : []),
          '--selectProjects',
          project,
          '--json',
          `--outputFile=${file}`,
          '--silent',
          '--forceExit',
        ],
      ],
      count,
      extra,
    ),
    again,
  };
};
const browser = step(
  'browser journeys',
  38,
  [bin('playwright'), ['test', '--config', 'e2e/playwright.config.ts']],
  () => {
    const { stats } = JSON.parse(readFileSync(report('e2e'), 'utf8'));
    if (stats.flaky) say(`${stats.flaky} journeys passed only at the second try`);
    return { passed: stats.expected + stats.flaky, failed: stats.unexpected };
  },
  { PLAYWRIGHT_JSON_OUTPUT_NAME: report('e2e') },
);

/** Two lanes side by side: journeys wait for about half of their time, in which the other lane has the cores. */
const lanes = [
  [
    step('types and lint', 8, [bin('oxlint'), ['--config', 'oxlint.config.mjs']]),
    step('nothing unused', 8, [bin('knip'), ['--no-progress']]),
    step('translations', 8, tsx('scripts/i18n-check.ts')),
    jest('unit', 20),
    // Processes of tests live for seconds: optimising the embedded database takes longer than it saves.
    jest('api', 30, ['--liftoff-only'], { TEST_DATABASE: 'postgresql' }),
    step('independent miner', 8, tsx('scripts/interop.ts', '--seconds', '100', '--report', report('interop')), () =>
      JSON.parse(readFileSync(report('interop'), 'utf8')),
    ),
  ],
  [
    step('build', 10, tsx('scripts/build.ts')),
    step('size budgets', 3, tsx('scripts/size.ts')),
    browser,
    step('format', 8, [bin('prettier'), ['--check', '--log-level', 'warn', '.']]),
    step('surface of shared', 8, tsx('scripts/surface.ts')),
  ],
];

function execute({ name, minutes, command, args, env: environment, count }) {
  const started = Date.now();
  return new Promise((resolve) => {
    // A process group of its own, so that what a step leaves running ends with it.
    const child = spawn(command, args, { cwd: ROOT, env: environment, stdio: 'inherit', detached: true });
    const endGroup = () => {
      try {
        process.kill(-child.pid, 'SIGKILL');
      } catch {
        /* all of it has ended */
      }
    };
    process.once('exit', endGroup);
    const limit = setTimeout(() => {
      say(`${name}: not done after ${minutes} minutes, ended`);
      endGroup();
    }, minutes * 60_000);
    child.on('error', (error) => {
      clearTimeout(limit);
      say(`${name}: ${error.message}`);
      resolve({ name, ok: false, passed: 0, failed: 1, seconds: 0 });
    });
    child.on('exit', (code) => {
      clearTimeout(limit);
      process.off('exit', endGroup);
      endGroup();
      const ok = code === 0;
      let counted = { passed: 0, failed: 0 };
      try {
        counted = count();
      } catch {
        /* the step died before it could report: its exit code says so */
      }
      const failed = ok ? counted.failed : Math.max(1, counted.failed);
      resolve({ name, ok: ok && failed === 0, passed: counted.passed, failed, seconds: (Date.now() - started) / 1000 });
    });
  });
}

for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP']) process.once(signal, () => process.exit(1));

/** A noisy machine gets a second chance, as in the journeys: files of tests that failed run once more. */
async function secondTry({ again }, first) {
  let retry = null;
  try {
    retry = again?.() ?? null;
  } catch {
    /* there is no report: the step died */
  }
  if (!retry) return first;
  const second = await execute(retry.next);
  if (second.ok) say(`${first.failed} of the ${first.name} passed only at the second try`);
  const passed = first.passed - retry.passed + second.passed;
  return { ...second, passed, seconds: first.seconds + second.seconds };
}

const results = [];
const runLane = async (lane) => {
  for (const each of lane) {
    say(each.name);
    const first = await execute(each);
    results.push(first.ok ? first : await secondTry(each, first));
  }
};
await Promise.all(lanes.map(runLane));
process.stdout.write('\n');
for (const { name, ok, passed, failed, seconds } of results) {
  process.stdout.write(
    `${ok ? 'ok  ' : 'FAIL'} ${name.padEnd(20)} ${passed || failed ? `${passed} passed, ${failed} failed` : ''} (${seconds.toFixed(0)} s)\n`,
  );
}
const sum = (key) => results.reduce((total, result) => total + result[key], 0);
process.stdout.write(`\n${sum('passed')} passed, ${sum('failed')} failed\n`);
process.exit(results.every((result) => result.ok) ? 0 : 1);
