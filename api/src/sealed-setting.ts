/** Keys that the pool makes for itself and stores encrypted in `setting`: one that cannot be read any more is replaced. */
import { sql } from 'drizzle-orm';
import type { Db } from './db/database';
import { Secrets } from './secrets';

type Kept = { name: string; owner: string; make(): Promise<string> };

/** `replaced`: there was another one. */
export async function sealedSetting(
  db: Pick<Db, 'execute'>,
  secrets: Secrets,
  { name, owner, make }: Kept,
): Promise<{ text: string; replaced: boolean }> {
  const read = async (): Promise<string | undefined> =>
    (await db.execute<{ value: string }>(sql`select value from setting where name = ${name}`)).rows[0]?.value;
  const before = await read();
  const known = before === undefined ? null : secrets.tryOpen(before, owner);
  const replaced = before !== undefined && known === null;
  if (before !== undefined && known !== null && Secrets.keyIdOf(before) === secrets.keyId)
    return { text: known, replaced };
  const asJson = (text: string) => sql`${JSON.stringify(text)}::jsonb`;
  // Processes that start together use what was stored first.
  await db.execute(sql`
    insert into setting (name, value) values (${name}, ${asJson(secrets.seal(known ?? (await make()), owner))})
    on conflict (name) do update set value = excluded.value, updated_at = now()
    where setting.value = ${asJson(before ?? '')}`);
  return { text: secrets.open((await read()) ?? '', owner), replaced };
}
