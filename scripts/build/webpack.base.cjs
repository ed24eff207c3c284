/**
 * The only bundler and federation config: `pool(name)` for the shell, the landing page and every remote. What is
 * shared, and why: docs/adr (sharing).
 */
const { createHash } = require('node:crypto');
const fs = require('node:fs');
const { createRequire } = require('node:module');
const path = require('node:path');

// Else each of its plugins runs webpack with wrong options to find where it is: a second of every build.
process.env.FEDERATION_WEBPACK_PATH ??= require.resolve('webpack');
const { ProvideSharedPlugin } = require('@module-federation/enhanced');
const { ModuleFederationPlugin } = require('@module-federation/enhanced/webpack');
const MiniCssExtractPlugin = require('mini-css-extract-plugin');
const Minimizer = require('minimizer-webpack-plugin');
const ReactRefreshPlugin = require('@pmmmwh/react-refresh-webpack-plugin');
const { BannerPlugin, Compilation, DefinePlugin, HotModuleReplacementPlugin } = require('webpack');
const { assignDeterministicIds, getUsedChunkIds, getUsedModuleIdsAndModules } = require('webpack/lib/ids/IdHelpers');
const { compareChunksNatural, compareModulesByPreOrderIndexOrIdentifier } = require('webpack/lib/util/comparators');

/** The commands: this tree's, or those of the package @pool/build, which is beside @pool/shared. */
const COMMANDS = path.dirname(__dirname);
const SHARED = path.resolve(COMMANDS, '../shared');
/** Same as in files.ts. */
const ROOT = COMMANDS.includes(`${path.sep}node_modules${path.sep}`) ? process.cwd() : path.dirname(COMMANDS);

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

/**
 * UI parts besides core: also singletons, but fetched by the first page that needs one (shell/src/remotes/ui-parts.ts).
 */
const lazyParts = () =>
  fs
    .readdirSync(path.join(SHARED, 'src/ui'), { withFileTypes: true })
    .filter(
      (entry) =>
        entry.isDirectory() &&
        entry.name !== 'core' &&
        fs.existsSync(path.join(SHARED, 'src/ui', entry.name, 'index.ts')),
    )
    .map((entry) => `@pool/shared/ui/${entry.name}`);

const singleton = (version, from = version) => ({
  singleton: true,
  strictVersion: true,
  version,
  requiredVersion: `^${from}`,
});
/**
 * The major of a package that is not ours counts, as in the surface that publishing compares (`react 19`): a team may
 * have installed a newer patch than the shell that is deployed.
 */
const coreParts = () =>
  Object.entries(CORE).map(([name, version]) => [
    name,
    singleton(version, name.startsWith('@pool/') ? version : `${version.split('.')[0]}.0.0`),
  ]);

/**
 * One copy of every shared package: the shell provides, remotes only consume. A remote that needs a newer one is
 * refused. The shell imports its core directly (`coreProvider`).
 */
function sharing(isShell) {
  const lazy = lazyParts().map((name) => [name, singleton(shared.version)]);
  if (isShell) return Object.fromEntries(lazy);
  return Object.fromEntries([...coreParts(), ...lazy].map(([name, config]) => [name, { ...config, import: false }]));
}

/**
 * Offers the core to remotes. The shell itself has no other copy to choose from: asking the federation runtime for each
 * package would only cost time at the start.
 */
const coreProvider = () =>
  new ProvideSharedPlugin({
    shareScope: 'default',
    provides: Object.fromEntries(
      coreParts().map(([name, config]) => [name, { ...config, shareKey: name, shareScope: 'default', eager: true }]),
    ),
  });

/**
 * Lets the shell prepare each lazily loaded script and stylesheet before it is fetched (shell/src/remotes/integrity.ts).
 */
class FileHookPlugin {
  apply(compiler) {
    const { LoadScriptRuntimeModule } = compiler.webpack.runtime ?? {};
    const Hooked = LoadScriptRuntimeModule ?? require('webpack/lib/runtime/LoadScriptRuntimeModule');
    const prepare = (code, tag) => `${code}\nif (globalThis.poolFile) globalThis.poolFile(${tag});`;
    compiler.hooks.compilation.tap('FileHook', (compilation) => {
      Hooked.getCompilationHooks(compilation).createScript.tap('FileHook', (code) => prepare(code, 'script'));
      MiniCssExtractPlugin.getCompilationHooks(compilation).beforeTagInsert.tap('FileHook', (code, { tag }) =>
        prepare(code, tag),
      );
    });
  }
}

