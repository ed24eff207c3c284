/** The shell takes what remotes there are, and where, from their manifests: it works with others too. */
import { readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';

const SRC = path.join(__dirname, '..');
const remotes = readdirSync(path.join(SRC, '../..'))
  .filter((folder) => folder.startsWith('mfe-'))
  .map((folder) => folder.slice('mfe-'.length));
const sources = readdirSync(SRC, { recursive: true, encoding: 'utf8' }).filter(
  (file) => /\.(tsx?|js|html)$/.test(file) && !/\.test\.tsx?$/.test(file),
);
test('no file of the shell names a remote, by its folder or its path', () => {
  expect(remotes).toContain('workers');
  const names = remotes.join('|');
  const named = new RegExp(`['"\`]/(${names})(?![\\w-])|(mfe-|pool_)(${names})\\b`);
  expect(sources.filter((file) => named.test(readFileSync(path.join(SRC, file), 'utf8')))).toEqual([]);
});
