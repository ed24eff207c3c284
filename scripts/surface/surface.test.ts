import { changeOf, faultsOf, MENTIONED, PACKAGES, packagesIn, printReport } from './compare';
import type { Declared } from './declarations';
import { errorsIn, lostBetween } from './judge';

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

const BODY = 'z.ZodObject<{ a: z.ZodString }>';
const ZOD = "import { z } from 'zod';\n";
const BEFORE = {
  'ui.d.ts': `
    type Props = { kind: 'ok' | 'warn'; onClose?: (why: 'esc' | 'click') => void };
    export declare function Button(props: Props): string;
    export declare const useFigures: () => { sat: number; when: string };
    export declare const LANGUAGES: readonly ['en', 'ru'];
    export declare const FEE = 1.5;
    export type Size = Props;`,
  'contract.d.ts': `${ZOD}
    export declare const contract: {
      'GET /figures': { readonly query: z.ZodObject<{ day: z.ZodOptional<z.ZodString> }>; readonly response: z.ZodObject<{ sat: z.ZodNumber }> };
    };`,
  'remote.d.ts':
    'export declare const defineRemote: (page: (props: { path: string }) => string) => { mount(props: { path: string }): void };',
};
type Name = keyof typeof BEFORE;

const BREAKS: [string, Name, string, string, string][] = [
  ['a new required property', 'ui.d.ts', '{ kind', '{ size: number; kind', 'Button'],
  ['a removed member of a union', 'ui.d.ts', "'ok' | 'warn'", "'ok'", 'Button'],
  ['a new member of what is given', 'ui.d.ts', "'esc' |", "'esc' | 'other' |", 'Button'],
  ['a removed property of a result', 'ui.d.ts', 'sat: number;', '', 'useFigures'],
  ['a removed member of a list', 'ui.d.ts', "'en', 'ru'", "'en'", 'LANGUAGES'],
  ['a removed type', 'ui.d.ts', 'export type Size = Props;', '', 'Size'],
  ['a removed call', 'contract.d.ts', '/figures', '/other', 'GET /figures'],
  ['a removed field of an answer', 'contract.d.ts', 'sat: z.ZodNumber', '', 'GET /figures'],
  ['a parameter that is required', 'contract.d.ts', 'z.ZodOptional<z.ZodString>', 'z.ZodString', 'GET /figures'],
  ['a body that is required', 'contract.d.ts', 'readonly q', `readonly body: ${BODY}; readonly q`, 'GET /figures'],
  ['less for a page', 'remote.d.ts', '{ path: string }) => string', '{}) => string', 'defineRemote'],
];
const KEEPS: [string, Name, string, string][] = [
  ['nothing', 'ui.d.ts', '', ''],
  ['an optional property', 'ui.d.ts', '{ kind', '{ size?: number; kind'],
  ['a member of a union that is taken', 'ui.d.ts', "'ok' |", "'ok' | 'error' |"],
  ['a property of a result', 'ui.d.ts', 'sat: number;', 'sat: number; btc: string;'],
  ['a member of a list', 'ui.d.ts', "'ru'", "'ru', 'fr'"],
  ['another constant', 'ui.d.ts', '1.5', '2'],
  ['a field of an answer', 'contract.d.ts', 'sat: z.ZodNumber', 'sat: z.ZodNumber; btc: z.ZodString'],
  ['more for a page, which the shell gives', 'remote.d.ts', 'string }', 'string; title: string }'],
];

it('finds what breaks, and nothing else', () => {
  const cases = [...BREAKS, ...KEEPS];
  const declared = (textOf: (each: (typeof cases)[number]) => string): Declared => ({
    entries: Object.fromEntries(cases.map(([title], at) => [`${title}/api/contract`, `${at}.d.ts`])),
    files: Object.fromEntries(cases.map((each, at) => [`${at}.d.ts`, textOf(each)])),
  });
  const before = declared(([, file]) => BEFORE[file]);
  const now = declared(([title, file, from, to]) => {
    const text = BEFORE[file].replace(from, to);
    if (title !== 'nothing') expect(text).not.toBe(BEFORE[file]);
    return text;
  });
  expect(lostBetween(before, now)).toEqual(BREAKS.map(([title, , , , name]) => `${title}/api/contract · ${name}`));
});

it('names what of a remote’s sources does not compile with this tree’s @pool/shared', () => {
  const source =
    "import { LANGUAGES, Gone } from '@pool/shared/i18n/languages';\nexport const all = [LANGUAGES, Gone];\n";
  expect(errorsIn(new Map([['mfe-map/src/app.tsx', source]]))).toEqual([
    expect.stringMatching(/^mfe-map\/src\/app\.tsx:1: .*'Gone'/),
  ]);
});
