/** Faults of a PostgreSQL under mining, each with its alarm (docs/operations.md, faults). */
import { Product } from './testing/product';

const heavy = process.env.HEAVY ? it : it.skip;
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

it('database that only reads: shares wait, and count afterwards', () =>
  product.suffer({
    alarm: 'CountingStandsStill',
    begin: () => readOnly(true),
    end: () => readOnly(false),
    mines: true,
  }));

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

heavy('server that starts while the database is away: miners mine, and all counts afterwards', () =>
  product.suffer({
    alarm: 'DatabaseAway',
    begin: async () => {
      await product.end();
      await product.cluster.halt();
      await product.run();
    },
    end: () => product.cluster.start(),
    mines: true,
    disconnects: true,
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
