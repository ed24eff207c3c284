/** The pool's own server in `npm run dev`. */
import { spawn } from 'node:child_process';
import { createServer, type AddressInfo } from 'node:net';
import path from 'node:path';
import { createInterface } from 'node:readline';
import { ROOT } from '../build/files';
import { DEV_DIST, DEV_REMOTES } from './deploy';

export const freePort = (): Promise<number> =>
  new Promise((resolve) => {
    const server = createServer().listen(0, '127.0.0.1', () => {
      const { port } = server.address() as AddressInfo;
      server.close(() => resolve(port));
    });
  });

/** Starts the pool's server, and again when its sources change. This process ends with it. */
export function startPool(port: number, publicPort: number): void {
  const own = { HOST: '127.0.0.1', PORT: String(port), DIST_DIR: DEV_DIST, REMOTES_DIR: DEV_REMOTES };
  // Not node's own --watch: its messages to the server's child processes (the embedded database) end them.
  const server = spawn(
    process.execPath,
    [path.join(ROOT, 'node_modules/tsx/dist/cli.mjs'), 'watch', '--clear-screen=false', 'api/src/app/main.ts'],
    {
      cwd: ROOT,
      stdio: ['inherit', 'pipe', 'inherit'],
      env: { NODE_ENV: 'development', ...process.env, ...own },
    },
  );
  const isShown = (line: string): boolean =>
    process.env.LOG_REQUESTS === '1' || !/"msg":"(incoming request|request completed)"/.test(line);
  createInterface({ input: server.stdout }).on('line', (line) => {
    if (isShown(line)) console.log(line.replace(`localhost:${port}`, `localhost:${publicPort}`));
  });
  for (const signal of ['SIGINT', 'SIGTERM'] as const) process.on(signal, () => server.kill(signal));
  process.on('exit', () => server.kill());
  server.on('exit', (code) => process.exit(code ?? 0));
}
