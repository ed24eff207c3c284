/** What a command of `npm run admin` is, and works with. */
import type { Pool } from 'pg';
import type { Actor } from '../platform/audit';
import type { CloseDays } from '../money/jobs/close-days';
import type { Logger } from '../platform/log';
import type { Config } from '../platform/config';
import type { Secrets, SecretsConfig } from '../platform/secrets';
import type { Uncounting } from '../mining/shares/uncounted';

export type OpsConfig = SecretsConfig & Pick<Config, 'DATABASE_URL' | 'POOL_FEE_PERCENT' | 'CLERK_PUBLISHABLE_KEY'>;

export type CommandContext = {
  pool: Pool;
  closeDays: CloseDays;
  /** The encryption keys. Throws `SecretsError`. */
  secrets(): Secrets;
  shares: Uncounting;
  /** Sign-in is a hosted service's, which has the passwords. */
  hosted: boolean;
  /** Reports ended sessions to the running sign-in service. */
  sessionsEnded(ids: readonly string[]): void;
  /** Log of the running server; missing where no server runs. */
  log?: Logger;
};

export type Command = {
  takes: string;
  what: string;
  /** Writes nothing, or what servers do not keep in mind, so it may run beside them. */
  reads?: true;
  /** Returns the text to print, or its parts when it may be long. */
  run(context: CommandContext, args: readonly string[]): Promise<string | AsyncIterable<string>>;
};

/** Written to the audit log in place of an IP address. */
export const ACTOR = 'command line';
export const OPERATOR: Actor = { actorId: null, ip: ACTOR };
