/** Tests beside the source. `unit`: in jsdom. `api`: the server on the real embedded database, and scripts. */
const os = require('node:os');

const { projectOf, unit } = require('./types/jest.cjs');

// jest takes the words after --selectProjects for names of projects: with a path among them it would run everything.
const words = process.argv.slice(process.argv.findIndex((word) => word.startsWith('--selectProjects')) + 1);
const option = words.findIndex((word) => word.startsWith('-'));
if (
  words.length < process.argv.length &&
  words.slice(0, option < 0 ? undefined : option).some((word) => word.includes('/'))
) {
  throw new Error('paths go before --selectProjects: jest api/src/pages --selectProjects api');
}

module.exports = {
  projects: [
    unit(__dirname),
    {
      ...projectOf(__dirname),
      displayName: 'api',
      testEnvironment: 'node',
      globalSetup: '<rootDir>/api/src/platform/db/testing/run-setup.ts',
      globalTeardown: '<rootDir>/api/src/platform/db/testing/run-teardown.ts',
      testMatch: ['<rootDir>/{api/src,scripts,e2e/miner}/**/*.test.ts'],
    },
  ],
  // Tests that wait for something say for how long; this ends one that hangs. A busy machine is ten times as slow.
  testTimeout: 240_000,
  // `npm test` gives five on two cores (scripts/test/run.ts).
  maxWorkers: Math.max(2, os.availableParallelism() - 1),
  // Each test file leaves something in its worker: gigabytes in the end, until there is no more memory.
  workerIdleMemoryLimit: '1GB',
};
