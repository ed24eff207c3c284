/**
 * What a Citus refuses of the server's SQL, as far as its text shows it (docs/adr/0037-distributed.md): a subquery that
 * names a row of the statement around it, where one of the two is a table of workers and the other a table of the
 * coordinator.
 */
import { execFileSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import path from 'node:path';
import ts from 'typescript';
import { BY_ACCOUNT } from '../api/src/platform/db/distributed';
import { ROOT } from './build/files';

const listed = (...patterns: string[]): string[] =>
  execFileSync('git', ['ls-files', ...patterns], { cwd: ROOT, encoding: 'utf8' })
    .trim()
    .split('\n');
const read = (file: string): string => readFileSync(path.join(ROOT, file), 'utf8');

const tables = new Set(
  listed('api/src/platform/db/migrations/*.sql').flatMap((file) =>
    [...read(file).matchAll(/^create table (\w+)/gm)].map(([, name = '']) => name),
  ),
);
const isSpread = (table: string): boolean => BY_ACCOUNT.includes(table);

/** Texts of the code's template strings; a value is a `?`. */
function textsOf(file: string): string[] {
  const texts: string[] = [];
  const visit = (node: ts.Node): void => {
    if (ts.isNoSubstitutionTemplateLiteral(node)) texts.push(node.text);
    if (ts.isTemplateExpression(node))
      texts.push([node.head.text, ...node.templateSpans.map(({ literal }) => literal.text)].join('?'));
    ts.forEachChild(node, visit);
  };
  visit(ts.createSourceFile(file, read(file), ts.ScriptTarget.Latest));
  return texts;
}

/** Tables by the names under which SQL reads them. */
function namesIn(sql: string): Map<string, string> {
  const names = new Map<string, string>();
  for (const [, table = '', alias = ''] of sql.matchAll(
    /\b(?:from|join|into|update|using)\s+(\w+)(?:\s+(?:as\s+)?(\w+))?/g,
  ))
    if (tables.has(table)) names.set(table, table).set(alias, table);
  return names;
}

/** Parts of SQL in parentheses that begin with a select, those within others too. */
function subqueriesOf(sql: string): string[] {
  const open: number[] = [];
  const found: string[] = [];
  for (let at = 0; at < sql.length; at += 1) {
    if (sql[at] === '(') open.push(at + 1);
    if (sql[at] === ')') found.push(sql.slice(open.pop() ?? 0, at));
  }
  return found.filter((part) => /^\s*select\b/.test(part));
}

function refusedIn(sql: string): string[] {
  const around = namesIn(sql);
  return subqueriesOf(sql).filter((subquery) => {
    const own = namesIn(subquery);
    const others = [...subquery.matchAll(/\b(\w+)\.\w/g)].flatMap(([, name = '']) =>
      own.has(name) ? [] : (around.get(name) ?? []),
    );
    return others.some((table) => [...own.values()].some((mine) => isSpread(mine) !== isSpread(table)));
  });
}

test('no subquery is correlated between tables of workers and tables of the coordinator', () => {
  const exists = (inner: string, outer: string): string =>
    `select from ${outer} f where exists (select from ${inner} e where e.event_id = f.id)`;
  expect(refusedIn(exists('worker_event', 'farm_event'))).toHaveLength(1);
  expect(refusedIn(exists('worker_join', 'worker'))).toHaveLength(1);
  expect(refusedIn(exists('worker_event', 'worker_alert'))).toEqual([]);
  expect(refusedIn('select from farm_event f where f.id in (select e.event_id from worker_event e)')).toEqual([]);

  const files = listed('api/src/**/*.ts').filter((file) => !file.endsWith('.test.ts'));
  const texts = files.flatMap((file) => textsOf(file).map((text) => ({ file, text })));
  expect(texts.filter(({ text }) => [...namesIn(text).values()].some(isSpread)).length).toBeGreaterThan(60);
  expect(texts.flatMap(({ file, text }) => refusedIn(text).map((sql) => `${file}: ${sql}`))).toEqual([]);
});
