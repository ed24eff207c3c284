/** Manifests of builds; `e2e/specs/remotes/builders.spec.ts` makes real ones (HEAVY=1). */
import { rmSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import type { RemoteSource } from '../../shared/src/contract';
import { readBuild } from './built';
import { withOwnChunks } from './pack';
import { newFolder } from '../../api/src/testing/folder';

const folder = newFolder();

const REFERRAL: RemoteSource = {
  name: 'referral',
  contract: 1,
  basePath: '/referral',
  nav: [],
  slots: [{ place: 'dashboard', part: 'card', label: 'referral.card' }],
};
const part = (name: string) => ({
  path: name,
  assets: { js: { sync: ['app.js'], async: ['later.js'] }, css: { sync: ['app.css'], async: [] } },
});
const META = {
  globalName: 'pool_referral',
  publicPath: 'auto',
  remoteEntry: { name: 'remoteEntry.js', path: '', type: 'global' },
};
const GOOD = {
  metaData: META,
  shared: [{ name: 'react' }, { name: '@pool/shared/ui/table' }],
  exposes: [part('./app'), part('./slots/card')],
};

function read(manifest: object, code = ''): ReturnType<typeof readBuild> {
  writeFileSync(path.join(folder, 'mf-manifest.json'), JSON.stringify(manifest));
  writeFileSync(path.join(folder, 'app.js'), code);
  return readBuild(REFERRAL, folder);
}

it('a build says what its first page needs, and what it takes from the shell', () => {
  const { entry, preload, provided, made } = read(
    GOOD,
    '"__CLIENT_INTERNALS_DO_NOT_USE_OR_WARN_USERS_THEY_CANNOT_UPGRADE"',
  );
  expect(entry).toBe('remoteEntry.js');
  expect(made).toBeUndefined();
  expect(preload).toEqual(['app.css', 'app.js']);
  expect(provided).toEqual(['react', '@pool/shared/ui/table']);
});

it('a build of modules gets an entry that the shell can run, and nothing of it is asked for twice', () => {
  const { entry, preload, made } = read({
    ...GOOD,
    metaData: { ...META, remoteEntry: { name: 'remoteEntry.js', path: 'assets/', type: 'module' } },
  });
  expect(entry).toBe('pool-entry.js');
  expect(made).toMatch(/^var pool_referral = [^]*'assets\/remoteEntry\.js'/);
  expect(preload).toEqual([]);
});

const OWN_REACT = 'e.__CLIENT_INTERNALS_DO_NOT_USE_OR_WARN_USERS_THEY_CANNOT_UPGRADE=t';
test.each<[what: string, manifest: object, message: string, code: string]>([
  ['another name', { ...GOOD, metaData: { ...META, globalName: 'app' } }, "is called 'app', not 'pool_referral'", ''],
  ['an address of its own', { ...GOOD, metaData: { ...META, publicPath: '/' } }, "its files are asked for at '/'", ''],
  ['no part for its slot', { ...GOOD, exposes: [part('./app')] }, 'nothing is exposed as ./slots/card', ''],
  ['what the shell has not', { ...GOOD, shared: [{ name: 'lodash' }] }, 'the shell does not share lodash', ''],
  ['a React of its own', GOOD, 'it has a React of its own', OWN_REACT],
  ['another manifest', { name: 'power' }, 'metaData: ', ''],
])('a build with %s is refused', (_, manifest, message, code) => {
  expect(() => read(manifest, code)).toThrow(message);
});

it('a folder that no federation has written is refused', () => {
  rmSync(path.join(folder, 'mf-manifest.json'));
  expect(() => readBuild(REFERRAL, folder)).toThrow('is not there: the federation');
});

it.each(['webpackChunk', 'rspackChunk'])('the scripts of a build find each other by %s and its version', (kind) => {
  const scripts = new Map([
    ['entry.js', `let key="pool_power:"+id;(self.${kind}pool_power=self.${kind}pool_power||[]).push=run`],
    ['later.js', `(self["${kind}pool_power"]=self["${kind}pool_power"]||[]).push([[1],{}])`],
  ]);
  expect([...withOwnChunks(scripts, 'pool_1a2b').values()]).toEqual([
    `let key="pool_1a2b:"+id;(self.${kind}pool_1a2b=self.${kind}pool_1a2b||[]).push=run`,
    `(self["${kind}pool_1a2b"]=self["${kind}pool_1a2b"]||[]).push([[1],{}])`,
  ]);
});
