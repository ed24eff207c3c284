/** What a page gets of a long list that it has already: changes, which make the whole list again. */
import type { Contract, Worker } from '@pool/shared/api/contract';
import { byTrouble } from '@pool/shared/domain';
import type { z } from 'zod';
import { testApp, type Person, type TestApp } from '../../testing/test-app';

type List = z.output<Contract['GET /liveWorkers/']['response']>;

describe('changes of a long list of workers', () => {
  let test: TestApp;
  let owner: Person;
  /** A quarter of an hour, so that the minutes below stay in one hour. */
  let now = Math.floor(Date.now() / 3_600_000) * 3600 + 900;
  let page: List;

  beforeAll(async () => {
    test = await testApp({ now: () => now });
    owner = await test.person('owner');
    await test.work(
      ['first', 'second', 'third'].map((worker) => ({ account: 'owner', worker, at: now - 60, accepted: 1e6 })),
    );
    await test.database.pool.query(
      `insert into worker (sub_account_id, algorithm, name)
       select id, 'SHA256_ASICBOOST', 'idle-' || n from sub_account, generate_series(1, 1000) n where name = 'owner'`,
    );
    page = await get('?sort=name');
  });
  afterAll(() => test.close());

  const get = async (query: string): Promise<List> => {
    const { status, body } = await owner.call(`/api/liveWorkers/${query}`);
    expect(status).toBe(200);
    return body as List;
  };
  const since = (version = page.version ?? 'none', query = '&sort=name'): Promise<List> =>
    get(`?since=${encodeURIComponent(version)}${query}`);
  const named = (rows: readonly Pick<Worker, 'id'>[]): string[] =>
    rows.map(({ id }) => page.workers.find((worker) => worker.id === id)?.name ?? `${id}`);
  /** The list of the page with an answer's changes. */
  const applied = ({ workers, numbers = [] }: List): Worker[] =>
    page.workers.map((old) => {
      const latest = numbers.find(({ id }) => id === old.id);
      if (!latest) return workers.find(({ id }) => id === old.id) ?? old;
      const { measuring: _m, backSince: _b, ...rest } = old;
      return {
        ...rest,
        ...latest,
        spark: old.spark.with(-1, latest.spark.at(-1) ?? null).with(-2, latest.spark.at(-2) ?? null),
      };
    });
  const ask = async (seconds: number): Promise<List> => {
    now += seconds;
    const answer = await since();
    const whole = await get('?sort=name');
    expect(applied(answer)).toEqual(whole.workers);
    expect(answer).toMatchObject({ version: whole.version, counts: whole.counts, total: whole.total });
    page = whole;
    return answer;
  };

  it('are numbers of those that mined, and whole rows of those with other changes', async () => {
    expect(page.workers).toHaveLength(1003);
    expect(page.numbers).toBeUndefined();
    await test.work([{ account: 'owner', worker: 'second', at: now, accepted: 5e6, rejected: 1e3 }]);
    await test.database.pool.query("update worker set muted = true where name = 'idle-7'");
    await test.database.pool.query(
      "update worker_live set software = 'new/2' where worker_id = (select id from worker where name = 'third')",
    );
    const answer = await ask(30);
    expect(named(answer.numbers ?? [])).toEqual(['first', 'second']);
    expect(named(answer.workers)).toEqual(['idle-7', 'third']);
    // The same reading again.
    expect(await since()).toMatchObject({ workers: [], numbers: [], version: page.version });
    // Silent for ten minutes: the state changes by itself.
    const later = await ask(900);
    expect(later.numbers?.find(({ id }) => named([{ id }])[0] === 'first')).toMatchObject({ state: 'offline' });
    expect(later.workers).toEqual([]);
  });

  it('are counted from any reading, and whole rows as hours end', async () => {
    const old = page;
    await ask(20);
    await ask(20);
    page = old;
    await ask(0);
    expect(named((await ask(7200)).workers)).toEqual(['first', 'second', 'third']);
    expect((await ask(20)).workers).toEqual([]);
  });

  it('have no parts when workers came, went or changed by their owner, after a start, or in another order', async () => {
    const whole = async (answer: Promise<List>, rows = page.workers.length): Promise<void> => {
      const { numbers, workers } = await answer;
      expect([numbers, workers.length]).toEqual([undefined, rows]);
    };
    await whole(since('none'));
    await whole(since(`${page.version}0`));
    expect((await since(page.version, '&sort=-name')).version).toBeUndefined();
    await whole(since(page.version, '&sort=-name'));
    await whole(since(page.version, '&sort=state'));
    await whole(since(page.version, '&sort=name&search=idle-99'), 11);
    expect((await since()).numbers).toEqual([]);
    const gone = page.workers.find(({ name }) => name === 'idle-1');
    const body = { ids: [gone?.id], action: 'delete' };
    expect((await owner.post('/api/workers/bulk', body)).status).toBe(200);
    await whole(since(), 1002);
    page = await get('?sort=name');
    await test.work([{ account: 'owner', worker: 'new', at: now, accepted: 1e6 }]);
    now += 20;
    await whole(since(), 1003);
  });

  it('are of the whole list also when it was read in several answers', async () => {
    const [first, last] = [await get('?sort=name&limit=600'), await get('?sort=name&limit=600&cursor=o600')];
    expect([...first.workers, ...last.workers]).toEqual((await get('?sort=name')).workers);
    expect([first.nextCursor, last.nextCursor, last.version]).toEqual(['o600', null, first.version]);
    await test.work([{ account: 'owner', worker: 'third', at: now, accepted: 1e6 }]);
    now += 20;
    const { numbers, nextCursor } = await since(first.version, '&sort=name&limit=600');
    expect(named(numbers ?? [])).toContain('third');
    expect(nextCursor).toBeNull();
  });

  it('begin after the workers in most trouble, from which the list goes on by name from its start', async () => {
    const { workers, nextCursor, version, counts, total } = await get('?sort=name&worst=2');
    const all = await get(`?sort=name&worst=2&cursor=${nextCursor}`);
    const worst = new Set(all.workers.toSorted(byTrouble).slice(0, 2));
    expect(workers).toEqual(all.workers.filter((worker) => worst.has(worker)));
    expect([version, counts, total]).toEqual([undefined, all.counts, all.workers.length]);
    expect([all.nextCursor, typeof all.version]).toEqual([null, 'string']);
    expect((await get('?sort=name&worst=5000')).workers).toEqual(all.workers);
  });

  it('are not offered for a short list', async () => {
    const other = await test.person('other');
    await test.work([{ account: 'other', at: now, accepted: 1e6 }]);
    const { body } = await other.call(`/api/liveWorkers/?sort=name&since=${page.version}`);
    expect(body).toMatchObject({ workers: [{ name: 'rig' }] });
    expect(body).not.toHaveProperty('version');
    expect(body).not.toHaveProperty('numbers');
  });
});
