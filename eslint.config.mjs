import importX from 'eslint-plugin-import-x';
import reactHooks from 'eslint-plugin-react-hooks';
import tseslint from 'typescript-eslint';

/** Packages that only one module may import: all others use that module. */
const throughShared = [
  { group: ['antd', 'antd/*', '@ant-design/*', '@antv/*'], message: 'Import from @pool/shared/ui/*.' },
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
const otherUnits = (...names) => ({
  group: names.flatMap((n) => [`@pool/${n}`, `@pool/${n}/*`, `**/../${n}/src/**`]),
  message: 'Units meet only in @pool/shared; the shell reaches remotes through the runtime.',
});
const restrict = (...patterns) => ({ 'no-restricted-imports': ['error', { patterns }] });

const noStaticAntd = {
  selector: 'ImportSpecifier[imported.name=/^(message|notification)$/]',
  message: 'Use App.useApp(): the static functions lose theme and direction.',
};
const noStaticConfirm = {
  selector: "CallExpression[callee.object.name='Modal'][callee.property.name=/^(confirm|info|warning|error|success)$/]",
  message: 'Use App.useApp(): the static functions lose theme and direction.',
};

export default tseslint.config(
  { ignores: ['**/dist/**', '**/node_modules/**', '.data/**', '.cache/**', 'test-results/**', 'playwright-report/**'] },
  { linterOptions: { reportUnusedDisableDirectives: 'error' } },
  ...tseslint.configs.recommended,
  {
    files: ['**/*.{ts,tsx,mjs,cjs}'],
    plugins: { 'import-x': importX },
    settings: { 'import-x/resolver': { typescript: true, node: true } },
    rules: {
      eqeqeq: ['error', 'smart'],
      'no-console': 'error',
      'max-len': [
        'error',
        { code: 120, ignoreStrings: true, ignoreTemplateLiterals: true, ignoreRegExpLiterals: true, ignoreUrls: true },
      ],
      'import-x/no-cycle': ['error', { maxDepth: 8, ignoreExternal: true }],
      '@typescript-eslint/no-explicit-any': 'error',
      '@typescript-eslint/consistent-type-imports': [
        'error',
        { fixStyle: 'separate-type-imports', disallowTypeAnnotations: false },
      ],
      '@typescript-eslint/no-unused-vars': ['error', { argsIgnorePattern: '^_', ignoreRestSiblings: true }],
    },
  },
  {
    files: ['**/*.{ts,tsx}'],
    languageOptions: { parserOptions: { projectService: true, tsconfigRootDir: import.meta.dirname } },
    rules: {
      '@typescript-eslint/no-floating-promises': 'error',
      '@typescript-eslint/no-misused-promises': ['error', { checksVoidReturn: false }],
      '@typescript-eslint/await-thenable': 'error',
    },
  },
  { files: ['{shared,shell,mfe-*}/**/*.{ts,tsx}'], ...reactHooks.configs.flat.recommended },
  { files: ['**/*.cjs'], rules: { '@typescript-eslint/no-require-imports': 'off' } },
  { files: ['scripts/**', 'e2e/**', 'bin/**', 'api/src/admin/**'], rules: { 'no-console': 'off' } },

  // Who may import whom
  {
    files: ['shared/src/**'],
    rules: {
      ...restrict(clerk, singleSpa, otherUnits('shell', 'api', 'mfe-*')),
      'no-restricted-syntax': ['error', noStaticAntd, noStaticConfirm],
    },
  },
  {
    files: ['shell/src/**'],
    rules: {
      ...restrict(clerk, singleSpa, ...throughShared, otherUnits('api', 'mfe-*')),
      'no-restricted-syntax': ['error', noStaticAntd, noStaticConfirm],
    },
  },
  { files: ['shell/src/auth/**'], rules: restrict(singleSpa, ...throughShared, otherUnits('api', 'mfe-*')) },
  {
    files: ['mfe-*/src/**'],
    rules: {
      ...restrict(clerk, singleSpa, ...throughShared, otherUnits('shell', 'api', 'mfe-*')),
      'no-restricted-syntax': ['error', noStaticAntd, noStaticConfirm],
    },
  },
  {
    files: ['api/src/**'],
    rules: restrict(clerk, otherUnits('shell', 'mfe-*'), ...throughShared.slice(0, 1), {
      regex: '^@pool/shared(/ui/.*|/testing)?$',
      message: 'The server uses shared/{contract,ability,api,domain,config} only.',
    }),
  },

  // One API client
  {
    files: ['shell/src/**', 'mfe-*/src/**', 'shared/src/**'],
    ignores: [
      'shell/src/first.js',
      'shell/src/service-worker/worker.ts',
      'shared/src/api/**',
      'shared/src/i18n/**',
      '**/*.test.{ts,tsx}',
    ],
    rules: {
      'no-restricted-globals': ['error', { name: 'fetch', message: 'Use the API client (useServices().api).' }],
    },
  },
);
