/** The only bundler config: `pool(name)` for the shell, the landing page and every remote. */
const fs = require('node:fs');
const path = require('node:path');
const MiniCssExtractPlugin = require('mini-css-extract-plugin');
const Minimizer = require('minimizer-webpack-plugin');
const { BannerPlugin, Compilation, DefinePlugin, NormalModuleReplacementPlugin } = require('webpack');
const { coreProvider, federation } = require('./federation.cjs');
const { COMMANDS, ROOT } = require('./files.ts');
const { AntdPlugin, FileHookPlugin, SameIdsPlugin } = require('./plugins.cjs');

/** V8 compiles the functions of these scripts on another thread while they download, not one by one when called. */
const compileHint = () =>
  new BannerPlugin({
    banner: '//# allFunctionsCalledOnLoad',
    raw: true,
    test: /^(shell|shell-vendor|landing|landing-vendor|remoteEntry|__federation_expose_app)\..*\.js$/,
    // The minimizer removes comments.
    stage: Compilation.PROCESS_ASSETS_STAGE_OPTIMIZE_INLINE,
  });

/** Names in `npm run dev` stay the same, so that an open page gets hot updates. */
const fileName = (name, dev) => `${name}${dev ? '' : '.[contenthash:8]'}.js`;

/** Code of `npm run dev` in the page. */
const IN_THE_PAGE = path.join(COMMANDS, 'dev/page');

/** Client that takes hot updates in the page. Only `npm run dev` has it: for a build it need not be installed. */
const hotClient = (name) =>
  `${require.resolve('webpack-dev-middleware/client')}?path=/__dev/events&name=${name}&overlay=false&progress=false&logging=none`;

/** A file of the router without its warnings: its `exports` give every bundler those for development. */
const router = (file) => path.join(path.dirname(require.resolve('react-router/package.json')), 'dist/production', file);

/** Modules of the federation runtime that nothing here uses, and what is built in their place. */
const MANIFESTS = /^\.\.?\/(plugins\/snapshot\/SnapshotHandler|utils\/preload)\.js$/;
const NO_MANIFESTS = require.resolve('./no-manifests.mjs');

/** What a remote exposes: its pages, and the parts it brings to pages of the pool. */
function exposedBy(folder, app) {
  const { slots = [] } = JSON.parse(fs.readFileSync(path.join(folder, 'remote.json'), 'utf8'));
  return {
    './app': app,
    ...Object.fromEntries(slots.map(({ part }) => [`./slots/${part}`, `./src/slots/${part}`])),
  };
}

const ENTRIES = {
  shell: './src/main.ts',
  landing: './src/landing/main.tsx',
  'service-worker': './src/service-worker/worker.ts',
};

/**
 * Webpack config of one unit: `shell`, `landing` (a page of the shell without federation and antd), `service-worker`
 * (one script) or `mfe-*`. `against`: for a deployed shell, whose React is the one of production. `once`: without a
 * cache. `version`: changes with what every unit depends on, and then nothing is taken from the cache.
 */
exports.pool = function pool(name, { dev = false, against = false, once = false, version, values = {} }) {
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
      uniqueName: `pool_${name.replace('mfe-', '')}`,
      publicPath: dev ? `/__dev/${name}/` : 'auto',
      filename: fileName('[name]', dev),
      hotUpdateMainFilename: 'hot/[runtime].[fullhash].json',
      hotUpdateChunkFilename: 'hot/[id].[fullhash].js',
      assetModuleFilename: '[name].[contenthash:8][ext]',
      hashFunction: 'xxhash64',
      // A module that failed because a shared part could not be fetched runs again at the next try. A remote is loaded
      // anew then.
      strictModuleExceptionHandling: Boolean(entry),
    },
    resolve: {
      extensions: ['.tsx', '.ts', '.mjs', '.js', '.jsx', '.json'],
      // The chart library's image export and a second copy of lodash would cost 48 KB, CASL's conditions 3 KB.
      alias: {
        ...(!dev && { 'react-router$': router('index.mjs'), 'react-router/dom$': router('dom-export.mjs') }),
        '@ucast/mongo2js$': path.join(__dirname, 'no-conditions.cjs'),
        html2canvas$: false,
        lodash$: require.resolve('lodash-es'),
        ...(dev && { 'pool-remote$': path.join(folder, 'src/app'), 'pool-hot$': hotClient(name) }),
      },
    },
    module: {
      rules: [
        {
          // One copy of its runtime, although one of its plugins requires it as CommonJS.
          test: /node_modules\/@module-federation\//,
          resolve: { conditionNames: ['webpack', 'import', 'browser', 'module', '...'] },
        },
        // npm says of new repositories that their files are CommonJS; federation writes modules there.
        { test: /[\\/]\.federation[\\/]/, type: 'javascript/auto' },
        {
          test: /\.[jt]sx?$/,
          exclude: /node_modules\/(?!@pool\/)/,
          // A remote's package has modules, and JavaScript names them without their endings too.
          resolve: { fullySpecified: false },
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
                  auto: (file) => /\.module\.css$/.test(file) || (!entry && file.startsWith(folder + path.sep)),
                  mode: entry ? 'local' : 'pure',
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
        ignoreOrder: true,
      }),
      new DefinePlugin(values),
      new FileHookPlugin(),
      new AntdPlugin(),
      new SameIdsPlugin(),
      compileHint(),
      ...(dev
        ? [
            // A build needs no such tool: it may not be installed.
            ...(refresh ? [new (require('@pmmmwh/react-refresh-webpack-plugin'))({ overlay: false })] : []),
            // The names of chunks stay the same: an entry that is loaded anew takes none that an older one has loaded.
            new BannerPlugin({
              banner: `delete self.webpackChunkpool_${name.replace('mfe-', '').replaceAll('-', '_')};`,
              raw: true,
              test: /^remoteEntry\.js$/,
            }),
          ]
        : []),
      ...(name === 'landing' || isWorker
        ? []
        : [
            federation(name, {
              dev,
              filename: fileName('remoteEntry', dev),
              exposes: entry ? undefined : exposedBy(folder, dev ? path.join(IN_THE_PAGE, 'remote.ts') : './src/app'),
            }),
          ]),
      // It comes after the federation plugin, whose runtime it uses.
      ...(name === 'shell' ? [coreProvider(), new NormalModuleReplacementPlugin(MANIFESTS, NO_MANIFESTS)] : []),
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
            // Chunks that load later, as by default; that of antd stays whole.
            chunks: (chunk) => !chunk.canBeInitial() && !AntdPlugin.isIn(chunk),
            cacheGroups: { vendor: { test: /[\\/]node_modules[\\/]/, name: `${name}-vendor`, chunks: 'initial' } },
          },
        }),
    },
    watchOptions: { aggregateTimeout: 20 },
    cache: !once && {
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
  };
};
