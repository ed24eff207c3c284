/** Classifies the error of an attempt to count a journal segment. */

/**
 * `away`: the database or the disk does not work; all segments wait. `busy`: rows were locked by another transaction.
 * `slow`: a statement timed out. `segment`: the segment itself is invalid. `gone`: its file does not exist.
 */
export type Failure = 'away' | 'busy' | 'slow' | 'segment' | 'gone';

/** SQLSTATE classes of invalid data, constraints and program limits. Other codes concern the database itself. */
const OF_THE_DATA = /^(22|23|54)[0-9A-Z]{3}$/;
const STATEMENT_TIMEOUT = '57014';
/** Lock not available, serialization failure, deadlock. */
const BUSY = ['55P03', '40001', '40P01'];
/** The file exists but cannot be read. */
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
