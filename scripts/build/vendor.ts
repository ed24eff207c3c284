import { readFileSync } from 'node:fs';
import path from 'node:path';
import { createRequire } from 'node:module';
import { writeCompressed } from './compress';
import { DIST, filesBelow, readJson, ROOT, writeFileWhole } from './files';

/** What every form runs at its start: V8 compiles it while it downloads (`compileHint` in webpack.base.cjs). */
const RUN_AT_ONCE = /^(framework_|vendors_|signin_|signup_)?clerk\.browser[._]/;
/** Sign-in by a wallet, which only the hosted service may offer: a third of the bytes. */
const WALLETS = /^(base-account|coinbase|web3)/;
const HINT = Buffer.from('//# allFunctionsCalledOnLoad\n');

/** Copies the browser builds of clerk-js: no page asks a third party. Compressing them takes seconds. */
export async function copyClerk({ dist = DIST, compressed = true } = {}): Promise<void> {
  const folder = path.dirname(createRequire(path.join(ROOT, 'api/src/')).resolve('@clerk/clerk-js/package.json'));
  const { version } = readJson<{ version: string }>(path.join(folder, 'package.json'));
  const from = path.join(folder, 'dist');
  const to = path.join(dist, 'vendor/clerk-js', version);
  const names = filesBelow(from).filter((name) => /clerk(\.headless)?\.browser.*\.js$/.test(name));
  await Promise.all(
    names.map(async (name) => {
      const script = readFileSync(path.join(from, name));
      const write = compressed && !WALLETS.test(name) ? writeCompressed : writeFileWhole;
      await write(path.join(to, name), RUN_AT_ONCE.test(name) ? Buffer.concat([HINT, script]) : script);
    }),
  );
}
