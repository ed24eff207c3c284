/** Classifies the error of an attempt to count a journal segment. */
import { absenceOf } from '../../platform/db/away';

/**
 * `away`: the database or the disk does not work; all segments wait. `busy`: rows were locked by another transaction.
 * `slow`: a statement timed out. `segment`: the segment itself is invalid. `gone`: its file does not exist. `unclear`:
 * an error of the segment or of the whole database; other segments show which.
 */
export type Failure = 'away' | 'busy' | 'slow' | 'segment' | 'gone' | 'unclear';

/** SQLSTATE classes of invalid data, constraints and program limits. */
const OF_THE_DATA = /^(22|23|54)/;
/** Connections, sign-in, missing database, resources, an operator's intervention, the system; a read-only database. */
const OF_THE_DATABASE = /^(08|28|3D|53|57|58)|^25006$/;
/** Codes of the operating system begin with E, SQLSTATEs do not. */
const SQLSTATE = /^(?!E)[0-9A-Z]{5}$/;
const STATEMENT_TIMEOUT = '57014';
/** Lock not available, serialization failure, deadlock. */
const BUSY = ['55P03', '40001', '40P01'];
/** The file exists but cannot be read. */
const UNREADABLE = ['EIO', 'EACCES', 'EPERM', 'EISDIR'];

export function failureOf(error: unknown): Failure {
  const { code, syscall } = error as { code?: unknown; syscall?: unknown };
  if (typeof code !== 'string') return 'away';
  if (SQLSTATE.test(code)) return absenceOf(error) ? 'away' : failureOfState(code);
  if (syscall !== 'open' && syscall !== 'read') return 'away';
  if (code === 'ENOENT') return 'gone';
  return UNREADABLE.includes(code) ? 'segment' : 'away';
}

function failureOfState(state: string): Failure {
  if (state === STATEMENT_TIMEOUT) return 'slow';
  if (BUSY.includes(state)) return 'busy';
  if (OF_THE_DATA.test(state)) return 'segment';
  return OF_THE_DATABASE.test(state) ? 'away' : 'unclear';
}
