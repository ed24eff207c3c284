/** Projects of jest. The package @pool/testing is this folder: a repository of remotes has `unit` for its tests too. */
const path = require('node:path');

const swc = [
  require.resolve('@swc/jest'),
  {
    jsc: {
      parser: { syntax: 'typescript', tsx: true },
      transform: { react: { runtime: 'automatic' } },
      target: 'es2022',
    },
    module: { type: 'commonjs' },
  },
];

exports.projectOf = (rootDir) => ({
  rootDir,
  transform: {
    '/node_modules/antd/(es|lib)/(.+/)?style/': path.join(__dirname, 'antd-styles.cjs'),
    '^.+\\.(t|j|mj)sx?$': swc,
  },
  // Packages that ship ES modules only, or load such ones; everything else in node_modules runs as it is.
  transformIgnorePatterns: [
    '/node_modules/(?!(?:@pool|jose|@seriousme|content-disposition|cookie|@fastify/cookie|@scure|@noble|@casl|d3-[^/]+|internmap|lodash-es|@opentelemetry/otlp-exporter-base|@ant-design|@antv|@rc-component|rc-[^/]+|antd|i18next|react-i18next|i18next-[^/]+|single-spa-react|@babel/runtime|@electric-sql|micro-packed|until-async|msw|sql-template-tag)/)',
  ],
  moduleNameMapper: {
    '\\.module\\.css$': path.join(__dirname, 'css-module-stub.cjs'),
    '\\.css$': path.join(__dirname, 'css-module-stub.cjs'),
    // It draws on a canvas, which jsdom does not have.
    '^@ant-design/charts$': path.join(__dirname, 'charts-stub.cjs'),
  },
  testPathIgnorePatterns: ['/node_modules/', '/dist/', '/e2e/specs/'],
  modulePathIgnorePatterns: ['/dist/', '<rootDir>/.data', '<rootDir>/.cache'],
});

exports.unit = (rootDir) => ({
  ...exports.projectOf(rootDir),
  displayName: 'unit',
  testEnvironment: 'jsdom',
  restoreMocks: true,
  setupFilesAfterEnv: [path.join(__dirname, 'jest-setup.ts')],
  testMatch: ['<rootDir>/{shared,shell,mfe-*}/src/**/*.test.{ts,tsx,js,jsx}'],
});
