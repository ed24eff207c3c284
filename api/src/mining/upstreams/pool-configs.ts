/** A user's saved upstream pools. Every query checks the owner; passwords are encrypted and never returned. */
import type { Pool, PoolClient } from 'pg';
import type { NewPoolConfig, PoolConfig, PoolConfigChange } from '@pool/shared/api/contract';
import type { AlgorithmName } from '@pool/shared/domain';
import { lockUser } from '../../accounts/accounts';
import { transaction, type Run } from '../../platform/db/transaction';
import type { Secrets } from '../../platform/secrets';
import { parseUpstream } from '../../stratum/upstream/upstream-target';
import { writeAudit } from '../../platform/audit';
import { warnOfPool } from './list-warning';
import { holdLists, type Owner } from './pool-hold';
import { firstRow, hasRow, oneRow, type Querier, rowsOf, sql, valuesOf } from '../../platform/db/querier';
import type { PoolTarget } from '../../stratum/ports';
import { found, problems, Refused } from '../../platform/refused';

export const MAX_POOL_CONFIGS = 50;
const NO_PASSWORD = 'x';

export type PoolConfigRow = {
  id: number;
  userId: number;
  name: string;
  algorithm: AlgorithmName;
  url: string;
  userName: string;
  password: string | null;
};

/** A password is bound to its user: copied to another user's row it cannot be decrypted. */
export const ownerOf = (userId: number): string => `pool config of user ${userId}`;

const factsOf = (row: PoolConfigRow) => ({
  id: row.id,
  name: row.name,
  algorithm: row.algorithm,
  url: row.url,
  user: row.userName,
  passwordSet: row.password !== null,
});
const toConfig = (row: PoolConfigRow, uses: number): PoolConfig => ({ ...factsOf(row), uses });

/** Target to connect to; `id` identifies it for the proxy. Throws `SecretUnreadable`. */
export const toTarget = (row: PoolConfigRow, secrets: Secrets, id: number): PoolTarget => ({
  ...parseUpstream(row.algorithm, row.url, row.name),
  id,
  user: row.userName,
  password: row.password === null ? NO_PASSWORD : secrets.open(row.password, ownerOf(row.userId)),
});

/** Sorted by name. */
export async function poolConfigsOf(db: Querier, userId: number): Promise<PoolConfig[]> {
  const rows = await rowsOf<PoolConfigRow & { uses: number }>(db)`
    select p.*, (select count(*) from sub_account_pool_config c where c.pool_config_id = p.id) as uses
    from pool_config p where p.user_id = ${userId} order by p.name, p.id`;
  return rows.map((row) => toConfig(row, row.uses));
}

export async function findPoolConfig(db: Querier, userId: number, id: number): Promise<PoolConfigRow | null> {
  const row = await firstRow<PoolConfigRow>(db)`select * from pool_config where id = ${id} and user_id = ${userId}`;
  return row ?? null;
}

async function refuseName(client: PoolClient, userId: number, name: string, exceptId: number): Promise<void> {
  const isTaken = await hasRow(client)`
    select from pool_config where user_id = ${userId} and name = ${name} and id <> ${exceptId}`;
  if (isTaken) throw problems.conflict('pool_name_taken', 'There is a pool of that name.');
}

/** `url`: checked and in its canonical spelling. The checks of count and name hold, as changes take turns. Throws `Refused`. */
export function makePoolConfig(
  pool: Pool,
  secrets: Secrets,
  owner: Owner,
  { name, algorithm, url, user, password }: NewPoolConfig,
): Promise<PoolConfig> {
  return transaction(pool, async (client) => {
    await lockUser(client, owner.id);
    const isFull = await hasRow(client)`
      select from pool_config where user_id = ${owner.id} offset ${MAX_POOL_CONFIGS - 1} limit 1`;
    if (isFull) throw problems.conflict('too_many_pools', `At most ${MAX_POOL_CONFIGS} pools.`);
    await refuseName(client, owner.id, name, 0);
    const row = await oneRow<PoolConfigRow>(client)`
      insert into pool_config (user_id, name, algorithm, url, user_name, password)
      values (${owner.id}, ${name}, ${algorithm}, ${url}, ${user},
        ${password ? secrets.seal(password, ownerOf(owner.id)) : null}) returning *`;
    await writeAudit(client, { actorId: owner.id, ip: owner.ip }, 'pool_config.create', name, { after: factsOf(row) });
    return toConfig(row, 0);
  });
}

/** Locks one of the owner's saved pools until the transaction ends. Throws `Refused`. */
const lockPoolConfig = async (client: PoolClient, owner: Owner, id: number): Promise<PoolConfigRow> =>
  found(
    await firstRow<PoolConfigRow>(client)`
      select * from pool_config where id = ${id} and user_id = ${owner.id} for update`,
  );

/** Fields left out stay. A new address takes the password again: no other pool gets it. Throws `Refused`. */
export function changePoolConfig(
  run: Run,
  secrets: Secrets,
  owner: Owner,
  id: number,
  change: PoolConfigChange,
): Promise<{ config: PoolConfig; subAccountIds: number[] }> {
  return run(async (client) => {
    await lockUser(client, owner.id);
    const before = await lockPoolConfig(client, owner, id);
    const uses = await valuesOf<number>(client)`
      select sub_account_id from sub_account_pool_config where pool_config_id = ${id}`;
    const {
      name = before.name,
      algorithm = before.algorithm,
      url = before.url,
      user = before.userName,
      password,
    } = change;
    if (algorithm !== before.algorithm && uses.length)
      throw problems.conflict('pool_in_use', 'It is in a list of its algorithm: take it out first.');
    if (url !== before.url && before.password !== null && password === undefined)
      throw new Refused(400, 'password_required', {
        detail: 'Another address needs the password again.',
        errors: [{ path: 'password', message: 'is needed again' }],
      });
    await refuseName(client, owner.id, name, id);
    const isMoved = url !== before.url || user !== before.userName;
    const until = uses.length && (isMoved || password !== undefined) ? await holdLists(client, owner) : null;
    const sealed =
      password === undefined ? before.password : password === null ? null : secrets.seal(password, ownerOf(owner.id));
    const after = await oneRow<PoolConfigRow>(client)`
      update pool_config
      set name = ${name}, algorithm = ${algorithm}, url = ${url}, user_name = ${user}, password = ${sealed}
      where id = ${id} returning *`;
    await writeAudit(client, { actorId: owner.id, ip: owner.ip }, 'pool_config.update', name, {
      before: factsOf(before),
      after: { ...factsOf(after), ...(password ? { passwordChanged: true } : {}) },
    });
    if (isMoved) await warnOfPool(client, owner, after, until);
    return { config: toConfig(after, uses.length), subAccountIds: [...new Set(uses)] };
  });
}

/** Refused while a list contains it: its miners would silently go elsewhere. Throws `Refused`. */
export function deletePoolConfig(pool: Pool, owner: Owner, id: number): Promise<void> {
  return transaction(pool, async (client) => {
    const row = await lockPoolConfig(client, owner, id);
    const uses = await valuesOf<string>(client)`
      select s.name from sub_account_pool_config c join sub_account s on s.id = c.sub_account_id
      where c.pool_config_id = ${id} order by s.name`;
    if (uses.length) throw problems.conflict('pool_in_use', `Take it out of the lists first: ${uses.join(', ')}.`);
    await client.query(sql`delete from pool_config where id = ${id}`);
    await writeAudit(client, { actorId: owner.id, ip: owner.ip }, 'pool_config.delete', row.name, {
      before: factsOf(row),
    });
  });
}
