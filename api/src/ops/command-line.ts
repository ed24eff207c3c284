/** Runs a script and prints what it returns, an expected error's message (exit 1) or another's stack (exit 2). */
import { OperatorError } from '../platform/operator-error';
import { keepFilesPrivate } from '../platform/private-files';

/** Resolves when the text is written, so that a long one does not fill the memory. */
export type Write = (text: string) => Promise<void>;

const write: Write = (text) =>
  new Promise((resolve, reject) => {
    process.stdout.write(text, (error) => (error ? reject(error) : resolve()));
  });

/** `work` may write by itself; what it returns is written as a line. */
export async function commandLine(work: (write: Write) => Promise<string | void>): Promise<void> {
  keepFilesPrivate();
  try {
    const text = await work(write);
    if (text !== undefined) await write(`${text}\n`);
  } catch (error) {
    const known = error instanceof OperatorError || (error instanceof Error && 'syscall' in error);
    process.stderr.write(
      `${known ? error.message : error instanceof Error ? (error.stack ?? error.message) : String(error)}\n`,
    );
    process.exitCode = known ? 1 : 2;
  }
}
