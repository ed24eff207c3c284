import { setTimeout as sleep } from 'node:timers/promises';
import { RateLimit } from '../../../platform/limits/rate-limit';
import {
  changePoolConfig,
  deletePoolConfig,
  findPoolConfig,
  makePoolConfig,
  poolConfigsOf,
  PoolRefused,
  toTarget,
} from '../../../mining/upstreams/pool-configs';
import { announceLists } from '../../../mining/upstreams/pool-hold';
import type { PoolTarget, PoolTest } from '../../../stratum/ports';
import { SecretUnreadable } from '../../../platform/secrets';
import { canonicalHost, OutboundRefused } from '../../../platform/outbound';
import { BadUpstreamUrl, parseUpstream } from '../../../stratum/upstream/upstream-target';
import type { AlgorithmName } from '@pool/shared/domain';
import type { Deps } from '../../context/deps';
import { found, HttpProblem, problems } from '../../server/problem';
import type { Principal } from '../../auth/principal';
import { checkRecent, reverify } from '../../auth/recent';
import type { Context, Handlers } from '../../auth/route';

const TESTS_A_MINUTE = 10;
/** A little longer than the longest test, so that all failed tests take the same time. */
const FAIL_MS = 10_500;

export function refusal(error: unknown): never {
  if (!(error instanceof PoolRefused)) throw error;
  if (error.code === 'not_found') throw problems.notFound();
  if (error.code === 'reverification_required') throw reverify();
  if (error.code === 'password_required')
    throw new HttpProblem(400, error.code, {
      detail: error.message,
      errors: [{ path: 'password', message: 'is needed again' }],
    });
  throw problems.conflict(error.code, error.message);
}

/** Hides why a pool was not reached, and how soon: the test is no scanner of networks (security.md, row 50). */
async function hideFailureKind(test: Promise<PoolTest>, failMs: number): Promise<'ok' | 'auth_failed' | 'refused'> {
  const enough = sleep(failMs, 'refused' as const, { ref: false });
  const result = await test;
  return result === 'ok' || result === 'auth_failed' ? result : enough;
}

export function poolConfigRoutes(
  { pool, config: { WALLET_HOLD_HOURS: holdHours }, secrets, outbound, changes, bus, stratum }: Deps,
  { failMs = FAIL_MS } = {},
) {
  const tests = new RateLimit(TESTS_A_MINUTE);

  /** The URL in its canonical spelling. All that are not allowed get one error, which tells no names apart. */
  const checked = async (algorithm: AlgorithmName, text: string): Promise<string> => {
    try {
      const { host, port, tls } = parseUpstream(algorithm, text);
      await outbound.resolve(host, port);
      const name = canonicalHost(host);
      return `stratum+${tls ? 'ssl' : 'tcp'}://${name.includes(':') ? `[${name}]` : name}:${port}`;
    } catch (error) {
      if (!(error instanceof OutboundRefused || error instanceof BadUpstreamUrl)) throw error;
      throw problems.address('upstream_not_allowed');
    }
  };

  const targetOf = async (me: Principal, body: Context<'POST /poolConfigs/test'>['body']): Promise<PoolTarget> => {
    if (!('id' in body)) {
      const url = await checked(body.algorithm, body.url);
      return { ...parseUpstream(body.algorithm, url), id: 0, user: body.user, password: body.password ?? 'x' };
    }
    const row = found(await findPoolConfig(pool, me.user.id, body.id));
    await checked(row.algorithm, row.url);
    try {
      return toTarget(row, secrets, 0);
    } catch (error) {
      if (error instanceof SecretUnreadable)
        throw problems.conflict('password_unreadable', 'The stored password cannot be read: give it again.');
      throw error;
    }
  };

  return {
    'GET /poolConfigs/': ({ me }) => poolConfigsOf(pool, me.user.id),
    'POST /poolConfigs/': async ({ me, body, request: { ip } }) => {
      const url = await checked(body.algorithm, body.url);
      checkRecent(me);
      return makePoolConfig(pool, secrets, { id: me.user.id, ip, holdHours }, { ...body, url }).catch(refusal);
    },
    'PUT /poolConfigs/{id}': async ({ me, params: { id }, body, request: { ip } }) => {
      const known = found(await findPoolConfig(pool, me.user.id, id));
      const url = body.url === undefined ? undefined : await checked(known.algorithm, body.url);
      checkRecent(me);
      const by = { id: me.user.id, ip, holdHours };
      const changed = await changePoolConfig(pool, secrets, by, id, { ...body, url }).catch(refusal);
      const { config, subAccountIds } = changed;
      if (subAccountIds.length) announceLists(changes, bus, me.user.id, subAccountIds);
      return config;
    },
    'DELETE /poolConfigs/{id}': async ({ me, params: { id }, request: { ip } }) => {
      await deletePoolConfig(pool, { id: me.user.id, ip, holdHours }, id).catch(refusal);
      return { deleted: true };
    },
    'POST /poolConfigs/test': async ({ me, body }) => {
      const wait = tests.take(String(me.user.id));
      if (wait) throw problems.tooMany('too_many_tests', wait, `At most ${TESTS_A_MINUTE} a minute.`);
      return { result: await hideFailureKind(stratum.testPool(await targetOf(me, body)), failMs) };
    },
  } satisfies Partial<Handlers>;
}
