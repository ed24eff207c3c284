/** The encryption key of users' secrets: how it is checked, replaced, and given up when it is lost. */
import type { Pool } from 'pg';
import { writeAudit } from '../platform/audit';
import { transaction } from '../platform/db/transaction';
import { type Querier, raw, rowsOf, sql } from '../platform/db/querier';
import { totpOwner } from '../identity';
import type { Logger } from '../platform/log';
import { LOST_KEY, Secrets, SecretsError, type SecretsConfig } from '../platform/secrets';
import { ownerOf } from '../mining/upstreams/pool-configs';
import { contentOwner } from '../accounts/waiting/waiting';
import { hookOwner } from '../messages/webhooks/webhooks';

/** Where secrets are stored. `belongsTo`: the column that `owner` makes the secret's owner of. */
const PLACES = {
  passwords: {
    table: 'pool_config',
    column: 'password',
    belongsTo: 'user_id',
    owner: (id: string) => ownerOf(Number(id)),
  },
  held: { table: 'held_pool', column: 'password', belongsTo: 'user_id', owner: (id: string) => ownerOf(Number(id)) },
  webhooks: { table: 'webhook', column: 'secret', belongsTo: 'user_id', owner: (id: string) => hookOwner(Number(id)) },
  changes: { table: 'waiting_change', column: 'content', belongsTo: 'organization_id', owner: contentOwner },
  apps: { table: 'identity_user', column: 'totp_secret', belongsTo: 'id', owner: totpOwner },
} as const;
type Place = keyof typeof PLACES;
const NAMES = Object.keys(PLACES) as Place[];
type Sealed = { place: Place; id: string; owner: string; sealed: string };

/** Encrypted secrets, locked, without those marked as lost. */
async function sealedSecrets(db: Querier): Promise<Sealed[]> {
  const found: Sealed[] = [];
  for (const place of NAMES) {
    const { table, column, belongsTo, owner } = PLACES[place];
    const rows = await rowsOf<{ id: string; whose: string; sealed: string }>(db)`
      select id::text as id, ${raw(belongsTo)}::text as whose, ${raw(column)} as sealed from ${raw(table)}
      where ${raw(column)} is not null and not starts_with(${raw(column)}, ${`${LOST_KEY}:`})
      order by id for update`;
    found.push(...rows.map(({ id, whose, sealed }) => ({ place, id, owner: owner(whose), sealed })));
  }
  return found;
}

const store = (db: Querier, { place, id }: Sealed, sealed: string): Promise<unknown> =>
  db.query(sql`
    update ${raw(PLACES[place].table)} set ${raw(PLACES[place].column)} = ${sealed} where id::text = ${id}`);

/**
 * Encrypts secrets of older keys with the current one; returns how many. Throws `SecretsError` and changes nothing when
 * a key is missing.
 */
export function renewSecrets(pool: Pool, secrets: Secrets): Promise<number> {
  return transaction(pool, async (client) => {
    const missing = new Set<string>();
    let renewed = 0;
    let unreadable = 0;
    for (const row of await sealedSecrets(client)) {
      const text = secrets.tryOpen(row.sealed, row.owner);
      const keyId = Secrets.keyIdOf(row.sealed);
      if (text === null) {
        missing.add(keyId);
        unreadable += 1;
      } else if (keyId !== secrets.keyId) {
        await store(client, row, secrets.seal(text, row.owner));
        renewed += 1;
      }
    }
    if (unreadable)
      throw new SecretsError(
        `Passwords of upstream pools and authenticator apps that this server has no key for: ${unreadable} ` +
          `(encrypted with the key ${[...missing].join(', ')}).\n` +
          'Put that key back: secrets.key in DATA_DIR, or in SECRETS_KEY, after the current one.\n' +
          'If it is lost for good, "npm run admin -- forget-secrets" says so: miners of these pools wait until their ' +
          'owners give the passwords again, and users of these apps sign in with backup codes.',
      );
    return renewed;
  });
}

/** Marks secrets that no key can decrypt as lost; returns how many of each kind. */
export function forgetUnreadable(pool: Pool, secrets: Secrets, ip: string): Promise<Record<Place, number>> {
  return transaction(pool, async (client) => {
    const lost = (await sealedSecrets(client)).filter((row) => secrets.tryOpen(row.sealed, row.owner) === null);
    for (const row of lost) await store(client, row, `${LOST_KEY}:${row.sealed.split(':')[1]}`);
    const ids = NAMES.map((place) => [place, lost.filter((row) => row.place === place).map(({ id }) => id)] as const);
    if (lost.length)
      await writeAudit(client, { actorId: null, ip }, 'secrets.forget', null, { after: Object.fromEntries(ids) });
    return Object.fromEntries(ids.map(([place, all]) => [place, all.length])) as Record<Place, number>;
  });
}

/** Opens the key; a new one is made only while nothing is encrypted. Throws `SecretsError` for a wrong key. */
export async function openSecrets(config: SecretsConfig, pool: Pool, log: Logger): Promise<Secrets> {
  const isFirst = (await sealedSecrets(pool)).length === 0;
  const secrets = Secrets.open(config, { make: isFirst });
  const renewed = await renewSecrets(pool, secrets);
  if (renewed) log.info({ renewed }, 'secrets of users encrypted with the new key');
  return secrets;
}
