/** Runs a command-line script: an expected error prints its message, exit code 1; any other prints its stack, 2. */
import { ConfigError } from '../config';
import { DatabaseAbsent } from '../db/away';
import { FolderRefused } from '../lock';
import { OpsError } from './failed';

export async function commandLine(work: () => Promise<string>): Promise<void> {
  try {
    process.stdout.write(`${await work()}\n`);
  } catch (error) {
    const known =
      error instanceof OpsError ||
      error instanceof ConfigError ||
      error instanceof DatabaseAbsent ||
      error instanceof FolderRefused ||
      (error instanceof Error && 'syscall' in error);
    process.stderr.write(
      `${known ? error.message : error instanceof Error ? (error.stack ?? error.message) : String(error)}\n`,
    );
    process.exitCode = known ? 1 : 2;
  }
}
