/** Packages for a repository of remotes: @pool/shared, @pool/build (the commands), @pool/testing (jest's settings). */
import { cpSync, mkdirSync, readdirSync, readFileSync, statSync, writeFileSync } from 'node:fs';
import path from 'node:path';

type Json = { version: string } & Partial<Record<'dependencies' | 'devDependencies', Record<string, string>>>;

/** Files of the server's that the commands use: how pointers are moved, and versions signed. */
const SERVER_FILES = ['manifest', 'own-file', 'pointers', 'release', 'surface'].map(
  (name) => `api/src/remotes/${name}.ts`,
);
const TYPES = ['css.d.ts', 'fs-native-extensions.d.ts'];
/** Commands of this tree alone, and tests. */
const NOT_OF_A_TEAM =
  /(^|\/)(bench|compose|test|nothing)\/|\.test\.ts$|^surface\/[dj]|^(admin|backup|compose-check|farm|interop|interop-upstream|keep-release|lint|mutate|packages|restore|settings|surface)\.ts$/;

/** Packages that the commands, and jest's settings, need without naming them. */
const WITH_BUILD = [
  ...['react-refresh', '@types/node', 'typescript', 'tsx', 'lodash-es', 'css-loader', 'swc-loader'],
  ...['oxfmt', 'oxlint', 'oxlint-tsgolint'],
];
const WITH_TESTING = [
  ...['jest', '@types/jest', 'jest-environment-jsdom', '@swc/core'],
  ...['@testing-library/react', '@testing-library/dom', '@testing-library/user-event'],
];

const readJson = (file: string): Json => JSON.parse(readFileSync(file, 'utf8')) as Json;

function copy(from: string, to: string, without: RegExp = /\.test\.tsx?$/): void {
  for (const name of readdirSync(from, { recursive: true, encoding: 'utf8' })) {
    if (without.test(name) || /(^|\/)(node_modules|dist)\//.test(name) || !statSync(path.join(from, name)).isFile())
      continue;
    mkdirSync(path.dirname(path.join(to, name)), { recursive: true });
    cpSync(path.join(from, name), path.join(to, name));
  }
}

function packagesIn(folder: string): Set<string> {
  const names = readdirSync(folder, { recursive: true, encoding: 'utf8' }).filter((name) =>
    /\.(ts|[cm]js)$/.test(name),
  );
  const code = names.map((name) => readFileSync(path.join(folder, name), 'utf8')).join('\n');
  const found = code.matchAll(
    /(?:\bfrom|\bimport|\bimport\(|\brequire\(|\brequire\.resolve\()\s*'(@[\w.-]+\/[\w.-]+|[\w][\w.-]*)/g,
  );
  return new Set([...found].map(([, name = '']) => name));
}

/** Writes the packages into `<to>/shared`, `build` and `testing`. `root`: of this tree. */
export function writePackages(root: string, to: string): void {
  const shared = readJson(path.join(root, 'shared/package.json'));
  const known: Record<string, string> = {
    ...readJson(path.join(root, 'api/package.json')).dependencies,
    ...shared.dependencies,
    ...readJson(path.join(root, 'package.json')).devDependencies,
    ...readJson(path.join(root, 'scripts/package.json')).devDependencies,
    // What the testing library asks its users for: npm alone installs it unasked.
    '@testing-library/dom': readJson(path.join(root, 'node_modules/@testing-library/dom/package.json')).version,
  };
  const describe = (name: string, besides: readonly string[], more: object): void => {
    const folder = path.join(to, name);
    // What shared brings is installed in its version; shared itself is in no registry. Of the testing library there are
    // only names in the test that new-remote writes.
    const isBrought = (each: string) => shared.dependencies?.[each] !== undefined || each === '@pool/shared';
    const isWritten = (each: string) => name === 'build' && each.startsWith('@testing-library/');
    const found = [...packagesIn(folder)].filter((each) => !isBrought(each) && !isWritten(each));
    const used = [...found, ...besides].filter((each) => known[each]).sort();
    const dependencies = Object.fromEntries(used.map((each) => [each, known[each]]));
    // Of the repository, which has it as a file: no registry does.
    const peerDependencies = { '@pool/shared': shared.version };
    const json = { name: `@pool/${name}`, version: shared.version, ...more, dependencies, peerDependencies };
    writeFileSync(path.join(folder, 'package.json'), `${JSON.stringify(json, null, 2)}\n`);
  };

  copy(path.join(root, 'shared'), path.join(to, 'shared'));
  const { private: _, devDependencies: types, ...rest } = shared as Json & { private?: boolean };
  const open = { ...rest, dependencies: { ...rest.dependencies, ...types } };
  writeFileSync(path.join(to, 'shared/package.json'), `${JSON.stringify(open, null, 2)}\n`);

  copy(path.join(root, 'scripts'), path.join(to, 'build'), NOT_OF_A_TEAM);
  for (const file of SERVER_FILES) {
    mkdirSync(path.join(to, 'build/server'), { recursive: true });
    cpSync(path.join(root, file), path.join(to, 'build/server', path.basename(file)));
  }
  for (const file of [...TYPES.map((name) => `types/${name}`), 'tsconfig.json', 'oxlint.config.mjs', '.oxfmtrc.json']) {
    mkdirSync(path.join(to, 'build/types'), { recursive: true });
    cpSync(path.join(root, file), path.join(to, 'build', file));
  }
  // These files are the server's in this tree.
  for (const name of readdirSync(path.join(to, 'build'), { recursive: true, encoding: 'utf8' })) {
    const file = path.join(to, 'build', name);
    if (!name.endsWith('.ts')) continue;
    const text = readFileSync(file, 'utf8');
    const up = '../'.repeat(name.split('/').length - 1) || './';
    writeFileSync(file, text.replaceAll(/(?:\.\.\/)+api\/src\/remotes\//g, `${up}server/`));
  }
  describe('build', WITH_BUILD, { bin: { pool: 'pool.mjs' } });

  copy(path.join(root, 'types'), path.join(to, 'testing'), /\.d\.ts$/);
  describe('testing', WITH_TESTING, { main: 'jest.cjs' });
}
