/** Runs with the embedded database, then with BENCH_DATABASE_URL or a temporary cluster of PostgreSQL. */
import { startCluster } from '../../api/src/platform/db/testing/postgres';

export async function onBothDatabases(work: (name: string) => Promise<void>): Promise<void> {
  await work('the embedded database');
  const given = process.env.BENCH_DATABASE_URL;
  const cluster = given
    ? null
    : await startCluster().catch((error: Error) => {
        process.stdout.write(`\nNot measured on PostgreSQL: ${error.message}\n`);
        return null;
      });
  const url = given ?? cluster?.url;
  if (!url) return;
  process.env.TEST_DATABASE_URL = url;
  try {
    await work('PostgreSQL');
  } finally {
    delete process.env.TEST_DATABASE_URL;
    await cluster?.remove();
  }
}
