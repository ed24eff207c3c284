/** What `npm run dev` serves, in a folder of its own, and the pool's own server there. */
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { cpSync, mkdirSync, rmSync } from 'node:fs';
import { createServer, type AddressInfo } from 'node:net';
import path from 'node:path';
import { createInterface } from 'node:readline';
import { manifestFrom } from '../../api/src/remotes/manifest';
import type { RemotePointer } from '../../shared/src/contract/dist-layout';
import { ROOT, writeJson } from '../build/files';
import { writeTexts } from '../build/locales';
import { deployedNames, servedVersions } from '../remotes/deployed';
import { devManifest } from './own-remote';

export const DEV_DIST = path.join(ROOT, '.cache/dev/dist');
const DEV_REMOTES = path.join(DEV_DIST, 'remotes');

const point = (name: string, version: string): void =>
  writeJson(path.join(DEV_REMOTES, name, 'current.json'), { version } satisfies RemotePointer);

/** Copies the deployed version of each remote but `developed`. */
export async function copyDeployed(developed: readonly string[]): Promise<void> {
  rmSync(DEV_DIST, { recursive: true, force: true });
  for (const folder of ['shell/assets', 'remotes']) mkdirSync(path.join(DEV_DIST, folder), { recursive: true });
  for (const name of deployedNames().filter((each) => !developed.includes(each))) {
    const [served] = await servedVersions(name);
    if (!served) continue;
    cpSync(served.folder, path.join(DEV_REMOTES, name, served.version), { recursive: true });
    point(name, served.version);
  }
}

const served = new Map<string, string>();

/** Serves a remote's manifest and texts as they are now. Throws with the faults for which the server would not list it. */
export function deployRemote(name: string): void {
  const manifest = devManifest(name, (version) => `/remotes/${name}/${version}/`);
  const { version } = manifest;
  manifestFrom(name, version, manifest, []);
  // The page waits for this after most edits of code.
  if (served.get(name) === version) return;
  const folder = path.join(DEV_REMOTES, name, version);
  writeTexts([`mfe-${name}`], path.join(folder, 'locales'));
  writeJson(path.join(folder, 'manifest.json'), manifest);
  point(name, version);
  served.set(name, version);
}

export async function freePort(): Promise<number> {
  const server = createServer().listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port } = server.address() as AddressInfo;
  server.close();
  return port;
}

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
  // Its address answers before what is edited is built; `dev` says when the page can be opened.
  const hidden =
    process.env.LOG_REQUESTS === '1' ? /^  Open / : /^  Open |"msg":"(incoming request|request completed)"/;
  createInterface({ input: server.stdout }).on('line', (line) => {
    if (!hidden.test(line)) console.log(line.replace(`localhost:${port}`, `localhost:${publicPort}`));
  });
  for (const signal of ['SIGINT', 'SIGTERM'] as const) process.on(signal, () => server.kill(signal));
  process.on('exit', () => server.kill());
  server.on('exit', (code) => process.exit(code ?? 0));
}
