/** The pool's files hold keys, money and names: they are its user's own, whatever the mask of the shell that starts it. */
import { statSync } from 'node:fs';
import type { Logger } from './log';

const OTHERS = 0o077;

/** Files that this process and those that it starts make from now on are read by nobody else. */
export const keepFilesPrivate = (): void => void process.umask(OTHERS);

/** A folder of before, or of the operator's choice, is not changed. */
export function warnOfReaders(folder: string, log: Pick<Logger, 'warn'>): void {
  const mode = statSync(folder).mode & 0o777;
  if (mode & OTHERS)
    log.warn(
      { folder, mode: mode.toString(8) },
      'other users of this machine may read DATA_DIR, its keys and its database: chmod -R go= on it closes it',
    );
}
