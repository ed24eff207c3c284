import { changeOf, faultsOf, MENTIONED, PACKAGES, packagesIn, printReport } from './compare';

const report = (version: string, ...lines: string[]) => printReport(version, new Map([['@pool/shared', lines]]));
const before = report('1.2.0', 'a: number', 'b: string');
const KEPT = ['1.1.0', '1.2.0', '1.3.0'];
const CHANGELOG = ['1.2.0', '1.3.0', '2.0.0'].map((version) => `- \`@pool/shared ${version}\`: ...`).join('\n');

it('accepts an unchanged report', () => {
  expect(faultsOf(before, before, CHANGELOG, KEPT)).toEqual([]);
});

it.each([
  ['a new export', ['a: number', 'b: string', 'c: 1'], '1.3.0'],
  ['another type', ['a: number | string', 'b: string'], '1.3.0'],
  ['an export that is gone', ['a: number'], '2.0.0'],
])('requires a higher version after %s', (_, lines, least) => {
  expect(changeOf(before, report('1.2.0', ...lines)).least).toBe(least);
  expect(faultsOf(before, report('1.2.0', ...lines), CHANGELOG, KEPT)).toEqual([
    `shared/package.json: version 1.2.0 has to be ${least} or higher`,
  ]);
  expect(faultsOf(before, report(least, ...lines), CHANGELOG, KEPT)).toEqual([]);
});

it('takes another name of a type that exports only mention for a new export', () => {
  const mentions = (line: string) => printReport('1.2.0', new Map([[MENTIONED, [line]]]));
  expect(changeOf(mentions('type Old = string;'), mentions('type New = string;')).least).toBe('1.3.0');
});

it("takes another major version of a package whose types it has for a break; its own and other packages' not", () => {
  const lines = [
    'useQuery: of @tanstack/react-query',
    'Icon: import("lucide-react/icons").Icon',
    'Row: import("./row").Row',
  ];
  const withQuery = (version: string) => {
    const dependencies = { '@tanstack/react-query': version, 'lucide-react': '1.75.0', antd: '6.6.8' };
    const report = new Map([['@pool/shared', lines]]);
    return printReport('1.2.0', report.set(PACKAGES, packagesIn(report, dependencies)));
  };
  expect(withQuery('5.1.0')).toContain('## Packages\n@tanstack/react-query 5\nlucide-react 1\n');
  expect(changeOf(withQuery('5.1.0'), withQuery('5.9.0')).least).toBeNull();
  expect(changeOf(withQuery('5.1.0'), withQuery('6.0.0')).least).toBe('2.0.0');
});

it('requires a line in the changelog', () => {
  expect(faultsOf(before, report('1.10.0', 'a: number', 'b: string', 'c: 1'), CHANGELOG, KEPT)).toEqual([
    "CHANGELOG.md: no line names '@pool/shared 1.10.0'",
  ]);
});

it('asks for the remotes of the minor version before', () => {
  const faults = (version: string, kept: string[]) => {
    const now = report(version, 'a: number', 'b: string');
    return faultsOf(now, now, CHANGELOG, kept);
  };
  expect(faults('1.3.0', ['1.2.4'])).toEqual([]);
  expect(faults('2.0.0', ['1.2.4', '1.3.0'])).toEqual([]);
  expect(faults('2.0.0', ['1.1.0', '1.2.4', '2.0.0'])).toEqual([
    'e2e/fixtures/releases has no 1.3: npm run keep:release -- <the last commit with @pool/shared 1.3>',
  ]);
  // Nothing was before the first.
  expect(faults('1.2.0', [])).toEqual([]);
});
