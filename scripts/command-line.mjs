/** The arguments of all commands, read without packages: `npm start` and `npm test` come before these. */
import { parseArgs } from 'node:util';

/**
 * `name`: of the script in package.json. `takes`: its words, as in `<file>` (needed), `[commit]`, `[units...]` (any
 * number).
 *
 * @template {Record<string, { type: 'string' | 'boolean', what: string }>} O
 * @typedef {{ name: string, what: string, takes?: string, options?: O }} Command
 */

/** @param {Command<Record<string, { type: 'string' | 'boolean', what: string }>>} command */
function usageOf({ name, what, takes, options = {} }) {
  const rows = Object.entries(options).map(([option, { type, what: does }]) => [
    `--${option}${type === 'string' ? ' <value>' : ''}`,
    does,
  ]);
  const width = Math.max(0, ...rows.map(([option = '']) => option.length));
  const words = [takes, rows.length > 0 && '[options]'].filter(Boolean).join(' ');
  return [
    `npm run ${name}${words && ` -- ${words}`}`,
    what,
    ...rows.map(([option = '', does]) => `  ${option.padEnd(width)}  ${does}`),
  ].join('\n');
}

/**
 * Words and options of this process. `--help` prints what the command does and ends the process; so does an argument
 * that it does not take, with exit code 1.
 *
 * @template {Record<string, { type: 'string' | 'boolean', what: string }>} const O
 * @param {Command<O>} command
 */
export function readArguments(command) {
  const { takes = '', options = /** @type {O} */ ({}) } = command;
  try {
    const { values, positionals } = parseArgs({
      options: { ...options, help: { type: 'boolean' } },
      allowPositionals: true,
    });
    if ('help' in values) {
      console.log(usageOf(command));
      process.exit(0);
    }
    const wanted = takes.split(' ').filter(Boolean);
    const needed = wanted.filter((word) => word.startsWith('<')).length;
    if (positionals.length < needed) throw new Error(`missing ${wanted.slice(positionals.length).join(' ')}`);
    if (!takes.includes('...') && positionals.length > wanted.length)
      throw new Error(`unexpected argument '${positionals[wanted.length]}'`);
    return {
      values: /** @type {{ [K in keyof O]?: O[K]['type'] extends 'string' ? string : boolean }} */ (values),
      positionals,
    };
  } catch (error) {
    console.error(`${error instanceof Error ? error.message : String(error)}\n${usageOf(command)}`);
    process.exit(1);
  }
}

/**
 * Reads the arguments and runs the command's work. A failure prints its message to stderr, and the exit code is 1.
 *
 * @template {Record<string, { type: 'string' | 'boolean', what: string }>} const O
 * @param {Command<O>} command
 * @param {(given: ReturnType<typeof readArguments<O>>) => void | Promise<void>} work
 */
export async function runCommand(command, work) {
  const given = readArguments(command);
  try {
    await work(given);
  } catch (error) {
    console.error(error instanceof Error ? error.message : error);
    process.exitCode = 1;
  }
}
