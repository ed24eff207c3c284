import path from 'node:path';
import { markRetry, prepareFile, rememberHashes } from './integrity';
import { UI_PARTS } from './ui-parts';
import { existsSync, readdirSync, readFileSync } from 'node:fs';

/** The shell takes what remotes there are, and where, from their manifests: it works with others too. */

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

it('provides every lazy part of the shared UI: remotes contain none', () => {
  const folder = path.resolve('shared/src/ui');
  const parts = readdirSync(folder).filter(
    (name) => name !== 'core' && existsSync(path.join(folder, name, 'index.ts')),
  );
  expect(Object.keys(UI_PARTS).sort()).toEqual(parts.sort());
});

const script = (src: string): HTMLScriptElement => Object.assign(document.createElement('script'), { src });

it('adds the integrity of a known script, whatever its query and origin, and refuses unknown ones', () => {
  rememberHashes({ '/remotes/a/1/x.js': 'sha384-abc' });
  const known = script('/remotes/a/1/x.js');
  prepareFile(known);
  expect(known.integrity).toBe('sha384-abc');
  const retried = script('/remotes/a/1/x.js?r=1');
  prepareFile(retried);
  expect(retried.integrity).toBe('sha384-abc');
  const unknown = script('/remotes/a/1/y.js');
  prepareFile(unknown);
  expect(unknown.integrity).toMatch(/^sha384-A{64}$/);
  rememberHashes({ 'https://cdn.example/remotes/a/1/x.js': 'sha384-cdn' });
  const elsewhere = ['x', 'y'].map((name) => script(`https://cdn.example/remotes/a/1/${name}.js`));
  elsewhere.forEach(prepareFile);
  expect(elsewhere.map(({ integrity, crossOrigin }) => [integrity, crossOrigin])).toEqual([
    ['sha384-cdn', 'anonymous'],
    [unknown.integrity, 'anonymous'],
  ]);
});

it('adds the integrity of the stylesheets of remotes', () => {
  rememberHashes({ '/remotes/a/1/x.css': 'sha384-def' });
  const style = (href: string): HTMLLinkElement => Object.assign(document.createElement('link'), { href });
  const known = style('/remotes/a/1/x.css');
  prepareFile(known);
  expect(known.integrity).toBe('sha384-def');
  const unknown = style('/remotes/a/1/y.css');
  prepareFile(unknown);
  expect(unknown.integrity).toMatch(/^sha384-A{64}$/);
  const shells = style('/assets/1.css');
  prepareFile(shells);
  expect(shells.integrity).toBeFalsy();
});

it('requests the scripts of a retried remote, and no others, under new URLs', () => {
  const hanging = document.head.appendChild(script('/remotes/b/1/chunk.js'));
  markRetry('/remotes/b/1/remoteEntry.js', 2);
  expect(hanging.isConnected).toBe(false);
  const chunk = script('/remotes/b/1/chunk.js');
  prepareFile(chunk);
  expect(new URL(chunk.src).search).toBe('?r=2');
  const other = script('/remotes/c/1/chunk.js');
  prepareFile(other);
  expect(new URL(other.src).search).toBe('');
});

it('requests the scripts of a remote elsewhere under new URLs when it is retried', () => {
  markRetry('https://cdn.example/remotes/b/1/remoteEntry.js', 3);
  const chunk = script('https://cdn.example/remotes/b/1/chunk.js');
  prepareFile(chunk);
  expect(chunk.src).toBe('https://cdn.example/remotes/b/1/chunk.js?r=3');
});
