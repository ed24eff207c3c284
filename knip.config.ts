import type { KnipConfig } from 'knip';

/** What nothing uses (`npm run lint`): files, packages, exports; also `shared`'s public ones. */
export default {
  workspaces: {
    '.': {
      // Commands, and what they start or read by name.
      includeEntryExports: true,
      entry: [
        'scripts/*.{ts,mjs}',
        'scripts/dev/page/{against,remote,shell}.ts',
        'scripts/test/run.ts',
        'oxlint.config.mjs',
        'scripts/build/{webpack.base,no-conditions}.cjs',
      ],
      project: ['{scripts,types}/**/*.{ts,mjs,cjs,css}', '*.{ts,mjs,cjs}'],
      // Not seen: aliases of the server's bundle (scripts/build/server.ts) and of the pages' (webpack.base.cjs), what
      // the shell has, whose page scripts/dev/page is part of, and what scripts/lint.ts runs.
      ignoreDependencies: [
        'punycode',
        'pool-remote',
        'react-i18next',
        'react-router',
        'oxlint',
        'oxfmt',
        'oxlint-tsgolint',
      ],
    },
    shared: { includeEntryExports: true, project: ['src/**/*.{ts,tsx,css}', '*.cjs'] },
    shell: {
      entry: [
        'src/main.ts',
        'src/landing/main.tsx',
        'src/service-worker/worker.ts',
        'src/boot-inline.ts',
        'src/skeleton/*.css',
      ],
      project: ['src/**'],
    },
    'mfe-*': { entry: ['src/{app,first-view}.ts'], project: ['src/**'] },
    // clerk-js is found by createRequire, which is not seen.
    api: {
      entry: ['src/app/main.ts', 'src/platform/db/testing/make-template.ts'],
      project: ['src/**'],
      ignoreDependencies: ['@clerk/clerk-js'],
    },
    'scripts/bench': { entry: ['{main,flood,proxy}.ts'], project: ['*.{ts,css}'] },
    e2e: { project: ['**/*.{ts,css}'] },
  },
  // Not seen: what the build (scripts/build/units.ts), oxlint, and the shell at run time ask for.
  ignoreIssues: {
    'scripts/build/{webpack.base,no-conditions}.cjs': ['exports'],
    'oxlint.config.mjs': ['exports'],
    'scripts/dev/page/{against,remote}.ts': ['exports'],
  },
  // Programs of the machine.
  ignoreBinaries: ['Xvfb', 'haproxy', 'ip', 'mkfifo', 'mount', 'openssl', 'pgbouncer', 'umount'],
  compilers: {
    css: (text: string) =>
      [...text.matchAll(/url\('([^'.][^']*)'\)/g)].map(([, file]) => `import '${file}'`).join('\n'),
  },
} satisfies KnipConfig;
