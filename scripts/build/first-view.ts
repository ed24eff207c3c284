/** Bundles a remote's first view for the server (shared/src/first-view): one script with its styles. */
import { existsSync } from 'node:fs';
import path from 'node:path';
import { build, type Plugin } from 'esbuild';
import { ROOT } from './files';

export const FIRST_VIEW = 'first-view.cjs';

/** Stand-ins for parts that load later: a fallback, or a wait without a promise, because a promise would keep data. */
const WAITING = 'const never = { then() {} }; function Waiting() { throw never; }';
/** A module that comes at once; all it exports is that component. */
const LATER = `${WAITING}
module.exports = Object.create(new Proxy({}, { get: (_, name) => (name === 'then' ? undefined : Waiting) }));`;
const NEVER: Plugin = {
  name: 'never',
  setup({ onResolve, onLoad }) {
    onResolve({ filter: /./ }, ({ kind }) =>
      kind === 'dynamic-import' ? { path: 'never', namespace: 'never' } : undefined,
    );
    onLoad({ filter: /./, namespace: 'never' }, () => ({ contents: LATER }));
    // It would ask for texts of what is not there.
    onLoad({ filter: /[\\/]lazy-part\.tsx$/ }, () => ({
      contents: `${WAITING}
export const lazyPart = (_names, _part, fallback) => (fallback === undefined ? Waiting : () => fallback);`,
    }));
  },
};

/** `code`: null where the unit has no first view. `sources`: the files it was made from, or looked for. */
export async function bundleFirstView(
  unit: string,
  values: Readonly<Record<string, string>> = {},
): Promise<{ code: string | null; sources: string[] }> {
  const entry = path.join(unit, 'src/first-view.ts');
  if (!existsSync(path.join(ROOT, entry))) return { code: null, sources: [entry] };
  const { outputFiles, metafile } = await build({
    absWorkingDir: ROOT,
    entryPoints: [entry],
    outdir: 'none',
    write: false,
    bundle: true,
    metafile: true,
    minify: true,
    format: 'iife',
    globalName: 'poolFirstView',
    target: 'es2022',
    jsx: 'automatic',
    define: { 'process.env.NODE_ENV': '"production"', ...values },
    legalComments: 'none',
    plugins: [NEVER],
    logLevel: 'warning',
  });
  const text = (ending: string): string => outputFiles.find((file) => file.path.endsWith(ending))?.text ?? '';
  // In a shadow tree the root of the styles is its host.
  const css = text('.css').replaceAll(':root', ':host');
  return {
    code: `${text('.js')}poolFirstView.css=${JSON.stringify(css)};\n`,
    sources: [
      'scripts/build/first-view.ts',
      ...Object.keys(metafile.inputs).filter((name) => !name.includes('node_modules/') && !name.includes(':')),
    ],
  };
}
