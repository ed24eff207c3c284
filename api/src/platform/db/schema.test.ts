import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { PoolClient } from 'pg';
import { countBatch } from '../../mining/shares/count-batch';
import { endPresences, writeLive } from '../../mining/shares/worker-rows';
import { BY_ACCOUNT } from './distributed';
import { inCode } from './querier';
import { databaseOfFile } from './testing/test-database';
import { transaction } from './transaction';
import { migrationNames, migrationsFolder } from './migrate';

/** What the code expects of tables is what the migrations make. */
const database = databaseOfFile();

/** Types of rows that are read whole (`select *`), by their tables. */
const ROWS = {
  app_user: 'accounts/accounts.ts AppUser',
  sub_account: 'accounts/accounts.ts SubAccountRow',
  access_token: 'accounts/access-tokens.ts AccessTokenRow',
  identity_user: 'identity/store.ts UserRow',
  identity_client: 'identity/store.ts ClientRow',
  identity_session: 'identity/store.ts SessionRow',
  identity_link: 'identity/mails/links.ts LinkRow',
  identity_passkey: 'identity/factors/passkeys.ts PasskeyRow',
  identity_recovery: 'identity/factors/recovery.ts RecoveryRow',
};
const TYPES: Record<string, RegExp> = {
  integer: /^number$/,
  bigint: /^number$/,
  'double precision': /^number$/,
  boolean: /^boolean$/,
  'timestamp with time zone': /^Date$/,
  bytea: /^Buffer$/,
  'text[]': /\[('\w+')?\]$/,
  // One of few words has a type of its own.
  text: /^(?!(number|boolean|Date|Buffer|unknown)$)/,
  jsonb: /^(unknown|Partial<.*>)$/,
};

it.each(Object.entries(ROWS))('rows of %s are what %s says', async (table, where) => {
  const [file = '', type] = where.split(' ');
  const [, body = ''] =
    new RegExp(`\\btype ${type} = \\{\\n([^]*?)\\n\\};`).exec(readFileSync(join(__dirname, '../..', file), 'utf8')) ??
    [];
  const said = new Map([...body.matchAll(/^ {2}(\w+): (.*);$/gm)].map(([, name = '', of = '']) => [name, of]));
  const { rows } = await database.pool.query<{ name: string; type: string; nullable: boolean }>(
    `select attname as name, format_type(atttypid, atttypmod) as type, not attnotnull as nullable
     from pg_attribute where attrelid = $1::regclass and attnum > 0 and not attisdropped`,
    [table],
  );
  expect([...said.keys()].sort()).toEqual(rows.map(({ name }) => inCode(name)).sort());
  for (const { name, type: of, nullable } of rows) {
    const [, known = '', isNullable] = /^(.*?)( \| null)?$/.exec(said.get(inCode(name)) ?? '') ?? [];
    expect([name, of, TYPES[of]?.test(known)]).toEqual([name, of, true]);
    if (known !== 'unknown') expect([name, isNullable !== undefined]).toEqual([name, nullable]);
  }
});

it('tables on the path of shares can be distributed by account', async () => {
  /** What a distributed table must not have. Only within an account can a key be unique, or a row named or deleted with another. */
  const { rows } = await database.pool.query<{ fault: string }>(
    `with account as (
       select attrelid as relid, attnum, attnotnull from pg_attribute where attname = 'sub_account_id'
     )
     select concat_ws(' ', 'not keyed by account first:', i.indexrelid::regclass) as fault
     from pg_index i left join account a on a.relid = indrelid
     where indisunique and indrelid::regclass::text = any($1) and indkey[0] is distinct from a.attnum
     union all
     select concat_ws(' ', 'may be of no account:', name)
     from unnest($1::text[]) name left join account on relid = name::regclass
     where attnotnull is not true
     union all
     select concat_ws(' ', 'names a row of another account:', conname)
     from pg_constraint
     left join account a on a.relid = conrelid
     left join account b on b.relid = confrelid
     where contype = 'f' and (conrelid::regclass::text = any($1) or confrelid::regclass::text = any($1))
       and (array_position(conkey, a.attnum) = array_position(confkey, b.attnum)) is not true
     union all
     select concat_ws(' ', 'sets a key to null:', conname)
     from pg_constraint
     where contype = 'f' and conrelid::regclass::text = any($1) and 'n' in (confdeltype, confupdtype)
     union all
     select concat_ws(' ', 'trigger:', tgrelid::regclass, tgname)
     from pg_trigger
     where not tgisinternal and tgrelid::regclass::text = any($1)`,
    [BY_ACCOUNT],
  );
  expect(rows).toEqual([]);
});

