import { startUpkeep } from './upkeep';
import { embeddedDatabase } from './testing/test-database';

it('rows of an hour are found without reading the rest of the day, in an embedded database too', async () => {
  const { pool, close } = await embeddedDatabase();
  try {
    await pool.query(
      `insert into share_1h (sub_account_id, worker_id, at, accepted)
       select 1, worker, timestamptz '2026-01-05Z' + hour * interval '1 hour', 1
       from generate_series(0, 23) hour, generate_series(1, 500) worker`,
    );
    await pool.query('set enable_seqscan to off');
    const readInVain = async (): Promise<number> => {
      const { rows } = await pool.query<{ 'QUERY PLAN': string }>(
        `explain (analyze, costs off, timing off) select sum(accepted) from share_1h
         where at >= '2026-01-05 07:00Z' and at < '2026-01-05 08:00Z'`,
      );
      const text = rows.map((row) => row['QUERY PLAN']).join('\n');
      expect(text).toContain('Bitmap Index Scan');
      return Number(/Rows Removed by Index Recheck: (\d+)/.exec(text)?.[1] ?? 0);
    };
    // As long as nothing has summarized them, nearly all of the 11,500 rows of the other hours are read.
    expect(await readInVain()).toBeGreaterThan(9000);
    const stop = startUpkeep(pool, (error) => {
      throw error;
    });
    // With one connection, this waits for it.
    expect(await readInVain()).toBeLessThan(4000);
    stop();
  } finally {
    await close();
  }
});
