/** What the shell provides one copy of; `shared` is what a remote's federation says of it, whichever builder it has. */
const fs = require('node:fs');
const { createRequire } = require('node:module');
const path = require('node:path');

/** Folder of @pool/shared, beside the commands: in this tree, and in the package @pool/build. */
const SHARED = path.resolve(__dirname, '../../shared');
const { version: own } = require('../../shared/package.json');
const installedForShared = createRequire(path.join(SHARED, 'package.json'));

const singleton = (version, from = version) => ({
  singleton: true,
  strictVersion: true,
  version,
  requiredVersion: `^${from}`,
});
/** A foreign package is compared by its major version: a team may have a newer patch than the deployed shell. */
function foreign(name) {
  const { version } = installedForShared(`${name}/package.json`);
  return singleton(version, `${version.split('.')[0]}.0.0`);
}

/** Modules in the shell's first chunk, because every page needs them at once. */
const core = {
  react: foreign('react'),
  'react/jsx-runtime': foreign('react'),
  'react-dom': foreign('react-dom'),
  'react-dom/client': foreign('react-dom'),
  '@pool/shared': singleton(own),
  '@pool/shared/remote': singleton(own),
  '@pool/shared/router': singleton(own),
  '@pool/shared/query': singleton(own),
  '@pool/shared/i18n': singleton(own),
  '@pool/shared/ui/core': singleton(own),
};

const uiParts = fs
  .readdirSync(path.join(SHARED, 'src/ui'))
  .filter((name) => name !== 'core' && fs.existsSync(path.join(SHARED, 'src/ui', name, 'index.ts')))
  .map((name) => `@pool/shared/ui/${name}`);
/** UI parts besides core: singletons that the first page fetches which needs one (shell/src/remotes/ui-parts.ts). */
const lazy = Object.fromEntries(['@pool/shared/antd', ...uiParts].map((name) => [name, singleton(own)]));

/** The shell provides, remotes only consume; one that needs a newer copy is refused. */
const shared = Object.fromEntries(
  Object.entries({ ...core, ...lazy }).map(([name, config]) => [name, { ...config, import: false }]),
);

module.exports = { core, lazy, shared };
