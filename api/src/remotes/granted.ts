/** What admins grant to remotes: origins that their code may ask (`connect` of `remote.json`), and users of `flags`. */
import type { Pool } from 'pg';
import type { RemoteManifest } from '@pool/shared/contract';
import { type Actor, writeAudit } from '../platform/audit';
import { rowsOf, sql, valueOf } from '../platform/db/querier';
import { transaction } from '../platform/db/transaction';
import { TtlCache } from '../platform/ttl-cache';

/** Not beside the pointers: their teams write that folder. Names of rows: `remote.connect <remote> <origin>`. */
const NAMES = { connect: 'remote.connect ', flag: 'remote.flag ' } as const;
/** Other processes know a change after so long. */
const FRESH_MS = 5_000;

/** User names; null: everybody. */
export type Users = string[] | null;
type Remote = Pick<RemoteManifest, 'name' | 'connect' | 'flags'>;
type Known = { origins: ReadonlySet<string>; flags: ReadonlyMap<string, Users> };

export class Granted {
  private readonly known = new TtlCache<Known>(FRESH_MS);

  /** `all`: in `npm run dev` nobody has to be asked. */
  constructor(
    private readonly db: Pool,
    private readonly all = process.env.NODE_ENV === 'development',
  ) {}

  private read(): Promise<Known> {
    return this.known.get('', async () => {
      const rows = await rowsOf<{ name: string; value: Users }>(this.db)`
        select name, value from setting where starts_with(name, ${NAMES.connect}) or starts_with(name, ${NAMES.flag})`;
      const of = (kind: string) => rows.filter(({ name }) => name.startsWith(kind));
      return {
        origins: new Set(of(NAMES.connect).map(({ name }) => name.slice(NAMES.connect.length))),
        flags: new Map(of(NAMES.flag).map(({ name, value }) => [name.slice(NAMES.flag.length), value])),
      };
    });
  }

  /** Origins of the remote that are allowed. */
  async originsOf({ name, connect = [] }: Remote): Promise<string[]> {
    if (this.all || connect.length === 0) return [...connect];
    const { origins } = await this.read();
    return connect.filter((origin) => origins.has(`${name} ${origin}`));
  }

  /** Flags of the remote, each with the users for whom it is on. */
  async flagsOf({ name, flags = [] }: Remote): Promise<{ flag: string; users: Users }[]> {
    if (this.all || flags.length === 0) return flags.map((flag) => ({ flag, users: null }));
    const known = (await this.read()).flags;
    return flags.map((flag) => {
      const users = known.get(`${name} ${flag}`);
      return { flag, users: users === undefined ? [] : users };
    });
  }

  /** Origins that are allowed, and flags that are on for this user. */
  async to(remote: Remote, userName: string | undefined): Promise<Required<Pick<Remote, 'connect' | 'flags'>>> {
    const flags = await this.flagsOf(remote);
    const isOn = ({ users }: { users: Users }): boolean =>
      users === null || (userName !== undefined && users.includes(userName));
    return { connect: await this.originsOf(remote), flags: flags.filter(isOn).map(({ flag }) => flag) };
  }

  async allow(remote: string, origin: string, allowed: boolean, actor: Actor): Promise<void> {
    const name = `${NAMES.connect}${remote} ${origin}`;
    await transaction(this.db, async (db) => {
      const { rowCount } = await db.query(
        allowed
          ? sql`insert into setting (name, value) values (${name}, 'true') on conflict do nothing`
          : sql`delete from setting where name = ${name}`,
      );
      const facts = { before: { origin, allowed: !allowed }, after: { origin, allowed } };
      if (rowCount === 1) await writeAudit(db, actor, 'remote.connect', remote, facts);
    });
    this.known.clear();
  }

  /** `users`: for whom the flag is on from now on. */
  async turnOn(remote: string, flag: string, users: Users, actor: Actor): Promise<void> {
    const name = `${NAMES.flag}${remote} ${flag}`;
    await transaction(this.db, async (db) => {
      const before = await valueOf<Users>(db)`delete from setting where name = ${name} returning value`;
      if (users?.length !== 0)
        await db.query(sql`insert into setting (name, value) values (${name}, ${JSON.stringify(users)})`);
      const was = before === undefined ? [] : before;
      if (JSON.stringify(was) !== JSON.stringify(users))
        await writeAudit(db, actor, 'remote.flag', remote, { before: { flag, users: was }, after: { flag, users } });
    });
    this.known.clear();
  }
}
