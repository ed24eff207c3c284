/** Child process of the kill test: the Stratum proxy with its database, counting every 20 ms. */
import { join } from 'node:path';
import pino from 'pino';
import { openDatabase } from '../../../platform/db/database';
import { startBuiltinPool } from '../../../stratum/builtin-pool';
import { pgAccountDirectory, startStratumProxy } from '../../../stratum';
import { ShareIngest } from '../ingest';

export type ProcessArguments = { folder: string; port: number };
export type ProcessMessage = { port: number };

const { folder, port } = JSON.parse(process.argv[2] ?? '') as ProcessArguments;
const log = pino({ level: 'silent' });
const database = await openDatabase({ folder: join(folder, 'database') });
await database.pool.query(
  "insert into app_user (id, identity_id, user_name) values (1, 'x', 'alice') on conflict do nothing",
);
await database.pool.query("insert into sub_account (id, user_id, name) values (1, 1, 'alice') on conflict do nothing");
const ingest = await ShareIngest.open({ pool: database.pool, folder: join(folder, 'journal'), log, flushMs: 20 });
const upstream = await startBuiltinPool({ algorithm: 'SHA256_ASICBOOST', blockMs: [500, 1500] });
const proxy = await startStratumProxy({
  host: '127.0.0.1',
  ports: [{ algorithm: 'SHA256_ASICBOOST', port }],
  directory: pgAccountDirectory(database.pool),
  sink: ingest,
  upstreams: { SHA256_ASICBOOST: [upstream.target] },
  log,
});
process.send?.({ port: proxy.ports[0]?.port ?? 0 } satisfies ProcessMessage);
process.once('message', () => {
  void (async () => {
    await proxy.stop();
    await upstream.stop();
    await ingest.stop();
    await database.close();
    process.exit(0);
  })();
});
