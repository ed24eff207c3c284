import { setTimeout as sleep } from 'node:timers/promises';
import { RateLimit } from '../../../platform/limits/rate-limit';
import {
  changePoolConfig,
  deletePoolConfig,
  findPoolConfig,
  makePoolConfig,
  type PoolConfigRow,
  poolConfigsOf,
  toTarget,
} from '../../../mining/upstreams/pool-configs';
import { announceLists } from '../../../mining/upstreams/pool-hold';
import { listsAround } from '../../../mining/upstreams/pool-list-edit';
import { transaction, type Run } from '../../../platform/db/transaction';
import type { PoolTarget, PoolTest } from '../../../stratum/ports';
import { SecretUnreadable } from '../../../platform/secrets';
import { canonicalHost, OutboundRefused } from '../../../platform/outbound';
import { BadUpstreamUrl, parseUpstream } from '../../../stratum/upstream/upstream-target';
import type { AlgorithmName } from '@pool/shared/domain';
import type { Deps } from '../../context/deps';
import { found, problems } from '../../../platform/refused';
import type { Principal } from '../../auth/principal';
import { checkRecent } from '../../auth/recent';
import type { Context, Handlers } from '../../auth/route';

const TESTS_A_MINUTE = 10;
/** A little longer than the longest test, so that all failed tests take the same time. */
const FAIL_MS = 10_500;

/** Hides why a pool was not reached, and how soon: the test is no scanner of networks (docs/security.md, 50). */
async function hideFailureKind(test: Promise<PoolTest>, failMs: number): Promise<'ok' | 'auth_failed' | 'refused'> {
  const enough = sleep(failMs, 'refused' as const, { ref: false });
  const result = await test;
  return result === 'ok' || result === 'auth_failed' ? result : enough;
}

type PoolFacts = Pick<PoolConfigRow, 'name' | 'algorithm' | 'url' | 'userName' | 'password'>;
const shownPool = ({ name, algorithm, url, userName: user, password }: PoolFacts) => ({
  ...{ name, algorithm, url, user },
  password: password === null ? ('none' as const) : ('set' as const),
});

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

  const change = async ({ me, params: { id }, body, request: { ip } }: Context<'PUT /poolConfigs/{id}'>, run: Run) => {
    const known = found(await findPoolConfig(pool, me.user.id, id));
    const url = body.url === undefined ? undefined : await checked(known.algorithm, body.url);
    checkRecent(me);
    return changePoolConfig(run, secrets, { id: me.user.id, ip, holdHours }, id, { ...body, url });
  };

  return {
    'GET /poolConfigs/': ({ me }) => poolConfigsOf(pool, me.user.id),
    'POST /poolConfigs/': {
      shows: async ({ body: { password, ...body } }) => {
        const url = await checked(body.algorithm, body.url);
        return { before: null, after: { ...body, url, password: password ? 'set' : 'none' } };
      },
      handle: async ({ me, body, request: { ip } }) => {
        const url = await checked(body.algorithm, body.url);
        checkRecent(me);
        return makePoolConfig(pool, secrets, { id: me.user.id, ip, holdHours }, { ...body, url });
      },
    },
    'PUT /poolConfigs/{id}': {
      shows: async (c) => {
        const known = found(await findPoolConfig(pool, c.me.user.id, c.params.id));
        const before = shownPool(known);
        let after = before;
        const lists = await listsAround(pool, c.me.user.id, async (run) => {
          const { config } = await change(c, run);
          after = shownPool({ ...config, userName: config.user, password: config.passwordSet ? '' : null });
        });
        const password = c.body.password ? ('new' as const) : after.password;
        return {
          name: known.name,
          before: { ...before, ...lists.before },
          after: { ...after, password, ...lists.after },
        };
      },
      handle: async (c) => {
        const { config, subAccountIds } = await change(c, (work) => transaction(pool, work));
        if (subAccountIds.length) announceLists(changes, bus, c.me.user.id, subAccountIds);
        return config;
      },
    },
    'DELETE /poolConfigs/{id}': {
      shows: async ({ me, params: { id } }) => {
        const known = found(await findPoolConfig(pool, me.user.id, id));
        return { name: known.name, before: shownPool(known), after: null };
      },
      handle: async ({ me, params: { id }, request: { ip } }) => {
        await deletePoolConfig(pool, { id: me.user.id, ip, holdHours }, id);
        return { deleted: true };
      },
    },
    'POST /poolConfigs/test': async ({ me, body }) => {
      const wait = tests.take(String(me.user.id));
      if (wait) throw problems.tooMany('too_many_tests', wait, `At most ${TESTS_A_MINUTE} a minute.`);
      return { result: await hideFailureKind(stratum.testPool(await targetOf(me, body)), failMs) };
    },
  } satisfies Partial<Handlers>;
}
