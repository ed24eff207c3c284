/** Tells a database that cannot be used from errors of a query. */
import { DataRefused } from '../lock';
import { OperatorError } from '../operator-error';

/** The database cannot be used as it is; the message says what to do. */
export class DatabaseRefused extends DataRefused {
  override readonly name = 'DatabaseRefused';
}

/** Errors of the network, of an address that has no name server or no socket, and of a missing standby. */
const NETWORK = new Set([
  'ECONNREFUSED',
  'ECONNRESET',
  'ECONNABORTED',
  'EPIPE',
  'ETIMEDOUT',
  'EHOSTUNREACH',
  'EHOSTDOWN',
  'ENETUNREACH',
  'ENETDOWN',
  'ENOTFOUND',
  'EAI_AGAIN',
  // The standby that money waits for (db/transaction.ts).
  'NOT_REPLICATED',
  // An old primary in place of the new one (db/lineage.ts).
  'OTHER_DATABASE',
]);
/** SQLSTATEs: stopping, starting, no resources (53), lost connection (08), disk errors, a standby not promoted yet. */
const STATE = /^(57P0[1-5]|53...|08...|25P03|580[03]0|25006)$/;
/** SQLSTATE: wrong user or password, and no such database. */
const REFUSED = /^(28...|3D000)$/;
/** Errors of the driver, which have no code, and what a new connection hears from a full disk, as an internal error. */
const SAID =
  /could not write init file|Query read timeout|timeout exceeded when trying to connect|timeout expired|Connection terminated|Client has encountered a connection error|Client was closed|after calling end on the pool/;

type Cause = { code?: unknown; message?: unknown; syscall?: unknown; cause?: Cause };

/** A database that nobody can use now: `away` comes back by itself, `refused` only when the operator corrects it. */
export type Absence = 'away' | 'refused';

/** Why the database could not be used; null: another error. By code, as in tests Node's errors are of another realm. */
export function absenceOf(error: unknown): Absence | null {
  for (let cause = error as Cause | undefined; cause; cause = cause.cause) {
    if (cause instanceof DatabaseAbsent) return cause.absence;
    const code = typeof cause.code === 'string' ? cause.code : '';
    // Such as ENOENT, no such socket of a database on this machine, which of a file is another error; or EMFILE.
    if (cause.syscall === 'connect') return 'away';
    if (NETWORK.has(code) || STATE.test(code) || SAID.test(String(cause.message))) return 'away';
    if (REFUSED.test(code)) return 'refused';
  }
  return null;
}

/** The database cannot be used; the message says what to do. */
export class DatabaseAbsent extends OperatorError {
  override readonly name = 'DatabaseAbsent';
  constructor(
    readonly absence: Absence,
    message: string,
    options?: ErrorOptions,
  ) {
    super(message, options);
  }
}

const reasonOf = ({ cause, ...error }: Cause, message: unknown): string =>
  cause ? reasonOf(cause, cause.message) : String(message || error.code);

/** What a failed connection or start is: an error that says what to do. An unknown one is a database that is away. */
export function absent(place: string, error: unknown): DataRefused | DatabaseAbsent {
  if (error instanceof DataRefused || error instanceof DatabaseAbsent) return error;
  const absence = absenceOf(error) ?? 'away';
  const reason = reasonOf(error as Cause, (error as Cause).message);
  return new DatabaseAbsent(
    absence,
    absence === 'away'
      ? `The database at ${place} cannot be used (${reason}). Start it, or correct DATABASE_URL; for TLS see docs/install.md, "TLS to the database".`
      : `The database at ${place} refuses this server (${reason}). Correct DATABASE_URL.`,
    { cause: error },
  );
}
