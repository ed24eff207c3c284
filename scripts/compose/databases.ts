/** What Patroni says of the two databases, and what they answer. */
import { eventually } from '../../api/src/testing/eventually';
import type { Project } from './engine';

export const DATABASES = ['database-a', 'database-b'] as const;
type Member = { name: string; role: string; state: string; timeline?: number };

async function members(project: Project): Promise<Member[]> {
  for (const name of DATABASES)
    try {
      const address = await project.addressOf(name);
      const answer = await fetch(`http://${address}:8008/cluster`, { signal: AbortSignal.timeout(3000) });
      return ((await answer.json()) as { members: Member[] }).members;
    } catch {
      // The other one may answer.
    }
  return [];
}

/** Names of the databases that say of themselves that they are the primary. */
export async function primaries(project: Project): Promise<string[]> {
  const said = await Promise.all(
    DATABASES.map(async (name) => {
      try {
        const address = await project.addressOf(name);
        const { status } = await fetch(`http://${address}:8008/primary`, { signal: AbortSignal.timeout(3000) });
        return status === 200 ? [name] : [];
      } catch {
        return [];
      }
    }),
  );
  return said.flat();
}

export const primary = (project: Project, not = ''): Promise<string> =>
  eventually(
    async () => {
      const found = await primaries(project);
      return found.length === 1 && found[0] !== not && found[0];
    },
    not ? `a primary that is not ${not}` : 'one primary',
    120_000,
  );

/** Whether a standby has what money waits for: Patroni and PostgreSQL both say so. */
export const isFollowed = async (project: Project): Promise<boolean> =>
  (await members(project)).some(({ role, state }) => role === 'sync_standby' && state === 'running') &&
  ask(project, "select 'yes' from pg_stat_replication where sync_state = 'sync' and state = 'streaming'").then(
    (said) => said === 'yes',
    () => false,
  );

export const followed = (project: Project): Promise<boolean> =>
  eventually(() => isFollowed(project), 'a synchronous standby', 180_000);

/** One query through pgbouncer and the way to the primary, as the pool asks. */
export async function ask(project: Project, sql: string): Promise<string> {
  const line = ['psql', '-qAtX', '-h', '127.0.0.1', '-p', '6432', '-U', 'pool', '-d', 'pool', '-c', sql];
  return (await project.exec('pgbouncer', ...line)).trim();
}
