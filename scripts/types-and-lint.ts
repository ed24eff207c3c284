/**
 * Types and lint of one unit (`npm run check`) or, without a name, of everything (`npm test`): both need to know every
 * type, which takes most of their time, so they ask one TypeScript program. A change of `shared` is checked in all that
 * use it. Files after the unit: only these are linted.
 */
import path from 'node:path';
import { ESLint } from 'eslint';
import ts from 'typescript';
import { runCommand } from './build/command';
import { ROOT } from './build/files';

function programOf(folder: string): ts.Program {
  const config = path.join(ROOT, 'tsconfig.json');
  const { config: json } = ts.readConfigFile(config, (file) => ts.sys.readFile(file)) as { config: unknown };
  const { options, fileNames } = ts.parseJsonConfigFileContent(json, ts.sys, ROOT);
  const isOf = (unit: string) => (file: string) => file.startsWith(path.join(ROOT, unit) + path.sep);
  const isWhole = folder === '.' || folder === 'shared';
  const roots = isWhole ? fileNames : fileNames.filter((file) => isOf(folder)(file) || isOf('types')(file));
  return ts.createProgram(roots, { ...options, incremental: false, tsBuildInfoFile: undefined });
}

/** Prints the faults; returns whether there are none. */
function checkTypes(program: ts.Program): boolean {
  const own = program.getRootFileNames().flatMap((name) => {
    const file = program.getSourceFile(name);
    return [...program.getSyntacticDiagnostics(file), ...program.getSemanticDiagnostics(file)];
  });
  const faults = [...program.getOptionsDiagnostics(), ...program.getGlobalDiagnostics(), ...own];
  const host: ts.FormatDiagnosticsHost = {
    getCurrentDirectory: () => ROOT,
    getCanonicalFileName: (name) => name,
    getNewLine: () => '\n',
  };
  if (faults.length > 0) console.log(ts.formatDiagnostics(faults, host));
  return faults.length === 0;
}

/** Prints the faults; returns whether there are none. */
async function lint(paths: string[], program: ts.Program): Promise<boolean> {
  const parserOptions = { projectService: false, programs: [program] };
  const eslint = new ESLint({
    cwd: ROOT,
    overrideConfig: [{ files: ['**/*.{ts,tsx}'], languageOptions: { parserOptions } }],
  });
  const results = await eslint.lintFiles(paths);
  const said = await (await eslint.loadFormatter('stylish')).format(results);
  if (said) console.log(said);
  return results.every(({ errorCount, warningCount }) => errorCount + warningCount === 0);
}

runCommand(async () => {
  const [folder = '.', ...files] = process.argv.slice(2);
  const program = programOf(folder);
  const passed = [checkTypes(program), await lint(files.length > 0 ? files : [folder], program)];
  if (passed.includes(false)) process.exitCode = 1;
});
