/** Packages for a repository of remotes: @pool/shared, @pool/build (the commands), @pool/testing (jest's settings). */
import { cpSync } from 'node:fs';
import path from 'node:path';
import { readJson, ROOT, sourcesIn, writeFileWhole, writeJson } from './files';

type Json = { version: string } & Partial<Record<'dependencies' | 'devDependencies', Record<string, string>>>;

/** Files of the server's that the commands use: how pointers are moved, and versions signed. */
const SERVER_FILES = ['manifest', 'own-file', 'pointers', 'release', 'surface'];
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

/** Copies a folder, without what is installed or built there. */
const copy = (from: string, to: string, without = /\.test\.tsx?$/): void =>
  cpSync(path.join(ROOT, from), to, {
    recursive: true,
    filter: (file) =>
      !/[\\/](node_modules|dist)$/.test(file) && !without.test(path.relative(path.join(ROOT, from), file)),
  });

/** Packages that the files of a folder import. */
function packagesIn(folder: string): string[] {
  const imports = /(?:\bfrom|\bimport|\bimport\(|\brequire\(|\brequire\.resolve\()\s*'(@[\w.-]+\/[\w.-]+|[\w][\w.-]*)/g;
  const found = sourcesIn(folder, /\.(ts|[cm]js)$/).flatMap(({ code }) => [...code.matchAll(imports)]);
  return [...new Set(found.map(([, name = '']) => name))];
}

/** Writes the packages into `<to>/shared`, `build` and `testing`. */
export function writePackages(to: string): void {
  const read = (file: string): Json => readJson(path.join(ROOT, file));
  const shared = read('shared/package.json');
  const known: Record<string, string> = {
    ...read('api/package.json').dependencies,
    ...shared.dependencies,
    ...read('package.json').devDependencies,
    ...read('scripts/package.json').devDependencies,
    // What the testing library asks its users for: npm alone installs it unasked.
    '@testing-library/dom': read('node_modules/@testing-library/dom/package.json').version,
  };
  const describe = (name: string, besides: readonly string[], more: object): void => {
    const folder = path.join(to, name);
    // What shared brings is installed in its version; shared itself is in no registry. Of the testing library there are
    // only names in the test that new-remote writes.
    const isBrought = (each: string) => shared.dependencies?.[each] !== undefined || each === '@pool/shared';
    const isWritten = (each: string) => name === 'build' && each.startsWith('@testing-library/');
    const found = packagesIn(folder).filter((each) => !isBrought(each) && !isWritten(each));
    const used = [...found, ...besides].filter((each) => known[each]).sort();
    const dependencies = Object.fromEntries(used.map((each) => [each, known[each]]));
    // Of the repository, which has it as a file: no registry does.
    const peerDependencies = { '@pool/shared': shared.version };
    const json = { name: `@pool/${name}`, version: shared.version, ...more, dependencies, peerDependencies };
    writeJson(path.join(folder, 'package.json'), json);
  };

  copy('shared', path.join(to, 'shared'));
  const { private: _, devDependencies: types, ...rest } = shared as Json & { private?: boolean };
  const open = { ...rest, dependencies: { ...rest.dependencies, ...types } };
  writeJson(path.join(to, 'shared/package.json'), open);

  copy('scripts', path.join(to, 'build'), NOT_OF_A_TEAM);
  const served = SERVER_FILES.map((name) => [`api/src/remotes/${name}.ts`, `server/${name}.ts`]);
  const others = [...TYPES.map((name) => `types/${name}`), 'tsconfig.json', 'oxlint.config.mjs', '.oxfmtrc.json'];
  for (const [from = '', at = from] of [...served, ...others.map((name) => [name])])
    cpSync(path.join(ROOT, from), path.join(to, 'build', at));
  // These files are the server's in this tree.
  for (const { file, code } of sourcesIn(path.join(to, 'build'), /\.ts$/)) {
    const up = '../'.repeat(file.split('/').length - 1) || './';
    writeFileWhole(path.join(to, 'build', file), code.replaceAll(/(?:\.\.\/)+api\/src\/remotes\//g, `${up}server/`));
  }
  describe('build', WITH_BUILD, { bin: { pool: 'pool.mjs' } });

  copy('types', path.join(to, 'testing'), /\.d\.ts$/);
  describe('testing', WITH_TESTING, { main: 'jest.cjs' });
}
