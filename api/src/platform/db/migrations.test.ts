/** Migrations leave a database with which the build before still works: both run side by side while one is deployed. */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { migrationNames, migrationsFolder } from './migrate';

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

it.each([
  'alter table "a" drop column "b"',
  'drop table a',
  'alter table a rename column b to c',
  'alter table a rename to b',
  'alter table a alter column b type bigint',
  'alter table a alter column "b" set not null',
  'alter table a alter column b drop default',
  'alter table a add column b integer not null',
  'alter table a add b integer not null',
])('it would: %s', (sql) => expect(faultsOf(sql)).toHaveLength(1));

it.each([
  'alter table a add column b integer',
  "alter table a add column b text default '' not null",
  'create table a (b integer not null)',
  'alter table a drop constraint b',
  'alter table a add constraint c check (b is not null)',
  'drop index a',
  'alter table a drop column b; -- contract: 0.1.0',
])('it would not: %s', (sql) => expect(faultsOf(sql)).toEqual([]));