/** A connection that notes what is asked. */
function noting(client: PoolClient, statements: string[]): PoolClient {
  return new Proxy(client, {
    get: (target, name) =>
      name === 'query'
        ? (statement: string | { text: string }, values?: unknown[]) => {
            statements.push(typeof statement === 'string' ? statement : statement.text);
            return target.query(statement, values);
          }
        : Reflect.get(target, name, target),
  });
}

it('each statement that counts shares names the account, and finds what it adds to by it', async () => {
  const statements: string[] = [];
  await database.pool.query(
    `with u as (insert into app_user (identity_id, user_name) values ('i', 'alice') returning id)
     insert into sub_account (user_id, name) select id, 'alice' from u`,
  );
  const at = Math.floor(Date.now() / 60_000) * 60;
  const who = { subAccountId: 1, algorithm: 'SCRYPT', worker: 'rig' } as const;
  const sums = { accepted: 1, stale: 0, rejected: 0, shares: 1 };
  const live = { ...who, difficulty: 1, software: null, remote: '', connectedAt: at * 1000 };
  await database.pool.query(`insert into node (id, roles, place, build) values ('n', '{stratum}', 'here', 'b')`);
  await transaction(database.pool, async (client) => {
    const noted = noting(client, statements);
    expect(
      await countBatch(noted, { proxyId: 'n', sequence: 1 }, [{ ...who, ...sums, at, span: 60, lastShareAt: at }]),
    ).toMatchObject({ made: new Set(['1 SCRYPT rig']) });
    expect((await writeLive(noted, [{ ...live, disconnectedAt: null }], 'n')).size).toBe(1);
    expect((await writeLive(noted, [{ ...live, disconnectedAt: at * 1000 + 1 }], 'n')).size).toBe(1);
    await endPresences(noted, 'n');
  });
  const tables = new RegExp(`(?<=\\b(?:from|join|into|update) )(?:${BY_ACCOUNT.join('|')})\\b`, 'g');
  const touching = statements.filter((text) => text.match(tables));
  expect(new Set(statements.flatMap((text) => text.match(tables) ?? []))).toEqual(
    new Set(BY_ACCOUNT.filter((name) => !['worker_alert', 'worker_event', 'worker_group'].includes(name))),
  );
  expect(touching.length).toBeGreaterThan(12);
  expect(touching.filter((text) => !text.includes('sub_account_id'))).toEqual([]);
  expect(touching.filter((text) => /on conflict \((?!sub_account_id)/.test(text))).toEqual([]);
});

/** Migrations leave a database with which the build before still works: both run side by side while one is deployed. */
/** What the build before cannot work with, and what to do in its place (CONTRIBUTING.md, "Change a table"). */
const BREAKING: [RegExp, string][] = [
  [/\bdrop\s+(?:column|table|view|function)\b(?!.*--\s*contract)/i, 'drops what the build before reads'],
  [/\brename\s+(?:column\b|constraint\b|to\b|"?\w+"?\s+to\b)/i, 'renames what the build before names'],
  [/\balter\s+column\s+\S+\s+(?:set\s+data\s+)?type\b/i, 'changes a type'],
  [/\balter\s+column\s+\S+\s+set\s+not\s+null\b/i, 'forbids nulls that the build before writes'],
  [/\balter\s+column\s+\S+\s+drop\s+default\b/i, 'takes a default on which the build before relies'],
  [
    /\badd\s+(?:column\s+)?(?!constraint)"?\w+"?\s(?=[^;]*\bnot\s+null\b)(?![^;]*\bdefault\b)(?![^;]*\bgenerated\b)[^;]*/i,
    'adds a column that the build before leaves null',
  ],
];
const withoutComments = (sql: string): string => sql.replace(/^\s*--.*$/gm, '');
const faultsOf = (sql: string): string[] =>
  withoutComments(sql)
    .split(/;(?![ \t]*--[ \t]*contract)/)
    .flatMap((statement) =>
      BREAKING.flatMap(([what, why]) => (what.test(statement) ? [`${why}: ${statement.trim()}`] : [])),
    );

/** Migrations since version 1.0.0, whose tables the baseline is. */
const since = migrationNames().slice(1);

it('no migration since 1.0.0 breaks the build before', () => {
  for (const name of since)
    expect([name, faultsOf(readFileSync(join(migrationsFolder, `${name}.sql`), 'utf8'))]).toEqual([name, []]);
});

it('refuses what a build before cannot work with, and no more', () => {
  for (const [sql, faults] of [
    ['alter table a alter column b type bigint', 1],
    ['alter table a add column b integer not null', 1],
    ["alter table a add column b text default '' not null", 0],
    ['create table a (b integer not null)', 0],
    ['alter table a drop column b', 1],
    ['alter table a drop column b; -- contract: 0.1.0', 0],
  ] as const)
    expect([sql, faultsOf(sql).length]).toEqual([sql, faults]);
});
