/** Money writes with an Idempotency-Key: a repeated request gets the first one's response, for 24 hours. */
import type { FastifyRequest } from 'fastify';
import type { Pool, PoolClient } from 'pg';
import { moneyTransaction } from '../../platform/db/transaction';
import { hashOf } from '../../accounts/access-tokens';
import type { Principal } from './principal';
import { Refused, problems } from '../../platform/refused';
import { hasRow, oneRow, sql } from '../../platform/db/querier';

const KEY = /^[\x21-\x7e]{1,128}$/;

function keyOf(request: FastifyRequest): string | null {
  const key = request.headers['idempotency-key']?.toString();
  if (key === undefined) return null;
  if (!KEY.test(key))
    throw problems.invalid('The Idempotency-Key is 1 to 128 visible characters.', [
      { path: 'Idempotency-Key', message: 'is not valid' },
    ]);
  return key;
}

/** Runs `work` in a transaction; a repeated key gets the stored result, with another body 422. `now`: Unix seconds. */
export function once<T>(
  pool: Pool,
  me: Principal,
  request: FastifyRequest,
  now: number,
  work: (client: PoolClient) => Promise<T>,
): Promise<{ answer: T; repeated: boolean }> {
  const key = keyOf(request);
  return moneyTransaction(pool, async (client) => {
    if (key === null) return { answer: await work(client), repeated: false };
    const { method, url, body } = request;
    const hash = hashOf(JSON.stringify([method, url, body]));
    await client.query(sql`
      delete from idempotency where user_id = ${me.user.id}
        and created_at < to_timestamp(${now}::float8) - interval '24 hours'`);
    const isMine = await hasRow(client)`insert into idempotency (user_id, key, body_hash, created_at)
      values (${me.user.id}, ${key}, ${hash}, to_timestamp(${now}::float8))
      on conflict do nothing returning key`;
    if (!isMine) {
      const first = await oneRow<{ bodyHash: string; answer: T }>(client)`
        update idempotency set key = key where user_id = ${me.user.id} and key = ${key} returning body_hash, answer`;
      if (first.bodyHash !== hash)
        throw new Refused(422, 'idempotency_key_reused', {
          detail: 'This Idempotency-Key was used for another request.',
        });
      return { answer: first.answer, repeated: true };
    }
    const answer = await work(client);
    await client.query(sql`
      update idempotency set answer = ${JSON.stringify(answer)} where user_id = ${me.user.id} and key = ${key}`);
    return { answer, repeated: false };
  });
}
