/** Types and lint in one run: tsgolint asks the TypeScript program for both (docs/adr/0016). */
import { existsSync, readdirSync, readFileSync } from 'node:fs';

/** Packages that only one module may import: all others use that module. */
const throughShared = [
  { regex: '^(antd|@ant-design|@antv)(/|$)', message: 'Import from @pool/shared/ui/* or @pool/shared/antd.' },
  {
    group: ['react-router-dom', 'react-router', '@tanstack/*', 'react-i18next', 'i18next', '@casl/*', 'lucide-react'],
    message: 'Import from @pool/shared.',
  },
];
const clerk = { group: ['@clerk/*'], message: 'Clerk stays in shell/src/auth.' };
const singleSpa = {
  group: ['single-spa'],
  message: "single-spa's core leaks its root parcels: RemoteOutlet drives the lifecycles (docs/adr).",
};
const noStaticAntd = 'Use useToasts() and useConfirm(): the static functions lose theme and direction.';
const staticAntd = {
  group: ['antd', '@pool/shared/ui/*', '!**/*.css'],
  importNames: ['message', 'notification'],
  message: noStaticAntd,
};
const staticConfirms = ['confirm', 'info', 'warning', 'error', 'success'].map((property) => ({
  object: 'Modal',
  property,
  message: noStaticAntd,
}));
const otherUnits = (...names) => ({
  group: names.flatMap((n) => [`@pool/${n}`, `@pool/${n}/*`, `**/../${n}/src/**`]),
  message: 'Units meet only in @pool/shared; the shell reaches remotes through the runtime.',
});
const pageStart = {
  group: ['@pool/shared/page-start'],
  message: 'Of the shell and the server (docs/architecture.md).',
};
const apiClient = { name: 'fetch', message: 'Use the API client (useServices().api).' };
/** The page is everybody's: a remote leaves nothing in it (docs/adr/0022). */
const everybodys = [
  ...['window', 'globalThis', 'self'].map((name) => ({ name, message: 'The page belongs to all remotes.' })),
  { name: 'history', message: 'Use the router (@pool/shared/router).' },
  { name: 'setInterval', message: 'Use refetchInterval, or a timeout that its effect clears.' },
];
const OF_TESTS = ['**/*.test.{ts,tsx}', '**/testing/**'];
/** Sources of remotes with an API of their own, which `fetch` asks. */
const connected = readdirSync('.')
  .filter((unit) => unit.startsWith('mfe-') && existsSync(`${unit}/remote.json`))
  .filter((unit) => JSON.parse(readFileSync(`${unit}/remote.json`, 'utf8')).connect?.length > 0)
  .map((unit) => `${unit}/src/**`);
const pageTitle = { object: 'document', property: 'title', message: 'Use usePageTitle() (@pool/shared/remote).' };
/** Folders of the server: each imports only folders before it (docs/architecture.md). */
const SERVER_FOLDERS = [
  ...['platform', 'remotes', 'stratum', 'messages', 'accounts', 'mining', 'money', 'identity'],
  ...['demo', 'nodes', 'ops', 'admin', 'alerts', 'http', 'pages', 'app'],
];
const server = (...more) => restrict(clerk, otherUnits('shell', 'mfe-*'), throughShared[0], ofTheBrowser, ...more);
const ofTheBrowser = {
  regex: '^@pool/shared(/ui/.*|/testing)?$',
  message: 'The server uses shared/{contract,ability,api,domain,config} only.',
};
const restrict = (...patterns) => ({ 'no-restricted-imports': ['error', { patterns }] });

/** What a component may not do, found by React's compiler. */
const hooks = [
  'error-boundaries',
  'exhaustive-deps',
  'globals',
  'immutability',
  'preserve-manual-memoization',
  'purity',
  'refs',
  'rules-of-hooks',
  'set-state-in-effect',
  'set-state-in-render',
  'static-components',
  'unsupported-syntax',
  'use-memo',
];

