/** What `npm ci` installs: from whichever registry is asked, for the Node the tests run on. */
import { readFileSync } from 'node:fs';
import path from 'node:path';
import { satisfies } from 'semver';
import { dependencies, licenseTexts } from './build/dependencies';
import { readJson, ROOT } from './build/files';
import { writePackages } from './build/packages';
import { newFolder } from '../api/src/testing/folder';

type Package = {
  version?: string;
  dependencies?: Record<string, string>;
  optionalDependencies?: Record<string, string>;
  peerDependencies?: Record<string, string>;
  peerDependenciesMeta?: Record<string, { optional?: boolean }>;
  hasInstallScript?: boolean;
  link?: boolean;
  resolved?: string;
  engines?: { node?: string };
};
const { packages } = readJson<{ packages: Record<string, Package> }>(path.join(ROOT, 'package-lock.json'));
const { engines } = readJson<{ engines: { node: string } }>(path.join(ROOT, 'package.json'));

test('the lock file names no registry', () => {
  expect(Object.entries(packages).filter(([, { link, resolved }]) => resolved && !link)).toEqual([]);
});

test("a team's packages ask a registry for none of the pool's, which is in none, and for all that theirs need beside", () => {
  const folder = newFolder();
  writePackages(folder);
  for (const name of ['shared', 'build', 'testing']) {
    const { dependencies: asked = {} } = readJson<Package>(path.join(folder, name, 'package.json'));
    expect(Object.keys(asked).filter((each) => each.startsWith('@pool/'))).toEqual([]);
    // npm alone installs peers that nobody names.
    const peers = Object.keys(asked).flatMap((each) => {
      const { peerDependencies = {}, peerDependenciesMeta: about } = packages[`node_modules/${each}`] ?? {};
      return Object.keys(peerDependencies).filter((peer) => !about?.[peer]?.optional);
    });
    const { dependencies: ofShared } = readJson<Package>(path.join(folder, 'shared/package.json'));
    expect(peers.filter((peer) => !{ ...ofShared, ...asked }[peer])).toEqual([]);
  }
});

test('the lock file has every package that another one asks for, those of other platforms too', () => {
  // Node looks in the folder of the package, then in each one above it.
  const isLocked = (at: string, name: string): boolean =>
    packages[path.join(at, 'node_modules', name)] !== undefined || (at !== '.' && isLocked(path.dirname(at), name));
  const missing = Object.entries(packages).flatMap(([at, { dependencies: needed, optionalDependencies }]) =>
    Object.keys({ ...needed, ...optionalDependencies })
      .filter((name) => !isLocked(at, name))
      .map((name) => `${at} asks for ${name}`),
  );
  expect(missing).toEqual([]);
});

test('no package runs a script when it is installed, and those that have one are known', () => {
  expect(readFileSync(path.join(ROOT, '.npmrc'), 'utf8')).toMatch(/^ignore-scripts=true$/m);
  const withScript = Object.entries(packages).filter(([, { hasInstallScript }]) => hasInstallScript);
  // They look for a binary that is a package of its own, print a notice, or build what nothing uses.
  expect(withScript.map(([at]) => at.replace(/.*node_modules\//, ''))).toEqual([
    '@clerk/shared',
    '@parcel/watcher',
    '@swc/core',
    'browser-tabs-lock',
    'core-js-pure',
    'esbuild',
  ]);
});

test('packages of production have a licence that allows their use', () => {
  const all = dependencies();
  const allowed = /^(MIT|MIT-0|ISC|Apache-2\.0|0BSD|BSD-[23]-Clause|BlueOak-1\.0\.0|OFL-1\.1|MIT AND ISC)$/;
  const others = all.filter(({ license }) => !allowed.test(license));
  // The first one's package.json does not say it, its licence file does: MIT. The second's is MPL-2.0: used unchanged.
  expect(others.map(({ name }) => name)).toEqual(['@antv/g2-extension-plot', 'web-push']);
  expect(all.length).toBeGreaterThan(100);
  // The build puts their texts beside what is served.
  expect(licenseTexts(all)).toMatch(/web-push 3[^-]*Mozilla Public\s+License/);
});

test('packages that ask for a newer Node than the oldest supported one are known (CONTRIBUTING.md, Packages)', () => {
  const oldest = /\d+\.\d+\.\d+/.exec(engines.node)?.[0] ?? '';
  const asking = Object.entries(packages)
    .filter(([, { engines: wanted }]) => wanted?.node && !satisfies(oldest, wanted.node))
    .map(([at, { version }]) => `${at.replace(/.*node_modules\//, '')} ${version}`);
  expect(asking).toEqual(['content-disposition 3.0.0', 'cookie 2.0.2', 'i18next 27.1.2', 'react-i18next 18.0.1']);
});
