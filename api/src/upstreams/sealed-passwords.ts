/** The encryption key of upstream passwords: how it is checked, replaced, and given up when it is lost. */
import type { Pool } from 'pg';
import { writeAudit } from '../accounts/audit';
import { transaction } from '../db/transaction';
import type { Querier } from '../db/querier';
import type { Logger } from '../log';
import { LOST_KEY, Secrets, SecretsError, type SecretsConfig } from '../secrets';
import { ownerOf } from './pool-configs';

type Sealed = { id: number; user_id: number; password: string };

/** Encrypted passwords, locked, without those marked as lost. */
const sealed = async (db: Querier): Promise<Sealed[]> =>
  (
    await db.query<Sealed>(
      `select id, user_id, password from pool_config
       where password is not null and not starts_with(password, $1)
       order by id for update`,
      [`${LOST_KEY}:`],
    )
  ).rows;

/**
 * Encrypts passwords of older keys with the current one; returns how many. Throws `SecretsError` and changes nothing
 * when a key is missing.
 */
export function renewPasswords(pool: Pool, secrets: Secrets): Promise<number> {
  return transaction(pool, async (client) => {
    const missing = new Set<string>();
    let renewed = 0;
    let unreadable = 0;
    for (const { id, user_id: userId, password } of await sealed(client)) {
      const text = secrets.tryOpen(password, ownerOf(userId));
      const keyId = Secrets.keyIdOf(password);
      if (text === null) {
        missing.add(keyId);
        unreadable += 1;
      } else if (keyId !== secrets.keyId) {
        const renewedText = secrets.seal(text, ownerOf(userId));
        await client.query('update pool_config set password = $2 where id = $1', [id, renewedText]);
        renewed += 1;
      }
    }
    if (unreadable)
      throw new SecretsError(
        `Passwords of upstream pools that this server has no key for: ${unreadable} ` +
          `(encrypted with the key ${[...missing].join(', ')}).\n` +
          'Put that key back: secrets.key in DATA_DIR, or in SECRETS_KEY, after the current one.\n' +
          'If it is lost for good, "npm run admin -- forget-secrets" says so: ' +
          'miners of these pools wait until their owners give the passwords again.',
      );
    return renewed;
  });
}

/** Marks passwords that no key can decrypt as lost; returns how many. */
export function forgetUnreadable(pool: Pool, secrets: Secrets, ip: string): Promise<number> {
  return transaction(pool, async (client) => {
    const lost = (await sealed(client)).filter((row) => secrets.tryOpen(row.password, ownerOf(row.user_id)) === null);
    if (lost.length === 0) return 0;
    const ids = lost.map(({ id }) => id);
    await client.query(
      "update pool_config set password = $2 || ':' || split_part(password, ':', 2) where id = any($1::int[])",
      [ids, LOST_KEY],
    );
    await writeAudit(client, { actorId: null, ip }, 'pool_config.forget_secrets', null, { after: { ids } });
    return lost.length;
  });
}

/** Opens the key; a new one is made only while nothing is encrypted. Throws `SecretsError` for a wrong key. */
export async function openSecrets(config: SecretsConfig, pool: Pool, log: Logger): Promise<Secrets> {
  const isFirst = (await sealed(pool)).length === 0;
  const secrets = Secrets.open(config, { make: isFirst });
  const renewed = await renewPasswords(pool, secrets);
  if (renewed) log.info({ renewed }, 'passwords of upstream pools encrypted with the new key');
  return secrets;
}
