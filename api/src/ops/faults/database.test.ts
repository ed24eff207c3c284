/** Faults of a PostgreSQL under mining, each with its alarm (docs/monitoring.md, faults). */
import { connectTo } from '../../platform/db/testing/postgres';
import { heavy, Product } from './testing/product';

let product: Product;
beforeAll(async () => {
  product = await Product.start();
}, 120_000);
afterAll(() => product.stop());

/** What PostgreSQL does by itself on a failover to a standby, and an operator by hand. */
const readOnly = async (on: boolean): Promise<void> => {
  await product.database.pool.query(`alter system set default_transaction_read_only = ${on ? 'on' : 'off'}`);
  await product.database.pool.query('select pg_reload_conf()');
};

heavy('database that only reads: shares wait, and count afterwards', () =>
  product.suffer({
    alarm: 'CountingStandsStill',
    begin: () => readOnly(true),
    end: () => readOnly(false),
    mines: true,
  }),
);

heavy('database that is away: miners mine, and all counts afterwards', () =>
  product.suffer({
    alarm: 'DatabaseAway',
    begin: () => product.cluster.halt(),
    end: () => product.cluster.start(),
    mines: true,
    hindrance: 'database',
  }),
);

heavy('database that answers each statement after 6 s: miners mine, and all counts afterwards', () =>
  product.suffer({
    alarm: 'DatabaseAway',
    begin: () => product.link.slow(6000),
    end: () => product.link.slow(0),
    mines: true,
    hindrance: 'database',
  }),
);

heavy('database that is silent: connections are given up, counting goes on', () =>
  product.suffer({
    alarm: 'CountingStandsStill',
    begin: () => product.link.cut('new'),
    end: () => product.link.mend(),
    mines: true,
    hindrance: 'database',
  }),
);

heavy('a standby that takes over without the last commits: what it lacks counts again, once', () =>
  product.suffer({
    alarm: 'CommitsLost',
    begin: () => product.failOver(),
    end: () => undefined,
    mines: true,
  }),
);

heavy('a table that somebody has locked: shares wait, and count afterwards', async () => {
  const somebody = await connectTo(product.cluster.url);
  await product.suffer({
    alarm: 'JournalNotCounted',
    begin: async () => {
      await somebody.query('begin');
      await somebody.query('lock table ingest_batch');
    },
    end: () => somebody.end(),
    mines: true,
    hindrance: 'counting',
  });
});

// The database gets functions of its own named `now`.
heavy.each(['a day ahead', 'a day behind'])(
  'clock of the database that is set, %s: no day is closed early, and shares keep their day',
  async (off) => {
    const { pool } = product.database;
    await pool.query(`
      create table if not exists clock_offset as select interval '0' as value;
      create or replace function public.now() returns timestamptz language sql stable
        as 'select pg_catalog.now() + (select value from public.clock_offset)';
      alter database postgres set search_path = public, pg_catalog`);
    const set = async (value: string): Promise<void> => {
      await pool.query('update clock_offset set value = $1', [value]);
    };
    await product.end();
    await product.run();
    await product.suffer({
      alarm: 'ClocksApart',
      begin: () => set(off === 'a day ahead' ? '1 day' : '-1 day'),
      end: () => set('0'),
      mines: true,
    });
  },
);
