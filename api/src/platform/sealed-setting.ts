/** Keys that the pool makes for itself and stores encrypted in `setting`: one that cannot be read any more is replaced. */
import type { Querier } from './db/querier';
import { Secrets } from './secrets';

type Kept = { name: string; owner: string; make(): Promise<string> };

/** `replaced`: there was another one. */
export async function sealedSetting(
  db: Querier,
  secrets: Secrets,
  { name, owner, make }: Kept,
): Promise<{ text: string; replaced: boolean }> {
  const read = async (): Promise<string | undefined> =>
    (await db.query<{ value: string }>('select value from setting where name = $1', [name])).rows[0]?.value;
  const before = await read();
  const known = before === undefined ? null : secrets.tryOpen(before, owner);
  const replaced = before !== undefined && known === null;
  if (before !== undefined && known !== null && Secrets.keyIdOf(before) === secrets.keyId)
    return { text: known, replaced };
  // Processes that start together use what was stored first.
  await db.query(
    `insert into setting (name, value) values ($1, to_jsonb($2::text))
     on conflict (name) do update set value = excluded.value, updated_at = now()
     where setting.value = to_jsonb($3::text)`,
    [name, secrets.seal(known ?? (await make()), owner), before ?? ''],
  );
  return { text: secrets.open((await read()) ?? '', owner), replaced };
}
