/** Packages shared by shell and remotes (docs/adr/0003-sharing.md): the shell provides one copy of each. */
const fs = require('node:fs');
const { createRequire } = require('node:module');
const path = require('node:path');

// The plugins find webpack by this; without it each runs webpack with wrong options, which costs a second of a build.
process.env.FEDERATION_WEBPACK_PATH ??= require.resolve('webpack');
const { ProvideSharedPlugin } = require('@module-federation/enhanced');
const { ModuleFederationPlugin } = require('@module-federation/enhanced/webpack');

/** Folder of @pool/shared, beside the commands: in this tree, and in the package @pool/build. */
const SHARED = path.resolve(__dirname, '../../shared');
const shared = require('../../shared/package.json');
const installedForShared = createRequire(path.join(SHARED, 'package.json'));
const versionOf = (name) => installedForShared(`${name}/package.json`).version;

/** Modules in the shell's first chunk, because every page needs them at once. */
const CORE = {
  react: versionOf('react'),
  'react/jsx-runtime': versionOf('react'),
  'react-dom': versionOf('react-dom'),
  'react-dom/client': versionOf('react-dom'),
  '@pool/shared': shared.version,
  '@pool/shared/remote': shared.version,
  '@pool/shared/router': shared.version,
  '@pool/shared/query': shared.version,
  '@pool/shared/i18n': shared.version,
  '@pool/shared/ui/core': shared.version,
};

/** UI parts besides core: singletons that the first page fetches which needs one (shell/src/remotes/ui-parts.ts). */
const lazyParts = () => [
  '@pool/shared/antd',
  ...fs
    .readdirSync(path.join(SHARED, 'src/ui'), { withFileTypes: true })
    .filter(
      (entry) =>
        entry.isDirectory() &&
        entry.name !== 'core' &&
        fs.existsSync(path.join(SHARED, 'src/ui', entry.name, 'index.ts')),
    )
    .map((entry) => `@pool/shared/ui/${entry.name}`),
];

const singleton = (version, from = version) => ({
  singleton: true,
  strictVersion: true,
  version,
  requiredVersion: `^${from}`,
});
/** A foreign package is compared by its major version: a team may have a newer patch than the deployed shell. */
const coreParts = () =>
  Object.entries(CORE).map(([name, version]) => [
    name,
    singleton(version, name.startsWith('@pool/') ? version : `${version.split('.')[0]}.0.0`),
  ]);

/** The shell provides, remotes only consume; one that needs a newer copy is refused. */
function sharing(isShell) {
  const lazy = lazyParts().map((name) => [name, singleton(shared.version)]);
  if (isShell) return Object.fromEntries(lazy);
  return Object.fromEntries([...coreParts(), ...lazy].map(([name, config]) => [name, { ...config, import: false }]));
}

/** Offers the core to remotes. The shell imports it directly: asking the runtime would cost time at the start. */
exports.coreProvider = () =>
  new ProvideSharedPlugin({
    shareScope: 'default',
    provides: Object.fromEntries(
      coreParts().map(([name, config]) => [name, { ...config, shareKey: name, shareScope: 'default', eager: true }]),
    ),
  });

/** The federation of a unit; `filename` and `exposes`: of a remote's entry, and the modules behind it. */
exports.federation = (name, { filename, exposes, dev }) => {
  const isShell = name === 'shell';
  return new ModuleFederationPlugin({
    // A global variable, so no dashes (shell/src/remotes/federation.ts).
    name: `pool_${name.replace('mfe-', '').replaceAll('-', '_')}`,
    shared: sharing(isShell),
    // The strategy version-first would download the entry of every registered remote for one lazy shared import.
    shareStrategy: 'loaded-first',
    dts: false,
    manifest: !isShell && !dev,
    ...(isShell
      ? // Remotes are loaded by the URL of their entry, so the runtime's support for federation manifests is left out.
        { experiments: { provideExternalRuntime: true, optimization: { disableSnapshot: true, target: 'web' } } }
      : {
          filename,
          exposes,
          experiments: { externalRuntime: true, optimization: { disableSnapshot: true, target: 'web' } },
        }),
  });
};
