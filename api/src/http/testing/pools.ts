/** For tests of upstream pools over HTTP: two users, their sub-accounts, and a proxy with preset results. */
import { randomBytes } from 'node:crypto';
import type { PoolConfig, SubAccountPoolConfig } from '@pool/shared/api/contract';
import { PoolChanges } from '../../stratum/pool-changes';
import type { PoolStatus, PoolTarget, PoolTest } from '../../stratum/ports';
import { Secrets } from '../../platform/secrets';
import { allHandlers } from '../routes';
import { poolConfigRoutes } from '../routes/mining/pool-configs';
import { testApp, type Answer, type Person, type TestApp } from './test-app';

/** Milliseconds a failed connection test takes. */
export const FAIL_MS = 250;
/** The first one is in use. */
export const KEYS = [randomBytes(32), randomBytes(32)] as const;
export const PASSWORD = 'correct-horse-pool-password';
export const BASE = {
  algorithm: 'SHA256_ASICBOOST',
  url: 'stratum+tcp://pool.example:3333',
  user: 'wallet.rig',
  password: PASSWORD,
};

export const config = (answer: Answer) => answer.body as PoolConfig;
export const list = (answer: Answer) => answer.body as SubAccountPoolConfig[];
export const save = (who: Person, body: object): Promise<Answer> => who.post('/api/poolConfigs/', body);
export const made = async (who: Person, name: string, more: object = {}): Promise<number> => {
  const answer = await save(who, { ...BASE, name, ...more });
  expect([answer.status, answer.text]).toEqual([200, expect.any(String)]);
  return config(answer).id;
};
export const add = (who: Person, subAccountId: number, poolConfigId: number): Promise<Answer> =>
  who.post(`/api/subAccountPoolConfigs?subAccountId=${subAccountId}`, { poolConfigId });

export class PoolsTest {
  /** Sub-accounts whose lists were reported to the proxy, and the number of reports about ports. */
  readonly told: (readonly number[])[] = [];
  portsTold = 0;
  /** What the proxy reports. */
  readonly status = new Map<number, PoolStatus>();
  verdict: (target: PoolTarget) => Promise<PoolTest> = async () => 'ok';

  private constructor(
    readonly test: TestApp,
    readonly secrets: Secrets,
    readonly changes: PoolChanges,
    readonly owner: Person,
    readonly stranger: Person,
    readonly account: number,
    readonly second: number,
    readonly foreignAccount: number,
  ) {
    changes.onLists((ids) => this.told.push(ids));
    changes.onPorts(() => {
      this.portsTold += 1;
    });
  }

  static async open(): Promise<PoolsTest> {
    const secrets = new Secrets([KEYS[0]]);
    const changes = new PoolChanges();
    let opened: PoolsTest | null = null;
    const test = await testApp({
      secrets,
      changes,
      stratum: {
        poolStatus: () => opened?.status ?? new Map(),
        testPool: async (target) => opened?.verdict(target) ?? 'timeout',
      },
      handlers: (deps) => ({ ...allHandlers(deps), ...poolConfigRoutes(deps, { failMs: FAIL_MS }) }),
    });
    const [owner, stranger] = [await test.person('owner'), await test.person('stranger')];
    const second = ((await owner.post('/api/subAccounts/', { name: 'owner-two' })).body as { id: number }).id;
    const id = async (name: string) =>
      (await test.database.pool.query<{ id: number }>('select id from sub_account where name = $1', [name])).rows[0]
        ?.id ?? 0;
    opened = new PoolsTest(test, secrets, changes, owner, stranger, await id('owner'), second, await id('stranger'));
    return opened;
  }

  async query<T extends object>(text: string, values: unknown[] = []): Promise<T[]> {
    return (await this.test.database.pool.query<T>(text, values)).rows;
  }
  async read(subAccountId: number): Promise<SubAccountPoolConfig[]> {
    return list(await this.owner.call(`/api/subAccountPoolConfigs?subAccountId=${subAccountId}`));
  }

  async empty(): Promise<void> {
    await this.query('delete from sub_account_pool_config');
    await this.query('delete from pool_config');
    this.told.length = 0;
    this.status.clear();
    this.verdict = async () => 'ok';
  }
}
