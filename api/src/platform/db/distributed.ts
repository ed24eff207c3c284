/** Tables with a row for each worker, spread by account over the nodes of a Citus (docs/adr/0037-distributed.md). */
import { hasRow, type Querier, rowsOf, sql, valuesOf } from './querier';

export const BY_ACCOUNT = [
  ...['worker', 'worker_group', 'worker_live', 'worker_presence', 'worker_alert', 'worker_event'],
  ...['share_1m', 'share_10m', 'share_1h', 'share_1d'],
];

/** Does `work` while these tables, else all, have no foreign keys, in the caller's transaction. */
export async function withoutForeignKeys(
  client: Querier,
  work: () => Promise<void>,
  tables: readonly string[] | null = null,
): Promise<void> {
  const keys = await rowsOf<{ table: string; name: string; definition: string }>(client)`
    select conrelid::regclass::text as table, quote_ident(conname) as name, pg_get_constraintdef(oid) as definition
    from pg_constraint
    where contype = 'f' and conparentid = 0 and connamespace = 'public'::regnamespace
      and (${tables}::text[] is null or conrelid::regclass::text = any(${tables}::text[]))`;
  for (const { table, name } of keys) await client.query(`alter table ${table} drop constraint ${name}`);
  await work();
  for (const { table, name, definition } of keys)
    await client.query(`alter table ${table} add constraint ${name} ${definition}`);
}

/** Whether this PostgreSQL is the coordinator of a Citus that has other nodes for rows. */
export const hasNodes = async (db: Querier): Promise<boolean> =>
  (await hasRow(db)`select where to_regclass('pg_dist_node') is not null`) &&
  hasRow(db)`select from pg_dist_node where shouldhaveshards and isactive`;

/** Spreads the rows, or brings them back to the coordinator, in the caller's transaction; nobody reads them meanwhile. */
export async function spread(client: Querier, way: 'out' | 'back'): Promise<void> {
  const [first] = BY_ACCOUNT;
  const move = (table: string) =>
    way === 'back'
      ? sql`select undistribute_table(${table})`
      : sql`select create_distributed_table(${table}, 'sub_account_id', colocate_with => ${table === first ? 'none' : first})`;
  await withoutForeignKeys(
    client,
    async () => {
      for (const table of BY_ACCOUNT) await client.query(move(table));
    },
    BY_ACCOUNT,
  );
}

export const isSpread = (db: Querier): Promise<boolean> =>
  hasRow(db)`select from pg_dist_partition where logicalrelid = 'worker'::regclass`;

/** Accounts whose rows are on a node that does not answer; none where the rows are not spread. */
export async function accountsAway(db: Querier): Promise<Set<number>> {
  if (!(await hasNodes(db)) || !(await isSpread(db))) return new Set();
  const nodes = await rowsOf<{ place: number; host: string; port: number }>(db)`
    select groupid as place, nodename as host, nodeport as port
    from pg_dist_node where shouldhaveshards and isactive and noderole = 'primary'`;
  const away: number[] = [];
  for (const { place, host, port } of nodes) {
    const answers = await hasRow(db)`select where citus_check_connection_to_node(${host}, ${port})`.catch(() => false);
    if (!answers) away.push(place);
  }
  const accounts = await valuesOf<number>(db)`
    select s.id
    from sub_account s join pg_dist_placement p on p.shardid = get_shard_id_for_distribution_column('worker', s.id)
    where p.groupid = any(${away}::int[])`;
  return new Set(accounts);
}

/** Spreads the rows of a new pool where there are nodes; one with workers is moved by `npm run admin -- distribute`. */
export async function spreadNew(client: Querier): Promise<void> {
  if (!(await hasNodes(client)) || (await isSpread(client)) || (await hasRow(client)`select from worker limit 1`))
    return;
  await client.query('begin');
  try {
    await spread(client, 'out');
    await client.query('commit');
  } catch (error) {
    await client.query('rollback');
    throw error;
  }
}