export default {
  plugins: ['typescript', 'import', 'react'],
  categories: { correctness: 'error' },
  options: { typeAware: true, typeCheck: true, denyWarnings: true, reportUnusedDisableDirectives: 'error' },
  env: { builtin: true, es2023: true, node: true, browser: true },
  ignorePatterns: [
    '**/dist/**',
    '**/node_modules/**',
    '.data/**',
    '.cache/**',
    'test-results/**',
    'playwright-report/**',
  ],
  rules: {
    eqeqeq: ['error', 'smart'],
    'no-array-constructor': 'error',
    'no-console': 'error',
    'no-unused-vars': ['error', { argsIgnorePattern: '^_', ignoreRestSiblings: true }],
    'no-var': 'error',
    'prefer-const': 'error',
    'prefer-rest-params': 'error',
    'prefer-spread': 'error',
    'import/no-cycle': ['error', { ignoreExternal: true, ignoreTypes: false }],
    'typescript/ban-ts-comment': 'error',
    'typescript/consistent-type-imports': [
      'error',
      { fixStyle: 'separate-type-imports', disallowTypeAnnotations: false },
    ],
    'typescript/no-empty-object-type': 'error',
    'typescript/no-explicit-any': 'error',
    'typescript/no-misused-promises': ['error', { checksVoidReturn: false }],
    'typescript/no-namespace': 'error',
    'typescript/no-require-imports': 'error',
    'typescript/no-unnecessary-type-constraint': 'error',
    'typescript/no-unsafe-function-type': 'error',

    // Rules of the preset that are not useful here
    'no-empty-pattern': 'off', // Playwright's fixtures are declared so.
    'no-loss-of-precision': 'off',
    'no-misleading-character-class': 'off',
    'react/incompatible-library': 'off', // TanStack Virtual is one.
    'typescript/no-array-delete': 'off',
    'typescript/no-base-to-string': 'off',
    'typescript/no-meaningless-void-operator': 'off',
    'typescript/no-unsafe-unary-minus': 'off',
    'typescript/no-useless-default-assignment': 'off',
    'typescript/require-array-sort-compare': 'off',
    'typescript/unbound-method': 'off',
  },
  overrides: [
    {
      files: ['{shared,shell,mfe-*}/**/*.{ts,tsx}'],
      rules: Object.fromEntries(hooks.map((rule) => [`react/${rule}`, 'error'])),
    },
    { files: ['**/*.cjs'], rules: { 'typescript/no-require-imports': 'off' } },
    // Runs as it is, in browsers that the product does not know.
    { files: ['scripts/**', 'e2e/**', 'bin/**', 'api/src/admin/**'], rules: { 'no-console': 'off' } },

    // Allowed imports between folders
    {
      files: ['shared/src/**'],
      rules: {
        ...restrict(clerk, singleSpa, staticAntd, otherUnits('shell', 'api', 'mfe-*')),
        'no-restricted-properties': ['error', ...staticConfirms],
      },
    },
    {
      files: ['shell/src/**'],
      rules: {
        ...restrict(clerk, singleSpa, staticAntd, ...throughShared, otherUnits('api', 'mfe-*')),
        'no-restricted-properties': ['error', ...staticConfirms],
      },
    },
    { files: ['shell/src/auth/**'], rules: restrict(singleSpa, ...throughShared, otherUnits('api', 'mfe-*')) },
    {
      files: ['mfe-*/src/**'],
      rules: {
        ...restrict(clerk, singleSpa, staticAntd, ...throughShared, pageStart, otherUnits('shell', 'api', 'mfe-*')),
        'no-restricted-properties': ['error', ...staticConfirms],
        'no-extend-native': 'error',
      },
    },
    { files: ['api/src/**'], rules: server() },
    ...SERVER_FOLDERS.map((folder, place) => ({
      files: [`api/src/${folder}/**`],
      excludeFiles: ['**/*.test.ts', '**/testing/**'],
      rules: server(
        {
          regex: `^(\\.\\./)+(${SERVER_FOLDERS.slice(place + 1).join('|')})/`,
          message: `${folder} imports only folders before it in SERVER_FOLDERS.`,
        },
        { regex: '/testing/', message: 'Test helpers are for tests.' },
      ),
    })),

    // One API client
    {
      files: ['shell/src/**', 'mfe-*/src/**', 'shared/src/**'],
      excludeFiles: [
        'shell/src/boot-inline.ts',
        'shell/src/service-worker/worker.ts',
        'shared/src/api/**',
        'shared/src/page-start/**',
        'shared/src/i18n/**',
        '**/*.test.{ts,tsx}',
      ],
      rules: { 'no-restricted-globals': ['error', apiClient] },
    },
    {
      files: ['mfe-*/src/**'],
      excludeFiles: OF_TESTS,
      rules: {
        'no-restricted-globals': ['error', apiClient, ...everybodys],
        'no-restricted-properties': ['error', ...staticConfirms, pageTitle],
      },
    },
    ...connected.map((files) => ({
      files: [files],
      excludeFiles: OF_TESTS,
      rules: { 'no-restricted-globals': ['error', ...everybodys] },
    })),
  ],
};
