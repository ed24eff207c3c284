import { mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { ROOT } from './files';

const FILE = path.join(ROOT, '.cache/build.lock');
const RETRY_MS = 500;

function holder(): number | null {
  try {
    const pid = Number(readFileSync(FILE, 'utf8'));
    process.kill(pid, 0);
    return pid;
  } catch {
    return null;
  }
}

function take(): boolean {
  try {
    writeFileSync(FILE, String(process.pid), { flag: 'wx' });
    return true;
  } catch {
    // Left by a build that was killed.
    if (holder() === null) rmSync(FILE, { force: true });
    return false;
  }
}

/** Two builds at once would overwrite each other's output: the second waits. */
export async function withBuildLock<T>(work: () => Promise<T>): Promise<T> {
  mkdirSync(path.dirname(FILE), { recursive: true });
  for (let said = false; !take(); said = true) {
    const pid = holder();
    if (!said && pid !== null) console.log(`build: waiting for another build (process ${pid})`);
    await sleep(RETRY_MS);
  }
  try {
    return await work();
  } finally {
    rmSync(FILE, { force: true });
  }
}
