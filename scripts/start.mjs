/** `npm start`: installs and builds what is missing or has changed, then runs the product in the foreground. */
import { spawn } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import { existsSync } from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { readArguments } from './command-line.mjs';
import { ensureInstalled, ROOT, run, say } from './setup.mjs';

readArguments({ name: 'start', what: 'Installs and builds what is missing or has changed, then runs the product.' });
ensureInstalled();
say('Building what has changed');
// A build makes many objects that live for moments: with more room for those it collects garbage half as often.
const BUILD = ['--max-semi-space-size=64', '--import', 'tsx', 'scripts/build.ts'];
const build = (words = [], stdio = 'inherit') => spawn(process.execPath, [...BUILD, ...words], { cwd: ROOT, stdio });
const ended = (child) => new Promise((resolve) => child.once('exit', (code) => resolve(code ?? 1)));
const must = (code) => {
  if (code !== 0) process.exit(code);
};
// The first start makes the demo, which takes as long as the pages: a server that nobody sees does it beside their build.
const { DATA_DIR = path.join(ROOT, 'data'), DATABASE_URL, DEMO } = process.env;
const isFirst = !existsSync(DATA_DIR) && DATABASE_URL === undefined && DEMO === undefined;
if (isFirst) must(await ended(build(['server'])));
const made = isFirst ? makeDemo() : undefined;
must(await ended(build(isFirst ? ['--quick'] : [])));
await made;
must(run(process.execPath, ['--import', 'tsx', 'scripts/remote.ts', 'publish', '--missing']));

/** Resolves when the demo is made; what cannot be made here fails at the start itself, which says why. */
function makeDemo() {
  process.env.DEMO_PASSWORD ??= randomBytes(9).toString('base64url');
  const ports = { PORT: '0', STRATUM_PORT_SHA256: '0', STRATUM_PORT_SCRYPT: '0' };
  const maker = spawn(process.execPath, ['api/dist/main.mjs'], {
    cwd: ROOT,
    stdio: ['ignore', 'pipe', 'ignore'],
    env: { NODE_ENV: 'production', ...process.env, ...ports },
  });
  maker.stdout.on('data', (text) => /Mining Pool is running/.test(text) && maker.kill('SIGTERM'));
  process.once('exit', () => maker.kill('SIGKILL'));
  return ended(maker);
}

const server = spawn(process.execPath, ['--enable-source-maps', 'api/dist/main.mjs'], {
  cwd: ROOT,
  stdio: 'inherit',
  env: { NODE_ENV: 'production', ...process.env },
});
// The first start compresses the scripts beside the server, in time that nothing else needs.
if (isFirst) {
  const compressing = build(['shell'], 'ignore');
  os.setPriority(compressing.pid, os.constants.priority.PRIORITY_LOW);
  process.once('exit', () => compressing.kill());
}
// The server stops gracefully by itself; this process only passes the signal on and waits.
for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'])
  process.on(signal, () => server.kill(signal === 'SIGHUP' ? 'SIGTERM' : signal));
server.on('exit', (code, signal) => process.exit(code ?? (signal ? 1 : 0)));
