import { spawnSync } from 'node:child_process';
import path from 'node:path';
import { build } from 'esbuild';
import { holds, ROOT, writeFileWhole } from './files';

const PROGRAMS = [
  'api/src/app/main.ts',
  'api/src/platform/db/embedded-child.ts',
  'api/src/demo/rigs-child.ts',
  'api/src/pages/first-view/renderer.ts',
  'scripts/admin.ts',
  'scripts/backup.ts',
  'scripts/restore.ts',
];
/** Packages that find files of their own beside their code. */
const WITH_FILES = ['@electric-sql/*', 'fs-native-extensions', 'pg-native'];

/** Bundles each program: a start then reads one file instead of 2,000. Files change whole: one may be starting. */
export const bundleServer = (): Promise<void> => bundlePrograms(PROGRAMS, path.join(ROOT, 'api/dist'));

function buildName(): string {
  const git = spawnSync('git', ['describe', '--always', '--dirty', '--tags'], { cwd: ROOT, encoding: 'utf8' });
  return process.env.BUILD || git.stdout?.trim() || 'unknown';
}

/** Bundles these programs of the server into `folder`. `root`: of their tree, where that is of another version. */
export async function bundlePrograms(programs: readonly string[], folder: string, root = ROOT): Promise<void> {
  const { outputFiles } = await build({
    absWorkingDir: root,
    entryPoints: programs.map((file) => ({ in: file, out: path.basename(file, '.ts') })),
    outdir: folder,
    outExtension: { '.js': '.mjs' },
    bundle: true,
    format: 'esm',
    platform: 'node',
    target: 'node20.19',
    external: WITH_FILES,
    // node-fetch asks for Node's own, which newer versions of Node warn of.
    alias: { punycode: 'punycode/punycode.js' },
    define: { 'process.env.POOL_BUILD': JSON.stringify(buildName()) },
    // Packages of CommonJS ask for Node's modules with `require`.
    banner: {
      js: "import { createRequire as requireOf } from 'node:module';\nconst require = requireOf(import.meta.url);",
    },
    // Packages ask for the names of classes: node-fetch for that of an abort signal.
    keepNames: true,
    // Node keeps a program's text in memory, with two bytes for each character when a comment has one beyond Latin-1. An
    // error that ends the process is shown with its line.
    minifyWhitespace: true,
    lineLimit: 200,
    sourcemap: 'linked',
    sourcesContent: false,
    logLevel: 'warning',
    write: false,
  });
  for (const { path: file, contents } of outputFiles) if (!holds(file, contents)) writeFileWhole(file, contents);
}
