/** Tests beside the source. `unit`: in jsdom. `api`: the server on the real embedded database, and scripts. */
const os = require('node:os');

const swc = [
  '@swc/jest',
  {
    jsc: {
      parser: { syntax: 'typescript', tsx: true },
      transform: { react: { runtime: 'automatic' } },
      target: 'es2022',
    },
    module: { type: 'commonjs' },
  },
];

const base = {
  rootDir: __dirname,
  transform: { '^.+\\.(t|j|mj)sx?$': swc },
  // Packages that ship ES modules only; everything else in node_modules runs as it is.
  transformIgnorePatterns: [
    '/node_modules/(?!(?:jose|@seriousme|content-disposition|cookie|@fastify/cookie|@scure|@noble|@casl|d3-[^/]+|internmap|lodash-es|lucide-react|@ant-design|@antv|@rc-component|rc-[^/]+|antd|i18next|react-i18next|i18next-[^/]+|single-spa-react|@babel/runtime|@electric-sql|micro-packed|until-async|msw)/)',
  ],
  moduleNameMapper: {
    '\\.module\\.css$': '<rootDir>/types/css-module-stub.cjs',
    '\\.css$': '<rootDir>/types/css-module-stub.cjs',
    // It draws on a canvas, which jsdom does not have.
    '^@ant-design/charts$': '<rootDir>/types/charts-stub.cjs',
  },
  testPathIgnorePatterns: ['/node_modules/', '/dist/', '/e2e/specs/'],
  modulePathIgnorePatterns: ['/dist/', '<rootDir>/.data', '<rootDir>/.cache'],
};

// jest takes the words after --selectProjects for names of projects: with a path among them it would run everything.
const words = process.argv.slice(process.argv.findIndex((word) => word.startsWith('--selectProjects')) + 1);
const option = words.findIndex((word) => word.startsWith('-'));
if (
  words.length < process.argv.length &&
  words.slice(0, option < 0 ? undefined : option).some((word) => word.includes('/'))
) {
  throw new Error('paths go before --selectProjects: jest api/src/web --selectProjects api');
}

module.exports = {
  projects: [
    {
      ...base,
      displayName: 'unit',
      testEnvironment: 'jsdom',
      setupFilesAfterEnv: ['<rootDir>/types/jest-setup.ts'],
      testMatch: ['<rootDir>/{shared,shell,mfe-*}/src/**/*.test.{ts,tsx}'],
    },
    {
      ...base,
      displayName: 'api',
      testEnvironment: 'node',
      globalSetup: '<rootDir>/api/src/db/testing/run-setup.ts',
      globalTeardown: '<rootDir>/api/src/db/testing/run-teardown.ts',
      testMatch: ['<rootDir>/{api/src,scripts,e2e/miner}/**/*.test.ts'],
    },
  ],
  // Tests that wait for something say for how long; this ends one that hangs. A busy machine is ten times as slow.
  testTimeout: 240_000,
  // On two cores: beside the journeys of `npm test` two workers keep both busy.
  maxWorkers: Math.max(2, os.availableParallelism() - 1),
};
