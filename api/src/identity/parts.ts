/** The facilities that all parts of the sign-in service share. */
import type { Pool } from 'pg';
import type { Secrets } from '../platform/secrets';
import type { Attempts } from './limits/attempts';
import type { CodeMails } from './mails/code-mails';
import type { PoolAccounts } from './people/users';

export type Parts = {
  readonly db: Pool;
  readonly pool: PoolAccounts;
  readonly secrets: Secrets;
  /** Limits of wrong passwords. */
  readonly attempts: Attempts;
  /** Null: the pool sends no mail. */
  readonly mails: CodeMails | null;
  readonly publicUrl?: string;
  queued<T>(address: string, work: () => Promise<T>): Promise<T>;
  hash(password: string, address: string): Promise<string>;
  markEnded(sessions: readonly string[]): void;
};
