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
