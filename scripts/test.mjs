/** `npm test`: everything, in the order that fails soonest. Ends with `N passed, N failed`. */
import { spawn } from 'node:child_process';
import { mkdirSync, readFileSync, rmSync } from 'node:fs';
import path from 'node:path';
import { ensureChromium, ensureInstalled, ensurePostgres, ROOT, say } from './setup.mjs';

ensureInstalled();
ensurePostgres();
const chromium = await ensureChromium();
const REPORTS = path.join(ROOT, '.cache', 'reports');
rmSync(REPORTS, { recursive: true, force: true });
mkdirSync(REPORTS, { recursive: true });

const bin = (name) => path.join(ROOT, 'node_modules', '.bin', name);
const tsx = (script) => [process.execPath, ['--import', 'tsx', script]];
const report = (name) => path.join(REPORTS, `${name}.json`);
const env = { ...process.env, CHROME_PATH: chromium, FORCE_COLOR: process.env.FORCE_COLOR ?? '0' };

const step = (name, [command, args], count = () => ({ passed: 0, failed: 0 }), extra = {}) => ({
  name,
  command,
  args,
  count,
  env: { ...env, ...extra },
});
const jest = (project) => {
  const file = report(project);
  return step(
    `${project} tests`,
    [bin('jest'), ['--selectProjects', project, '--json', `--outputFile=${file}`, '--silent']],
    () => {
      const {
        numPassedTests: passed,
        numFailedTests: failed,
        numRuntimeErrorTestSuites: broken,
      } = JSON.parse(readFileSync(file, 'utf8'));
      return { passed, failed: failed + broken };
    },
  );
};
const browser = step(
  'browser journeys',
  [bin('playwright'), ['test', '--config', 'e2e/playwright.config.ts']],
  () => {
    const { stats } = JSON.parse(readFileSync(report('e2e'), 'utf8'));
    if (stats.flaky) say(`${stats.flaky} journeys passed only at the second try`);
    return { passed: stats.expected + stats.flaky, failed: stats.unexpected };
  },
  { PLAYWRIGHT_JSON_OUTPUT_NAME: report('e2e') },
);

/** Steps of one group run side by side, groups one after another. */
const groups = [
  [
    step('types', [bin('tsc'), ['-p', '.']]),
    step('format', [bin('prettier'), ['--check', '--log-level', 'warn', '.']]),
    step('lint', [bin('eslint'), ['--max-warnings', '0', '.']]),
    step('surface of shared', tsx('scripts/surface.ts')),
    step('translations', tsx('scripts/i18n-check.ts')),
  ],
  [jest('unit')],
  [jest('api')],
  [step('build', tsx('scripts/build.ts'))],
  [step('size budgets', tsx('scripts/size.ts'))],
  [browser],
];

function execute({ name, command, args, env: environment, count }) {
  const started = Date.now();
  return new Promise((resolve) => {
    const child = spawn(command, args, { cwd: ROOT, env: environment, stdio: 'inherit' });
    child.on('error', (error) => {
      say(`${name}: ${error.message}`);
      resolve({ name, ok: false, passed: 0, failed: 1, seconds: 0 });
    });
    child.on('exit', (code) => {
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

const results = [];
for (const group of groups) {
  say(group.map((s) => s.name).join(', '));
  results.push(...(await Promise.all(group.map(execute))));
}
process.stdout.write('\n');
for (const { name, ok, passed, failed, seconds } of results) {
  process.stdout.write(
    `${ok ? 'ok  ' : 'FAIL'} ${name.padEnd(20)} ${passed || failed ? `${passed} passed, ${failed} failed` : ''} (${seconds.toFixed(0)} s)\n`,
  );
}
const sum = (key) => results.reduce((total, result) => total + result[key], 0);
process.stdout.write(`\n${sum('passed')} passed, ${sum('failed')} failed\n`);
process.exit(results.every((result) => result.ok) ? 0 : 1);
