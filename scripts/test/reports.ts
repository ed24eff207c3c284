/** What the runners report about their tests. */
import { readFileSync } from 'node:fs';
import path from 'node:path';
import { ROOT } from '../build/files';

/** `flaky`: names of the passed tests that needed a second try. */
export type Counted = { passed: number; failed: number; skipped: number; flaky: string[] };

type JestReport = Record<`num${'Passed' | 'Failed' | 'Pending'}Tests` | 'numRuntimeErrorTestSuites', number> & {
  testResults: { name: string; assertionResults: { status: string; fullName: string; invocations?: number }[] }[];
};

export function readJest(file: string): Counted {
  const report = JSON.parse(readFileSync(file, 'utf8')) as JestReport;
  const flaky = report.testResults.flatMap(({ name, assertionResults }) =>
    assertionResults
      .filter(({ status, invocations = 1 }) => status === 'passed' && invocations > 1)
      .map(({ fullName }) => `${path.relative(ROOT, name)} › ${fullName}`),
  );
  const failed = report.numFailedTests + report.numRuntimeErrorTestSuites;
  return { passed: report.numPassedTests, failed, skipped: report.numPendingTests, flaky };
}

type PlaywrightSuite = {
  title: string;
  suites?: PlaywrightSuite[];
  specs?: { title: string; file: string; tests: { status: string }[] }[];
};
type PlaywrightReport = {
  stats: { expected: number; unexpected: number; flaky: number; skipped: number };
  suites: PlaywrightSuite[];
};

export function readPlaywright(file: string): Counted {
  const { stats, suites } = JSON.parse(readFileSync(file, 'utf8')) as PlaywrightReport;
  const flakyOf = (suite: PlaywrightSuite, titles: string[]): string[] => [
    ...(suite.specs ?? [])
      .filter(({ tests }) => tests.some(({ status }) => status === 'flaky'))
      .map(({ file: spec, title }) => [`e2e/specs/${spec}`, ...titles, title].join(' › ')),
    ...(suite.suites ?? []).flatMap((inner) => flakyOf(inner, [...titles, inner.title])),
  ];
  const flaky = suites.flatMap((suite) => flakyOf(suite, []));
  return { passed: stats.expected + stats.flaky, failed: stats.unexpected, skipped: stats.skipped, flaky };
}
