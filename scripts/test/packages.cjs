/**
 * The packages that the server's tests load, as one file: jest would find, read and compile each of their thousand
 * files again for every test file.
 */
const { createHash } = require('node:crypto');
const { existsSync, mkdirSync, readFileSync, renameSync, rmSync, writeFileSync } = require('node:fs');
const { builtinModules } = require('node:module');
const path = require('node:path');
const { build } = require('esbuild');

const ROOT = path.resolve(__dirname, '../..');

/** Those that find files of their own beside their code are not among them. */
const NAMES = [
  '@fastify/cookie',
  '@fastify/helmet',
  '@fastify/proxy-addr',
  '@fastify/static',
  '@fastify/swagger',
  '@fastify/under-pressure',
  '@opentelemetry/api',
  '@scure/base',
  '@scure/btc-signer',
  '@simplewebauthn/server',
  '@zxcvbn-ts/core',
  '@zxcvbn-ts/language-common',
  'fast-check',
  'fastify',
  'fastify-type-provider-zod',
  'grammy',
  'i18next',
  'ipaddr.js',
  'jose',
  'lru-cache',
  'nodemailer',
  'otpauth',
  'pg',
  'pino',
  'postal-mime',
  'prom-client',
  'smtp-server',
  'tar-stream',
  'web-push',
  'zod',
];

/** With what it is made of in its name: it is made again when a package changes. */
const hash = createHash('sha256');
for (const file of [path.join(ROOT, 'package-lock.json'), __filename]) hash.update(readFileSync(file));
const FOLDER = path.join(ROOT, 'node_modules/.cache/test-packages', hash.digest('hex').slice(0, 12));

/** For jest's `moduleNameMapper`. */
exports.bundled = { [`^(${NAMES.join('|').replaceAll('.', '\\.')})$`]: `${FOLDER}/$1.cjs` };

/** As jest, which asks for each package as `require` does: one that has two forms would be there twice. */
const AS_REQUIRED = {
  name: 'as-required',
  setup({ onResolve, resolve }) {
    onResolve({ filter: /^[^./]/ }, async ({ path: name, kind, pluginData, ...from }) => {
      if (kind === 'require-call' || pluginData === AS_REQUIRED) return undefined;
      const found = await resolve(name, { ...from, kind: 'require-call', pluginData: AS_REQUIRED });
      return found.errors.length > 0 ? undefined : found;
    });
  },
};

/** Makes them, once. */
exports.bundlePackages = async () => {
  if (existsSync(FOLDER)) return;
  const draft = `${FOLDER}.${process.pid}`;
  const getters = NAMES.map((name) => `get '${name}'() { return require('${name}'); },`);
  await build({
    stdin: { contents: `module.exports = { ${getters.join('\n')} };`, resolveDir: path.join(ROOT, 'api') },
    outfile: path.join(draft, 'all.cjs'),
    bundle: true,
    format: 'cjs',
    platform: 'neutral',
    mainFields: ['main'],
    conditions: ['node', 'node-addons'],
    target: 'node20.19',
    external: ['node:*', ...builtinModules, 'pg-native'],
    plugins: [AS_REQUIRED],
    keepNames: true,
    minifySyntax: true,
    minifyWhitespace: true,
    legalComments: 'none',
    logLevel: 'warning',
  });
  for (const name of NAMES) {
    const file = path.join(draft, `${name}.cjs`);
    const all = path.relative(path.dirname(file), path.join(draft, 'all.cjs'));
    mkdirSync(path.dirname(file), { recursive: true });
    writeFileSync(file, `module.exports = require('./${all}')['${name}'];\n`);
  }
  try {
    renameSync(draft, FOLDER);
  } catch {
    // Another run has made it.
    rmSync(draft, { recursive: true });
  }
};
