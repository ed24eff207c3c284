/** `npm run dev -- workers --against https://pool.example`: a deployed pool with this one remote of the checkout. */
import { Front } from './front';
import { devManifest, OwnRemote } from './own-remote';
import { Watcher } from './watch';

export async function devAgainst(name: string, url: string, port: number): Promise<void> {
  const pool = new URL(url);
  if (pool.pathname !== '/' || !/^https?:$/.test(pool.protocol))
    throw new Error(`--against takes the address of a pool: https://pool.example, not '${url}'`);
  const answer = await fetch(new URL('/ready', pool)).catch((error: unknown) => {
    throw new Error(`${url} does not answer: ${String((error as Error).cause ?? error)}`);
  });
  await answer.body?.cancel();
  const unit = `mfe-${name}`;
  const own = new OwnRemote(name, pool);
  const front = new Front([unit], pool, own);
  const watcher = new Watcher(front, true);
  const read = (): Promise<void> =>
    watcher.attempt(`${unit}: remote.json, texts`, () => {
      own.manifest = devManifest(name);
      front.tellRemotes();
    });
  await watcher.unit(unit, read);
  watcher.besideTheCode(unit, read);
  watcher.types([unit]);
  await front.listen(port, process.env.HOST || '127.0.0.1');
}
