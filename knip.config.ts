import type { KnipConfig } from 'knip';

/** What nothing uses (`npm run lint`): files, packages, exports; also `shared`'s public ones. */
export default {
  workspaces: {
    '.': {
      includeEntryExports: true,
      entry: ['oxlint.config.mjs'],
      project: ['types/**/*.{ts,cjs}', '*.{ts,mjs,cjs,css}'],
      // Not seen: what scripts/lint.ts runs.
      ignoreDependencies: ['oxlint', 'oxlint-tsgolint'],
      // A package of the scripts, named in package.json.
      ignoreUnresolved: ['tsx'],
    },
    scripts: {
      // Commands, and what they start or read by name.
      includeEntryExports: true,
      entry: [
        '*.{ts,mjs}',
        'bench/{main,flood,proxy}.ts',
        'dev/page/{remote,shell}.ts',
        'test/run.ts',
        'build/{webpack.base,no-conditions}.cjs',
      ],
      project: ['**/*.{ts,mjs,cjs,css}'],
      // Not seen: aliases of the server's bundle (build/server.ts) and of the pages' (webpack.base.cjs), and what the
      // shell has, whose page dev/page is part of.
      ignoreDependencies: ['punycode', 'pool-hot', 'pool-remote', 'react-i18next', 'react-router'],
    },
    // The fonts are found by createRequire (scripts/build/pages.ts).
    shared: {
      includeEntryExports: true,
      project: ['src/**/*.{ts,tsx,css}', '*.cjs'],
      ignoreDependencies: ['@fontsource/.+', '@fontsource-variable/.+'],
    },
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
    'mfe-*': { entry: ['src/{app.ts,first-view.ts,slots/*.tsx}'], project: ['src/**'] },
    // clerk-js is found by createRequire, which is not seen.
    api: {
      entry: ['src/app/main.ts', 'src/platform/db/testing/make-template.ts'],
      project: ['src/**'],
      ignoreDependencies: ['@clerk/clerk-js'],
    },
    e2e: { project: ['**/*.{ts,css}'] },
  },
  // Not seen: what the build (scripts/build/units.ts), oxlint, and the shell at run time ask for.
  ignoreIssues: {
    'scripts/build/{webpack.base,no-conditions}.cjs': ['exports'],
    'oxlint.config.mjs': ['exports'],
    // Remotes of teams import them; the pool's own pages do not.
    'shared/src/antd/index.ts': ['exports'],
    'scripts/dev/page/remote.ts': ['exports'],
  },
  // Programs of the machine.
  ignoreBinaries: ['Xvfb', 'haproxy', 'ip', 'mkfifo', 'mount', 'openssl', 'pgbouncer', 'umount'],
  // Style sheets import nothing.
  compilers: { css: () => '' },
} satisfies KnipConfig;
