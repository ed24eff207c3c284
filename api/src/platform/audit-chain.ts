/** The audit log's chain: an entry's hash is sha256 of the hash before it, a line feed and the entry's text. */
import { createHash } from 'node:crypto';
import { firstRow, type Querier, raw, rowsOf } from './db/querier';

/** Names what is wrong with the chain. */
export class AuditBroken extends Error {
  override readonly name = 'AuditBroken';
}

const AT_ONCE = 5000;
const START = '0'.repeat(64);
/** `seq`: how many entries the chain has. `hash`: the last one's, which depends on all. */
export type AuditHead = { seq: number; hash: string };
/** `entry` null: the audit row is gone. */
type Link = { seq: number; auditId: number; hash: string; entry: string | null };

export const auditHead = async (db: Querier): Promise<AuditHead> =>
  (await firstRow<AuditHead>(db)`select seq, hash from audit_chain order by seq desc limit 1`) ?? {
    seq: 0,
    hash: START,
  };

/** The chain up to entry `through`, in pages. */
async function* linksThrough(db: Querier, through: number): AsyncGenerator<Link[]> {
  for (let after = 0; ;) {
    const rows = await rowsOf<Link>(db)`
      select c.seq, c.audit_id, c.hash, case when a.id is not null then audit_text(a) end as entry
      from audit_chain c
      left join audit a on a.id = c.audit_id
      where c.seq > ${after} and c.seq <= ${through}
      order by c.seq
      limit ${raw(AT_ONCE)}`;
    if (rows.length > 0) yield rows;
    if (rows.length < AT_ONCE) return;
    after = rows.at(-1)?.seq ?? after;
  }
}

type Audited = { id: number; covered: boolean };
/** The first audit row, of any id, that no entry from 1 on covers: it was written while its trigger was off; null: none. */
async function firstUnchained(db: Querier): Promise<number | null> {
  for (let after: number | null = null; ;) {
    const rows: Audited[] = await rowsOf<Audited>(db)`
      select a.id, exists (select from audit_chain c where c.audit_id = a.id and c.seq > 0) as covered
      from audit a
      where ${after}::bigint is null or a.id > ${after}
      order by a.id
      limit ${raw(AT_ONCE)}`;
    const found = rows.find(({ covered }) => !covered);
    if (found) return found.id;
    if (rows.length < AT_ONCE) return null;
    after = rows.at(-1)?.id ?? null;
  }
}

/** Checks every entry, and that the hash `kept` is among them. Throws `AuditBroken` with the first broken one. */
export async function verifyAudit(db: Querier, kept?: string): Promise<AuditHead> {
  const head = await auditHead(db);
  let previous = START;
  let seq = 0;
  let isFound = kept === undefined || kept === START;
  for await (const links of linksThrough(db, head.seq)) {
    for (const link of links) {
      seq += 1;
      const broken = (why: string): AuditBroken =>
        new AuditBroken(`The audit log is broken at entry ${seq}${why}. The ${seq - 1} entries before it are right.`);
      if (link.seq !== seq) throw broken(': it is missing from the chain');
      if (link.entry === null) throw broken(` (audit row ${link.auditId}): the row was deleted`);
      previous = createHash('sha256').update(`${previous}\n${link.entry}`).digest('hex');
      if (previous !== link.hash) throw broken(` (audit row ${link.auditId}): it is not what was written`);
      isFound ||= previous === kept;
    }
  }
  const unchained = await firstUnchained(db);
  if (unchained !== null)
    throw new AuditBroken(`Audit row ${unchained} is in no entry of the chain: it was written past the trigger.`);
  if (!isFound)
    throw new AuditBroken(
      `No entry has the hash ${kept}: the last entries were removed, or the chain was written anew, since it was noted.`,
    );
  return head;
}

/** The log as JSON lines, with the hashes; `previous` and `entry` make `hash`. */
export async function* exportAudit(db: Querier): AsyncGenerator<string> {
  let previous = START;
  for await (const links of linksThrough(db, (await auditHead(db)).seq)) {
    yield links
      .map(({ seq, hash, entry }) => {
        const line = `${JSON.stringify({ seq, previous, hash, entry })}\n`;
        previous = hash;
        return line;
      })
      .join('');
  }
}
