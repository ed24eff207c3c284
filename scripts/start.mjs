/** `npm start`: installs and builds what is missing or has changed, then runs the product in the foreground. */
import { spawn } from 'node:child_process';
import { readArguments } from './command-line.mjs';
import { ensureInstalled, ROOT, run, say } from './setup.mjs';

readArguments({ name: 'start', what: 'Installs and builds what is missing or has changed, then runs the product.' });
ensureInstalled();
say('Building what has changed');
const built = run(process.execPath, ['--import', 'tsx', 'scripts/build.ts']);
if (built !== 0) process.exit(built);
const deployed = run(process.execPath, ['--import', 'tsx', 'scripts/remote.ts', 'publish', '--missing']);
if (deployed !== 0) process.exit(deployed);

const server = spawn(process.execPath, ['--enable-source-maps', 'api/dist/main.mjs'], {
  cwd: ROOT,
  stdio: 'inherit',
  env: { NODE_ENV: 'production', ...process.env },
});
// The server stops gracefully by itself; this process only passes the signal on and waits.
for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'])
  process.on(signal, () => server.kill(signal === 'SIGHUP' ? 'SIGTERM' : signal));
server.on('exit', (code, signal) => process.exit(code ?? (signal ? 1 : 0)));
