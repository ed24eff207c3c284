/** What Patroni says of databases, and what they answer. */
import { eventually } from '../../api/src/testing/eventually';
import type { Project } from './engine';

export const DATABASES = ['database-a', 'database-b'] as const;
/** The nodes of a Citus, whose coordinator is of DATABASES: each is two databases, one of which is the primary. */
export const NODES = [
  ['node-1a', 'node-1b'],
  ['node-2a', 'node-2b'],
] as const;
type Pair = typeof DATABASES | (typeof NODES)[number];

/** Names of the databases whose Patroni answers `/primary` or `/sync` with yes. */
async function databasesThatAre(project: Project, what: 'primary' | 'sync', pair: Pair = DATABASES): Promise<string[]> {
  const answers = pair.map(async (name) => {
    const url = `http://${await project.addressOf(name)}:8008/${what}`;
    return (await fetch(url, { signal: AbortSignal.timeout(3000) })).ok;
  });
  const said = await Promise.allSettled(answers);
  return pair.filter((_, n) => said[n]?.status === 'fulfilled' && said[n].value);
}

export const primaries = (project: Project, pair?: Pair): Promise<string[]> =>
  databasesThatAre(project, 'primary', pair);

export const primary = (project: Project, not = '', pair?: Pair): Promise<string> =>
  eventually(
    async () => {
      const found = await primaries(project, pair);
      return found.length === 1 && found[0] !== not && found[0];
    },
    not ? `a primary that is not ${not}` : 'one primary',
    120_000,
  );

/** Whether a standby has what money waits for: Patroni and PostgreSQL both say so. */
export const isFollowed = async (project: Project): Promise<boolean> =>
  (await databasesThatAre(project, 'sync')).length > 0 &&
  ask(project, "select 'yes' from pg_stat_replication where sync_state = 'sync' and state = 'streaming'").then(
    (said) => said === 'yes',
    () => false,
  );

export const followed = (project: Project): Promise<boolean> =>
  eventually(() => isFollowed(project), 'a synchronous standby', 180_000);

/** Waits until each node has a standby that has what is committed. */
export async function nodesFollowed(project: Project): Promise<void> {
  const isAll = async () => {
    const each = await Promise.all(NODES.map((pair) => databasesThatAre(project, 'sync', pair)));
    return each.every((standbys) => standbys.length > 0);
  };
  await eventually(isAll, 'a synchronous standby of each node', 180_000);
}

/** One query through pgbouncer and the way to the primary, as the pool asks. */
export async function ask(project: Project, sql: string): Promise<string> {
  const line = ['psql', '-qAtX', '-h', '127.0.0.1', '-p', '6432', '-U', 'pool', '-d', 'pool', '-c', sql];
  return (await project.exec('pgbouncer', ...line)).trim();
}
