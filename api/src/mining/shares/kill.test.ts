import { fork, type ChildProcess } from 'node:child_process';
import { mkdtempSync, readdirSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Miner } from '../../../../e2e/miner/miner';
import { openDatabase } from '../../platform/db/database';
import { eventually } from '../../testing/eventually';
import type { ProcessArguments, ProcessMessage } from './testing/ingest-process';
import { TYPESCRIPT } from '../../testing/typescript';

const KILLS = Number(process.env.KILLS ?? (process.env.HEAVY ? 50 : 2));
let folder: string;
let child: ChildProcess;
let miners: Miner[] = [];

const start = (port: number): Promise<number> =>
  new Promise((resolve, reject) => {
    child = fork(
      join(__dirname, 'testing/ingest-process.ts'),
      [JSON.stringify({ folder, port } satisfies ProcessArguments)],
      {
        execArgv: TYPESCRIPT,
        stdio: ['ignore', 'ignore', 'inherit', 'ipc'],
      },
    );
    child.once('message', (message: ProcessMessage) => resolve(message.port));
    child.once('exit', (code) => reject(new Error(`ended with ${code}`)));
  });
const exited = (): Promise<unknown> =>
  new Promise((resolve) => {
    child.once('exit', resolve);
  });
const sum = (of: 'accepted' | 'unanswered' | 'work' | 'unansweredWork'): number =>
  miners.reduce((total, miner) => total + miner[of], 0);

beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), 'kill-'));
});
afterAll(() => {
  for (const miner of miners) miner.stop();
  child.kill('SIGKILL');
  rmSync(folder, { recursive: true, force: true });
});

it(
  `kill -9 under mining, ${KILLS} times: no acknowledged share is lost, none counts twice`,
  async () => {
    const port = await start(0);
    miners = Array.from({ length: 4 }, (_, i) =>
      new Miner({
        host: '127.0.0.1',
        port,
        user: `alice.rig-${i}`,
        algorithm: 'sha256',
        hashrate: 8000,
        rate: 40,
      }).start(),
    );
    const byMiner = new Map(miners.map((miner) => [miner, 0]));
    for (const miner of miners)
      miner.on('verdict', ({ accepted }) => {
        if (accepted) byMiner.set(miner, (byMiner.get(miner) ?? 0) + 1);
      });
    for (let kill = 0; kill < KILLS; kill += 1) {
      const before = sum('accepted');
      const after = before + 40 + Math.floor(Math.random() * 60);
      await eventually(() => sum('accepted') >= after, `shares before kill ${kill + 1}`);
      const gone = exited();
      child.removeAllListeners('exit');
      const killed = exited();
      child.kill('SIGKILL');
      await Promise.race([gone, killed]);
      await start(port);
    }
    await eventually(() => sum('accepted') > 60 * KILLS, 'shares after the last kill');
    for (const miner of miners) miner.stop();
    child.removeAllListeners('exit');
    const ended = exited();
    child.send('stop');
    await ended;

    expect(readdirSync(join(folder, 'journal'))).toEqual([]);
    const database = await openDatabase({ folder: join(folder, 'database') });
    try {
      for (const table of ['account_1m', 'account_10m', 'account_1h', 'account_1d', 'share_1m', 'share_1d']) {
        const {
          rows: [row],
        } = await database.pool.query<{ shares: number; accepted: number }>(
          `select sum(shares)::int as shares, sum(accepted) as accepted from ${table}`,
        );
        const [shares, work] = [row?.shares ?? 0, row?.accepted ?? 0];
        expect(shares).toBeGreaterThanOrEqual(sum('accepted'));
        // Shares without a response at a kill may have been counted.
        expect(shares).toBeLessThanOrEqual(sum('accepted') + sum('unanswered'));
        // Difficulties are about 1e-7 here: each share is far above this precision.
        expect(work).toBeGreaterThan(sum('work') - 1e-12);
        expect(work).toBeLessThan(sum('work') + sum('unansweredWork') + 1e-12);
      }
      const { rows } = await database.pool.query<{ name: string; shares: number }>(
        `select w.name, s.shares
         from worker w
         join (select worker_id, sum(shares)::int as shares from share_1m group by 1) s on s.worker_id = w.id
         order by 1`,
      );
      rows.forEach(({ shares }, i) => {
        const miner = miners[i] as Miner;
        expect(shares).toBeGreaterThanOrEqual(byMiner.get(miner) ?? 0);
        expect(shares).toBeLessThanOrEqual((byMiner.get(miner) ?? 0) + miner.unanswered);
      });
    } finally {
      await database.close();
    }
  },
  240_000 + KILLS * 15_000,
);
