/** Copies a pool's rows between databases of one schema as PostgreSQL's own text, so that no value is changed. */
import type { ClientBase } from 'pg';
import { OperatorError } from '../platform/operator-error';
import { ledgerHash, type LedgerHash } from './ledger-hash';
import { withoutForeignKeys } from '../platform/db/distributed';
import { hasRow, rowsOf, sql } from '../platform/db/querier';

const ROWS_AT_ONCE = 2000;

type Column = { name: string; type: string };
type Table = { name: string; columns: Column[] };

const named = (name: string): string => `"${name.replaceAll('"', '""')}"`;

/** Tables with rows of their own: partitions are reached through their parents. */
const tablesOf = (client: ClientBase): Promise<Table[]> =>
  rowsOf<Table>(
    client,
    `select c.relname as name,
       json_agg(json_build_object('name', a.attname, 'type', format_type(a.atttypid, a.atttypmod)) order by a.attnum)
         as columns
     from pg_class c
     join pg_attribute a on a.attrelid = c.oid and a.attnum > 0 and not a.attisdropped and a.attgenerated = ''
     where c.relnamespace = 'public'::regnamespace and c.relkind in ('r', 'p') and not c.relispartition
     group by 1 order by 1`,
  );

/** Partitions are made over time: those that only the source has are made before its rows come. */
async function copyPartitions(from: ClientBase, to: ClientBase): Promise<void> {
  const partitions = await rowsOf<{ make: string }>(
    from,
    `select format('create table if not exists %I partition of %I %s', c.relname, p.relname,
       pg_get_expr(c.relpartbound, c.oid)) as make
     from pg_class c
     join pg_inherits i on i.inhrelid = c.oid
     join pg_class p on p.oid = i.inhparent
     where c.relnamespace = 'public'::regnamespace and c.relkind = 'r' and c.relispartition`,
  );
  for (const { make } of partitions) await to.query(make);
}

async function copyTable(from: ClientBase, to: ClientBase, { name, columns }: Table): Promise<void> {
  const names = columns.map((column) => named(column.name)).join(', ');
  const given = columns.map((_, i) => `c${i}`).join(', ');
  const insert = `
    insert into ${named(name)} (${names}) overriding system value
    select ${columns.map(({ type }, i) => `c${i}::${type}`).join(', ')}
    from unnest(${columns.map((_, i) => `$${i + 1}::text[]`).join(', ')}) as given (${given})`;
  await from.query(
    `declare copied no scroll cursor for
     select ${columns.map((column) => `${named(column.name)}::text`).join(', ')} from ${named(name)}`,
  );
  for (;;) {
    const { rows } = await from.query<(string | null)[]>({
      text: `fetch ${ROWS_AT_ONCE} from copied`,
      rowMode: 'array',
    });
    if (rows.length === 0) break;
    await to.query(
      insert,
      columns.map((_, i) => rows.map((row) => row[i] ?? null)),
    );
  }
  await from.query('close copied');
}

async function copySequences(from: ClientBase, to: ClientBase): Promise<void> {
  const sequences = await rowsOf<{ name: string; last: string | null }>(
    from,
    "select sequencename as name, last_value::text as last from pg_sequences where schemaname = 'public'",
  );
  for (const { name, last } of sequences)
    if (last !== null) await to.query(sql`select setval(${named(name)}::regclass, ${last}::bigint)`);
}

/**
 * Copies everything in one transaction: after an error the target is as it was. Both must have been migrated by this
 * program. Throws `OperatorError` when the target has users or a ledger, or when its copy of the ledger has another hash.
 */
export async function copyDatabase(from: ClientBase, to: ClientBase): Promise<LedgerHash> {
  if (await hasRow(to)`select where exists (select from app_user) or exists (select from ledger)`)
    throw new OperatorError('The database to move to has a pool in it already. Name an empty one.');
  await from.query('begin isolation level repeatable read read only');
  await to.query('begin');
  try {
    // Each side waits for the other.
    for (const client of [from, to])
      await client.query('set local statement_timeout to 0; set local idle_in_transaction_session_timeout to 0');
    const tables = await tablesOf(from);
    const all = tables.map(({ name }) => named(name)).join(', ');
    // Rows come in any order, and what triggers keep (balances) comes as rows. What the migrations made is replaced.
    await copyPartitions(from, to);
    await withoutForeignKeys(to, async () => {
      for (const { name } of tables) await to.query(`alter table ${named(name)} disable trigger user`);
      await to.query(`truncate ${all}`);
      for (const table of tables) await copyTable(from, to, table);
      await copySequences(from, to);
      for (const { name } of tables) await to.query(`alter table ${named(name)} enable trigger user`);
    });
    const ledger = await ledgerHash(from);
    const copy = await ledgerHash(to);
    if (copy.hash !== ledger.hash)
      throw new OperatorError(`The copied ledger is not the same: ${copy.hash} instead of ${ledger.hash}.`);
    await to.query('commit');
    return ledger;
  } catch (error) {
    await to.query('rollback');
    throw error;
  } finally {
    await from.query('rollback');
  }
}