/** Identifier of a module without the folders of this checkout and of the packages. */
const nameOf = (module) =>
  (module.rootModule ?? module)
    .identifier()
    .replace(/[^|!" ]*\/node_modules\//g, 'node_modules/')
    // Its hash is one of the packages' folder.
    .replace(/\.federation\/entry\.\w+\.js/, '.federation/entry.js')
    .replaceAll(ROOT, '');

/**
 * webpack's deterministic ids, but the same ones in every folder: a build of the same sources is the same version of a
 * remote, whoever makes it.
 */
class SameIdsPlugin {
  apply(compiler) {
    compiler.hooks.compilation.tap('SameIds', (compilation) => {
      const { chunkGraph, moduleGraph } = compilation;
      /** Ids of three digits, or more where there are many items. */
      const assign = (items, name, compare, used, set) =>
        assignDeterministicIds(
          items,
          name,
          compare,
          (item, id) => {
            if (used.has(String(id))) return false;
            used.add(String(id));
            set(item, id);
            return true;
          },
          [1000],
          10,
          used.size,
        );
      compilation.hooks.moduleIds.tap('SameIds', () => {
        const [used, modules] = getUsedModuleIdsAndModules(compilation);
        const compare = compareModulesByPreOrderIndexOrIdentifier(moduleGraph);
        assign(modules, nameOf, compare, used, (module, id) => chunkGraph.setModuleId(module, id));
      });
      compilation.hooks.chunkIds.tap('SameIds', (chunks) => {
        const nameOfChunk = (chunk) =>
          chunk.name ?? Array.from(chunkGraph.getChunkRootModules(chunk), nameOf).sort().join();
        const free = [...chunks].filter((chunk) => chunk.id === null);
        assign(free, nameOfChunk, compareChunksNatural(chunkGraph), getUsedChunkIds(compilation), (chunk, id) =>
          Object.assign(chunk, { id, ids: [id] }),
        );
      });
    });
  }
}

/** Text as long as the hash that replaces it. */
const BUILD = 'poolBuildHash';

/**
 * One page may run two versions of a remote, one after the other. webpack passes chunks through a global array named
 * after the build: with a separate name, no version gets the chunks of another. The name ends with a hash of the build.
 */
class OwnChunksPlugin {
  apply(compiler) {
    const { Compilation, sources } = compiler.webpack;
    compiler.hooks.thisCompilation.tap('OwnChunks', (compilation) => {
      // This stage is after minimizing and before the names get their content hash.
      const stage = Compilation.PROCESS_ASSETS_STAGE_OPTIMIZE_INLINE;
      compilation.hooks.processAssets.tap({ name: 'OwnChunks', stage }, (assets) => {
        const scripts = Object.keys(assets)
          .filter((name) => name.endsWith('.js'))
          .sort();
        const hash = createHash('sha256');
        for (const name of scripts) hash.update(assets[name].source());
        const build = hash.digest('hex').slice(0, BUILD.length);
        for (const name of scripts)
          compilation.updateAsset(name, (old) => new sources.RawSource(old.source().replaceAll(BUILD, build)));
      });
    });
  }
}

/**
 * Scripts that run at once as a whole. V8 compiles their functions on another thread while they download, instead of
 * one by one on the main thread when they are called first.
 */
const compileHint = () =>
  new BannerPlugin({
    banner: '//# allFunctionsCalledOnLoad',
    raw: true,
    test: /^(shell|shell-vendor|landing|landing-vendor|remoteEntry|__federation_expose_app)\..*\.js$/,
    // The minimizer removes comments.
    stage: Compilation.PROCESS_ASSETS_STAGE_OPTIMIZE_INLINE,
  });

/**
 * Names of `npm run dev` stay the same from build to build: an open page gets hot updates, and loads the newest of a
 * file that it has not loaded yet.
 */
const fileName = (name, dev) => `${name}${dev ? '' : '.[contenthash:8]'}.js`;

/** Code of `npm run dev` in the page. */
const IN_THE_PAGE = path.join(COMMANDS, 'dev/page');

function federation(name, dev, against) {
  const isShell = name === 'shell';
  return new ModuleFederationPlugin({
    // A global variable, so no dashes (shell/src/remotes/federation.ts).
    name: `pool_${name.replace('mfe-', '').replaceAll('-', '_')}`,
    shared: sharing(isShell),
    // With version-first, one lazy shared import would download the entry of every registered remote.
    shareStrategy: 'loaded-first',
    dts: false,
    manifest: !isShell && !dev,
    ...(isShell
      ? // Remotes are loaded by the URL of their entry, so the runtime's support for federation manifests is left out.
        { experiments: { provideExternalRuntime: true, optimization: { disableSnapshot: true, target: 'web' } } }
      : {
          filename: fileName('remoteEntry', dev),
          exposes: { './app': dev ? path.join(IN_THE_PAGE, against ? 'against.ts' : 'remote.ts') : './src/app.ts' },
          experiments: { externalRuntime: true, optimization: { disableSnapshot: true, target: 'web' } },
        }),
  });
}

/** The router's files without its warnings: its `exports` give every bundler those for development. */
const ROUTER = Object.fromEntries(
  Object.entries({ 'react-router$': 'index.mjs', 'react-router/dom$': 'dom-export.mjs' }).map(([name, file]) => [
    name,
    path.join(path.dirname(require.resolve('react-router/package.json')), 'dist/production', file),
  ]),
);

const ENTRIES = {
  shell: './src/main.ts',
  landing: './src/landing/main.tsx',
  'service-worker': './src/service-worker/worker.ts',
};

/**
 * Webpack config of one unit: `shell`, `landing` (a page of the shell without federation and antd), `service-worker`
 * (one script) or `mfe-*`. `against`: for a deployed shell, whose React is the one of production. `version`: changes with
 * what every unit depends on, and then nothing is taken from the cache.
 */
exports.pool = function pool(name, { dev = false, against = false, version }) {
  const refresh = dev && !against;
  const entry = ENTRIES[name];
  const folder = path.join(ROOT, entry ? 'shell' : name);
  const isWorker = name === 'service-worker';
  return {
    name,
    mode: dev ? 'development' : 'production',
    devtool: dev ? 'cheap-module-source-map' : false,
    target: [isWorker ? 'webworker' : 'web', 'es2022'],
    context: folder,
    entry: entry ? { [name]: dev ? [path.join(IN_THE_PAGE, 'shell.ts'), entry] : entry } : {},
    output: {
      path: path.join(folder, 'dist', entry ? name : ''),
      clean: !dev,
      uniqueName: `pool_${name.replace('mfe-', '')}${entry || dev ? '' : `_${BUILD}`}`,
      publicPath: 'auto',
      filename: fileName('[name]', dev),
      chunkFilename: fileName('[name]', dev),
      hotUpdateMainFilename: 'hot/[runtime].[fullhash].json',
      hotUpdateChunkFilename: 'hot/[id].[fullhash].js',
      assetModuleFilename: '[name].[contenthash:8][ext]',
      hashFunction: 'xxhash64',
      // A module that failed because a shared part could not be fetched runs again at the next try. A remote is loaded
      // anew then.
      strictModuleExceptionHandling: Boolean(entry),
    },
    resolve: {
      extensions: ['.tsx', '.ts', '.mjs', '.js', '.json'],
      // The chart library's image export and a second copy of lodash would cost 48 KB, CASL's conditions 3 KB.
      alias: {
        ...(!dev && ROUTER),
        '@ucast/mongo2js$': path.join(__dirname, 'no-conditions.cjs'),
        html2canvas$: false,
        lodash$: require.resolve('lodash-es'),
        'pool-remote$': path.join(folder, 'src/app.ts'),
      },
    },
    module: {
      rules: [
        {
          // One copy of its runtime, although one of its plugins requires it as CommonJS.
          test: /node_modules\/@module-federation\//,
          resolve: { conditionNames: ['webpack', 'import', 'browser', 'module', '...'] },
        },
        {
          test: /\.[jt]sx?$/,
          exclude: /node_modules\/(?!@pool\/)/,
          loader: require.resolve('swc-loader'),
          options: {
            jsc: {
              parser: { syntax: 'typescript', tsx: true },
              transform: { react: { runtime: 'automatic', development: refresh, refresh } },
              target: 'es2022',
            },
          },
        },
        {
          test: /@rc-component\/util\/es\/Dom\/dynamicCSS\.js$/,
          loader: require.resolve('../../shared/style-nonce-loader.cjs'),
        },
        {
          test: /node_modules\/(@rc-component|@ant-design\/(cssinjs|cssinjs-utils|icons|colors|fast-color))\//,
          sideEffects: false,
        },
        {
          // It requires React from a module, which the browser refuses with an error whose stack costs 0.1 s at CPU x4
          // while the browser is inspected (Lighthouse does).
          test: /node_modules\/single-spa-react\//,
          type: 'javascript/auto',
        },
        {
          test: /\.css$/,
          sideEffects: true,
          use: [
            MiniCssExtractPlugin.loader,
            {
              loader: require.resolve('css-loader'),
              options: {
                modules: {
                  // The page belongs to all remotes: each selector of one names a class of its own.
                  ...(entry
                    ? { auto: true }
                    : {
                        auto: (file) => file.startsWith(folder + path.sep) || /\.module\.css$/.test(file),
                        mode: 'pure',
                      }),
                  localIdentName: dev ? '[name]-[local]' : '[hash:base64:6]',
                  namedExport: false,
                  exportLocalsConvention: 'as-is',
                },
              },
            },
          ],
        },
        { test: /\.(png|svg)$/, type: 'asset/resource' },
      ],
    },
    plugins: [
      new MiniCssExtractPlugin({
        filename: dev ? '[name].css' : '[name].[contenthash:8].css',
        chunkFilename: dev ? '[name].css' : '[name].[contenthash:8].css',
        ignoreOrder: true,
      }),
      new FileHookPlugin(),
      new SameIdsPlugin(),
      compileHint(),
      ...(entry || dev ? [] : [new OwnChunksPlugin()]),
      ...(dev
        ? [
            new HotModuleReplacementPlugin(),
            ...(refresh ? [new ReactRefreshPlugin({ overlay: false })] : []),
            // The names of chunks stay the same: an entry that is loaded anew takes none that an older one has loaded.
            new BannerPlugin({
              banner: `delete self.webpackChunkpool_${name.replace('mfe-', '').replaceAll('-', '_')};`,
              raw: true,
              test: /^remoteEntry\.js$/,
            }),
            new DefinePlugin({ POOL_UNIT: JSON.stringify(name) }),
          ]
        : []),
      ...(name === 'landing' || isWorker ? [] : [federation(name, dev, against)]),
      // It comes after the federation plugin, whose runtime it uses.
      ...(name === 'shell' ? [coreProvider()] : []),
    ],
    optimization: {
      minimizer: [
        new Minimizer({
          test: /\.(js|css)$/,
          extractComments: false,
          minify: [
            {
              implementation: Minimizer.swcMinify,
              options: { compress: { passes: 3, ecma: 2022 }, format: { comments: false, ecma: 2022 } },
            },
            { implementation: Minimizer.esbuildMinifyCss, options: { legalComments: 'none' } },
          ],
        }),
      ],
      // SameIdsPlugin.
      moduleIds: false,
      chunkIds: false,
      ...(entry &&
        !isWorker && {
          splitChunks: {
            cacheGroups: { vendor: { test: /[\\/]node_modules[\\/]/, name: `${name}-vendor`, chunks: 'initial' } },
          },
        }),
    },
    cache: {
      type: 'filesystem',
      cacheDirectory: path.join(ROOT, '.cache/webpack'),
      name: `${name}-${against ? 'against' : dev ? 'dev' : 'prod'}`,
      version,
      // `version` says which packages it is of. By default webpack looks for each of their files: a second of every build.
      buildDependencies: { defaultWebpack: [] },
      // While it writes, for seconds, nothing else is done: not between two edits.
      idleTimeoutAfterLargeChanges: 60_000,
    },
    performance: false,
    infrastructureLogging: { level: 'error' },
    stats: 'errors-warnings',
  };
};
