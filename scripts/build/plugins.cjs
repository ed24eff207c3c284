/** Plugins of the pages' builds: integrity of what is loaded later, and versions that are the same everywhere. */
const { createHash } = require('node:crypto');
const path = require('node:path');
const MiniCssExtractPlugin = require('mini-css-extract-plugin');
const { ROOT } = require('./files.ts');

/** Prepares each lazily loaded script and stylesheet for its fetch (shell/src/remotes/integrity.ts). */
exports.FileHookPlugin = class {
  apply(compiler) {
    const { LoadScriptRuntimeModule } = compiler.webpack.runtime;
    const prepare = (code, tag) => `${code}\nif (globalThis.poolFile) globalThis.poolFile(${tag});`;
    compiler.hooks.compilation.tap('FileHook', (compilation) => {
      LoadScriptRuntimeModule.getCompilationHooks(compilation).createScript.tap('FileHook', (code) =>
        prepare(code, 'script'),
      );
      MiniCssExtractPlugin.getCompilationHooks(compilation).beforeTagInsert.tap('FileHook', (code, { tag }) =>
        prepare(code, tag),
      );
    });
  }
};

const ANTD = path.join('shared', 'src', 'antd', 'index.ts');
/** What is themed, and the theme around it: React is everybody's, and so are texts. */
const THEMED = /[\\/](node_modules[\\/](?!react|scheduler|antd[\\/]es[\\/]locale)|src[\\/]ui[\\/]antd[\\/])/;

/** Makes `@pool/shared/antd` a copy apart, in a chunk of its own: else the forms of all pages would grow by a tenth. */
exports.AntdPlugin = class {
  apply(compiler) {
    compiler.hooks.normalModuleFactory.tap('Antd', (factory) => {
      factory.hooks.afterResolve.tap('Antd', ({ contextInfo, createData }) => {
        const isPart = contextInfo.issuerLayer || contextInfo.issuer?.endsWith(ANTD);
        createData.layer = isPart && THEMED.test(createData.resource) ? 'antd' : null;
      });
    });
  }

  static isIn(chunk) {
    const origins = [...chunk.groupsIterable].flatMap((group) => group.origins);
    return origins.some(({ module }) => /@pool\/shared\/antd[|@]/.test(module?.identifier()));
  }
};

/** Identifier of a module without the folders of this checkout and of the packages. */
const nameOf = (module) =>
  (module.rootModule ?? module)
    .identifier()
    .replace(/[^|!" ]*\/node_modules\//g, 'node_modules/')
    // Its hash is one of the packages' folder.
    .replace(/\.federation\/entry\.\w+\.js/, '.federation/entry.js')
    .replaceAll(ROOT, '');

/** Ids by hashes of names: the same sources make the same version of a remote in every folder. */
exports.SameIdsPlugin = class {
  apply(compiler) {
    compiler.hooks.compilation.tap('SameIds', (compilation) => {
      const { chunkGraph, moduleGraph } = compilation;
      const assign = (items, set) => {
        const used = new Set();
        for (const [name, item] of items.sort(([a, , x], [b, , y]) => (a === b ? x - y : a < b ? -1 : 1))) {
          let id = parseInt(createHash('sha256').update(name).digest('hex').slice(0, 12), 16) % 10_000;
          while (used.has(id)) id += 1;
          used.add(id);
          set(item, id);
        }
      };
      compilation.hooks.moduleIds.tap('SameIds', (modules) => {
        const free = [...modules].filter(
          (module) => chunkGraph.getModuleId(module) === null && chunkGraph.getNumberOfModuleChunks(module) > 0,
        );
        assign(
          free.map((module) => [nameOf(module), module, moduleGraph.getPreOrderIndex(module) ?? 0]),
          (module, id) => chunkGraph.setModuleId(module, id),
        );
      });
      compilation.hooks.chunkIds.tap('SameIds', (chunks) => {
        const free = [...chunks].filter((chunk) => chunk.id === null);
        const nameOfChunk = (chunk) =>
          chunk.name ?? Array.from(chunkGraph.getChunkRootModules(chunk), nameOf).sort().join();
        assign(
          free.map((chunk) => [nameOfChunk(chunk), chunk, 0]),
          (chunk, id) => Object.assign(chunk, { id, ids: [id] }),
        );
      });
    });
  }
};
