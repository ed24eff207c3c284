/** Keys that the pool makes for itself and stores encrypted in `setting`: one that cannot be read any more is replaced. */
import { type Querier, sql, valueOf } from './db/querier';
import { Secrets } from './secrets';

type Kept = { name: string; owner: string; make(): Promise<string> };

/** `replaced`: there was another one. */
export async function sealedSetting(
  db: Querier,
  secrets: Secrets,
  { name, owner, make }: Kept,
): Promise<{ text: string; replaced: boolean }> {
  const read = () => valueOf<string>(db)`select value from setting where name = ${name}`;
  const before = await read();
  const known = before === undefined ? null : secrets.tryOpen(before, owner);
  const replaced = before !== undefined && known === null;
  if (before !== undefined && known !== null && Secrets.keyIdOf(before) === secrets.keyId)
    return { text: known, replaced };
  // Processes that start together use what was stored first.
  await db.query(sql`
    insert into setting (name, value) values (${name}, to_jsonb(${secrets.seal(known ?? (await make()), owner)}::text))
    on conflict (name) do update set value = excluded.value, updated_at = now()
    where setting.value = to_jsonb(${before ?? ''}::text)`);
  return { text: secrets.open((await read()) ?? '', owner), replaced };
}
