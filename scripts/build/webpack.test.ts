/** What the build asks of a remote, and a remote of the shell. */
import path from 'node:path';
import webpack from 'webpack';
import { ROOT } from './files';
import { pool } from './webpack.base.cjs';

type Shared = Record<string, { requiredVersion: string }>;
const config = pool('mfe-referral', { version: '' });

test('of React a remote asks for its major, of @pool/shared for what it was built with', () => {
  const plugins = config.plugins as { _options?: { shared?: Shared } }[];
  const shared = plugins.find((plugin) => plugin._options?.shared)?._options?.shared;
  expect(shared?.react?.requiredVersion).toMatch(/^\^\d+\.0\.0$/);
  expect(shared?.['@pool/shared']?.requiredVersion).toMatch(/^\^\d+\.\d+\.\d+/);
});

/** What webpack says to a style of the remote. */
const refusal = (css: string): Promise<string> =>
  new Promise((resolve, reject) => {
    const file = path.join(ROOT, 'mfe-referral/src/page.css');
    const source = `data:text/css,${encodeURIComponent(css)}`;
    const rules = (config.module!.rules as { test?: RegExp; use?: { options?: object }[] }[]).filter(({ test }) =>
      test?.test(file),
    );
    const loader = rules[0]?.use?.[1] as { loader: string; options: { modules: object } };
    const use = { ...loader, options: { modules: { ...loader.options.modules, auto: () => true } } };
    webpack(
      {
        mode: 'development',
        context: path.join(ROOT, 'mfe-referral'),
        entry: source,
        module: { rules: [{ mimetype: 'text/css', type: 'javascript/auto', use: [use] }] },
        plugins: [{ apply: ({ hooks }) => hooks.shouldEmit.tap('nothing', () => false) }],
      },
      (error, stats) => (error ? reject(error) : resolve(stats?.toString({ all: false, errors: true }) ?? '')),
    );
  });

test('a style that is of no class of the remote is refused', async () =>
  expect(await refusal('body h1 { color: lime !important; }')).toContain('is not pure'));
