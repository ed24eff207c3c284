/** What a failed attempt to count a segment says about whom. */

/**
 * `away`: the database, or the disk, takes nothing now; all wait. `busy`: somebody else had its rows. `slow`: its
 * statements took too long. `segment`: it is to blame itself. `gone`: its file is not there any more.
 */
export type Failure = 'away' | 'busy' | 'slow' | 'segment' | 'gone';

/** Data of the wrong kind, constraints, limits of the program. The rest of its codes tell of the database itself. */
const OF_THE_DATA = /^(22|23|54)[0-9A-Z]{3}$/;
const STATEMENT_TIMEOUT = '57014';
/** Lock not available, serialization failure, deadlock. */
const BUSY = ['55P03', '40001', '40P01'];
/** A file that is there and cannot be read. */
const UNREADABLE = ['EIO', 'EACCES', 'EPERM', 'EISDIR'];

export function failureOf(error: unknown): Failure {
  const { code, syscall } = error as { code?: unknown; syscall?: unknown };
  if (typeof code !== 'string') return 'away';
  if (code === STATEMENT_TIMEOUT) return 'slow';
  if (BUSY.includes(code)) return 'busy';
  if (OF_THE_DATA.test(code)) return 'segment';
  if (syscall !== 'open' && syscall !== 'read') return 'away';
  if (code === 'ENOENT') return 'gone';
  return UNREADABLE.includes(code) ? 'segment' : 'away';
}
