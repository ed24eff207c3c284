/** What autovacuum does for a PostgreSQL and nothing in PGlite: indexes by time cover new rows, tables are analyzed. */
import type { Pool } from 'pg';

const EVERY_MS = 600_000;
const RUNS_A_DAY = 144;

/** New rows of ten minutes take some 30 ms with 10,000 workers. */
export async function summarize(pool: Pool): Promise<void> {
  await pool.query(
    `select brin_summarize_new_values(c.oid::regclass)
     from pg_class c
     join pg_am a on a.oid = c.relam
     where a.amname = 'brin' and c.relkind = 'i'`,
  );
}

/** Starts the upkeep of an embedded database; returns how to stop it. */
export function startUpkeep(pool: Pool, onError: (error: Error) => void): () => void {
  let runs = 0;
  const run = async (): Promise<void> => {
    await summarize(pool);
    // Ten minutes after the start, then daily: it takes as long as a hundred calls of a page.
    if (runs % RUNS_A_DAY === 1) await pool.query('analyze');
    runs += 1;
  };
  const timer = setInterval(() => void run().catch(onError), EVERY_MS).unref();
  void run().catch(onError);
  return () => clearInterval(timer);
}
