/** Origins that code of remotes may ask besides the pool (`connect` of `remote.json`), as far as the operator allows. */
import type { Pool } from 'pg';
import { type Actor, writeAudit } from '../platform/audit';
import { rowsOf, sql } from '../platform/db/querier';
import { transaction } from '../platform/db/transaction';
import { TtlCache } from '../platform/ttl-cache';

/** Not beside the pointers: their teams write that folder. Names of rows: `remote.connect <remote> <origin>`. */
const NAME = 'remote.connect ';
/** Other processes know a change after so long. */
const FRESH_MS = 5_000;

type Connecting = { name: string; connect?: readonly string[] };

export class AllowedOrigins {
  private readonly known = new TtlCache<ReadonlySet<string>>(FRESH_MS);

  /** `all`: in `npm run dev` nobody has to be asked. */
  constructor(
    private readonly db: Pool,
    private readonly all = process.env.NODE_ENV === 'development',
  ) {}

  private read(): Promise<ReadonlySet<string>> {
    return this.known.get('', async () => {
      const rows = await rowsOf<{ name: string }>(this.db)`select name from setting where starts_with(name, ${NAME})`;
      return new Set(rows.map(({ name }) => name.slice(NAME.length)));
    });
  }

  /** Origins of the remote that are allowed. */
  async of({ name, connect = [] }: Connecting): Promise<string[]> {
    if (this.all || connect.length === 0) return [...connect];
    const allowed = await this.read();
    return connect.filter((origin) => allowed.has(`${name} ${origin}`));
  }

  async change(remote: string, origin: string, allowed: boolean, actor: Actor): Promise<void> {
    const name = `${NAME}${remote} ${origin}`;
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
}
