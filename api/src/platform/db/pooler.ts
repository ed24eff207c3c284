/** A pooler of transactions (pgbouncer): nothing of a session holds, no names of statements and no settings. */
import type pg from 'pg';
import { inSession } from './connect';
import { DatabaseRefused } from './away';
import { oneValue, type Querier } from './querier';

/** Settings of a session that the server works with; milliseconds. */
export const sessionSettings = (statementMs: number): string =>
  `set timezone = 'UTC'; set jit = off; set statement_timeout = ${statementMs}; set idle_in_transaction_session_timeout = 10000`;

/** Takes the names of statements away: the session that knows one may be another client's now. */
export function withoutNames(client: pg.ClientBase): void {
  const query = client.query;
  client.query = ((first: unknown, ...rest: unknown[]) =>
    Reflect.apply(query, client, [
      first !== null && typeof first === 'object' && 'name' in first && !('submit' in first)
        ? { ...first, name: undefined }
        : first,
      ...rest,
    ])) as typeof query;
}

/** Throws `DatabaseRefused` unless the pooler's connections have the settings that the server cannot give. */
export async function checkPooler(connection: pg.ClientConfig, statementMs: number): Promise<void> {
  const isRight = (client: Querier) => oneValue<boolean>(client)`
    select current_setting('TimeZone') = 'UTC' and current_setting('statement_timeout') <> '0'`;
  if (!(await inSession(connection, isRight)))
    throw new DatabaseRefused(
      `The pooler of DATABASE_URL does not prepare its connections. Its configuration of the database has to have: connect_query='${sessionSettings(statementMs).replaceAll("'", "''")}'`,
    );
}
