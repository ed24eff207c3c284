/** Full disks of a PostgreSQL, each with its alarm (docs/monitoring.md, faults). */
import { eventually } from '../../testing/eventually';
import { databaseDisk, whyNoDisk } from './testing/database-disk';
import { Product } from './testing/product';

const why = process.env.HEAVY ? whyNoDisk() : null;
if (why !== null) process.stdout.write(`Left out: full disks of PostgreSQL. Nothing can be mounted here: ${why}\n`);
const heavy = process.env.HEAVY && why === null ? it : it.skip;
let product: Product;
afterEach(() => product.stop());

/** Takes what room there is left, by a statement that needs some, until it fails. */
const untilFull = (statement: string): Promise<true> =>
  eventually(
    () =>
      product.database.pool.query(statement).then(
        () => false,
        () => true,
      ),
    `"${statement}" without room`,
  );

heavy(
  'full disk of the data: pages are read, what is written says 503, miners mine, and all counts afterwards',
  async () => {
    const disk = databaseDisk('data');
    product = await Product.start({ cluster: disk.start });
    await product.suffer({
      alarm: 'CountingStandsStill',
      begin: async () => {
        const { token } = await product.signIn();
        disk.fill();
        await untilFull("insert into ingest_batch (proxy_id, sequence) select 'full', count(*) from ingest_batch");
        expect(await product.call('/payment/', token)).toMatchObject({ status: 200 });
        // The last page of its tables has room for minutes.
        await eventually(async () => (await product.ready()).includes('counting'), 'counting without room', 300_000);
      },
      during: async () => {
        // The last page of a table has room for some more.
        const written = await eventually(async () => {
          const answer = await product.signIn();
          return answer.status !== 200 && answer;
        }, 'a sign-in without room');
        const log = written.status === 503 ? '' : product.servers.get('server')?.output();
        expect({ ...written, log }).toMatchObject({
          status: 503,
          body: expect.stringContaining('unavailable'),
          log: '',
        });
      },
      end: disk.makeRoom,
      mines: true,
      hindrance: 'counting',
    });
  },
  600_000,
);

heavy('full disk of the log of changes: pages say 503, miners mine, and all counts afterwards', async () => {
  const disk = databaseDisk('log');
  product = await Product.start({ cluster: disk.start });
  await product.suffer({
    alarm: 'DatabaseAway',
    begin: async () => {
      const { token } = await product.signIn();
      disk.fill();
      await untilFull('select pg_switch_wal()');
      const read = await eventually(async () => {
        const answer = await product.call('/payment/', token);
        return answer.status !== 200 && answer;
      }, 'a call without a database');
      expect(read).toMatchObject({ status: 503, body: expect.stringContaining('"database_unavailable"') });
    },
    end: async () => {
      disk.makeRoom();
      // Without room it has ended itself.
      await product.cluster.halt();
      await product.cluster.start();
    },
    mines: true,
    hindrance: 'database',
  });
});
