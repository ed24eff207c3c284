/** What `npm install` brings: from whichever registry is asked, for the Node the tests run on. */
import path from 'node:path';
import { satisfies } from 'semver';
import { readJson, ROOT } from './build/files';

type Package = { version?: string; link?: boolean; resolved?: string; engines?: { node?: string } };
const { packages } = readJson<{ packages: Record<string, Package> }>(path.join(ROOT, 'package-lock.json'));
const { engines } = readJson<{ engines: { node: string } }>(path.join(ROOT, 'package.json'));

test('the lock file names no registry', () => {
  expect(Object.entries(packages).filter(([, { link, resolved }]) => resolved && !link)).toEqual([]);
});

test('the tests run on a Node that the product says it supports', () => {
  expect(satisfies(process.version, engines.node)).toBe(true);
});

test('packages that ask for a newer Node than the oldest supported one are known (CONTRIBUTING.md, Packages)', () => {
  const oldest = /\d+\.\d+\.\d+/.exec(engines.node)?.[0] ?? '';
  const asking = Object.entries(packages)
    .filter(([, { engines: wanted }]) => wanted?.node && !satisfies(oldest, wanted.node))
    .map(([at, { version }]) => `${at.replace(/.*node_modules\//, '')} ${version}`);
  expect(asking).toEqual(['content-disposition 3.0.0', 'cookie 2.0.2', 'i18next 27.1.2', 'react-i18next 18.0.1']);
});
