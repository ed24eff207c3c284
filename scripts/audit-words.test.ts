/** What the server writes into the audit log has words in `shared/locales/audit.*.json`. */
import { readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { ACCOUNT_EVENTS } from '../api/src/identity/users';
import { GROUPS } from '../mfe-admin/src/pages/audit/groups';
import words from '../shared/locales/audit.en.json';

const API = path.resolve(__dirname, '../api/src');
const ACTION = /writeAudit(?:Rows)?\([^'`;]*?'([a-z_]+\.[a-z_]+)'/g;

test('every action that is named in the sources has words', () => {
  const files = readdirSync(API, { recursive: true, encoding: 'utf8' }).filter((file) => /(?<!\.test)\.ts$/.test(file));
  const actions = files.flatMap((file) =>
    [...readFileSync(path.join(API, file), 'utf8').matchAll(ACTION)].map((match) => match[1]),
  );
  expect(actions.length).toBeGreaterThan(20);
  for (const [group, names] of Object.entries(ACCOUNT_EVENTS)) actions.push(...names.map((name) => `${group}.${name}`));
  expect(actions.filter((action) => !(`ui.action.${action}` in words))).toEqual([]);
});

test('the log can be filtered by every group of actions', () => {
  const groups = Object.keys(words).flatMap((key) => /^ui\.action\.([a-z_]+)\./.exec(key)?.[1] ?? []);
  expect(new Set(GROUPS)).toEqual(new Set(groups));
});
