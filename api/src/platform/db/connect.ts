/** Connections outside of the pool: each is one session, with the same way to PostgreSQL as the pool's. */
import pg from 'pg';
import { absent } from './away';

/** Host, port and name, without user and password. */
export function placeOf({ connectionString, host }: pg.ClientConfig): string {
  if (!connectionString) return host ?? 'memory';
  const url = new URL(connectionString);
  return (url.searchParams.get('host') ?? url.host) + url.pathname;
}

/** Does `work` with a connection, which is ended after it. */
export async function inSession<T>(config: pg.ClientConfig, work: (client: pg.Client) => Promise<T>): Promise<T> {
  const client = await connect(config);
  try {
    return await work(client);
  } finally {
    await client.end();
  }
}

/** An open connection; losing it ends no process. Throws `DatabaseAbsent`. */
export async function connect(config: pg.ClientConfig): Promise<pg.Client> {
  try {
    const client = new pg.Client(config);
    // A lost connection would end the process if nobody listened.
    client.on('error', () => undefined);
    await client.connect();
    return client;
  } catch (error) {
    throw absent(placeOf(config), error);
  }
}
