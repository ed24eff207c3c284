/** `npm run remote -- publish` as a process that is killed at any of its steps, as by a machine that goes down. */
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { cp, mkdir, mkdtemp, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { team, type Team } from '../../e2e/fixtures/team';
import { readHistory, readPointer } from '../../api/src/remotes/pointers';
import type { RemoteManifest } from '../../shared/src/contract';
import { damagedFiles } from './checks';

/** Points, with equal distances: of two the last one and the one in the middle. HEAVY=1: 50. */
const KILLS = Number(process.env.KILLS || (process.env.HEAVY ? 50 : 2));

let folder: string;
let checkout: Team;
beforeAll(async () => {
  folder = await mkdtemp(path.join(tmpdir(), 'pool-killed-'));
  await mkdir(path.join(folder, 'shell'));
  await cp(path.join(__dirname, '../../shared/surface.txt'), path.join(folder, 'shell/surface.txt'));
  checkout = await team('referral', path.join(folder, 'remotes'));
});
afterAll(async () => {
  await checkout.leave();
  await rm(folder, { recursive: true });
});

/** A process that kills itself before its call number `POINT` that changes the disk; else it says how many there were. */
const KILL = `
import fs from 'node:fs';
import promises from 'node:fs/promises';
import { syncBuiltinESMExports } from 'node:module';
let calls = 0;
for (const [api, names] of [[fs, ['writeFileSync', 'renameSync', 'mkdirSync']], [promises, ['writeFile', 'rename', 'mkdir']]])
  for (const name of names) {
    const real = api[name];
    api[name] = (...args) => {
      calls += 1;
      if (calls === Number(process.env.POINT)) {
        if (name.startsWith('writeFile')) fs.writeSync(fs.openSync(args[0], 'w'), String(args[1]).slice(0, 9));
        process.kill(process.pid, 'SIGKILL');
      }
      return real.call(api, ...args);
    };
  }
syncBuiltinESMExports();
process.on('exit', () => console.log('calls ' + calls));
`;

async function publish(point: number): Promise<{ signal: string | null; calls: number }> {
  const kill = `data:text/javascript,${encodeURIComponent(KILL)}`;
  const args = ['--import', 'tsx', '--import', kill, `${checkout.commands}/remote.ts`];
  const child = spawn(process.execPath, [...args, 'publish', 'referral'], {
    cwd: checkout.folder,
    env: { ...process.env, REMOTES_DIR: path.join(folder, 'remotes'), POINT: String(point) },
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  let said = '';
  child.stdout.on('data', (chunk: Buffer) => (said += chunk.toString()));
  const [, signal] = (await once(child, 'close')) as [number | null, string | null];
  return { signal, calls: Number(/calls (\d+)/.exec(said)?.[1] ?? 0) };
}

test(
  `a publish that is killed at ${KILLS} points leaves the version before or the new one, whole, and the next one succeeds`,
  async () => {
    const home = path.join(folder, 'remotes/referral');
    const before = path.join(folder, 'before');
    const restore = async () => {
      await rm(home, { recursive: true });
      await cp(before, home, { recursive: true });
    };
    await checkout.build();
    const first = await checkout.publish();
    await cp(home, before, { recursive: true });
    await checkout.edit('mfe-referral/src/app.ts', 'import', 'console.log(1);\nimport');
    await checkout.build();
    const { calls } = await publish(0);
    const second = (await readPointer(home))?.version;
    expect(calls).toBeGreaterThan(50);
    expect(second).not.toBe(first);
    const served = async () => {
      const version = (await readPointer(home))?.version ?? '';
      const at = path.join(home, version);
      const manifest = JSON.parse(await readFile(path.join(at, 'manifest.json'), 'utf8')) as RemoteManifest;
      expect(damagedFiles(manifest, at)).toEqual([]);
      return version;
    };
    for (let n = 0; n < KILLS; n += 1) {
      // The last calls move the pointer.
      const point = calls - Math.floor((n * calls) / KILLS);
      await restore();
      expect((await publish(point)).signal).toBe('SIGKILL');
      expect([first, second]).toContain(await served());
      expect((await readHistory(home)).length).toBeGreaterThan(0);
      if (n % 5 > 0) continue;
      expect((await publish(0)).signal).toBeNull();
      expect(await served()).toBe(second);
    }
  },
  Math.max(180_000, KILLS * 20_000),
);
