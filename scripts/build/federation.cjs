/** The federation of shell and remotes (docs/adr/0003-sharing.md). */
// The plugins find webpack by this; without it each runs webpack with wrong options, which costs a second of a build.
process.env.FEDERATION_WEBPACK_PATH ??= require.resolve('webpack');
const { ProvideSharedPlugin } = require('@module-federation/enhanced');
const { ModuleFederationPlugin } = require('@module-federation/enhanced/webpack');
const { core, lazy, shared } = require('./sharing.cjs');

/** Offers the core to remotes. The shell imports it directly: asking the runtime would cost time at the start. */
exports.coreProvider = () =>
  new ProvideSharedPlugin({
    shareScope: 'default',
    provides: Object.fromEntries(
      Object.entries(core).map(([name, config]) => [
        name,
        { ...config, shareKey: name, shareScope: 'default', eager: true },
      ]),
    ),
  });

/** The federation of a unit; `filename` and `exposes`: of a remote's entry, and the modules behind it. */
exports.federation = (name, { filename, exposes, dev }) => {
  const isShell = name === 'shell';
  return new ModuleFederationPlugin({
    // A global variable, so no dashes (shell/src/remotes/federation.ts).
    name: `pool_${name.replace('mfe-', '').replaceAll('-', '_')}`,
    shared: isShell ? lazy : shared,
    // The strategy version-first would download the entry of every registered remote for one lazy shared import.
    shareStrategy: 'loaded-first',
    dts: false,
    manifest: !isShell && !dev,
    ...(!isShell && { filename, exposes }),
    experiments: {
      ...(isShell ? { provideExternalRuntime: true } : { externalRuntime: true }),
      // Remotes are loaded by the URL of their entry, so the runtime's support for federation manifests is left out.
      optimization: { disableSnapshot: true, target: 'web' },
    },
  });
};
