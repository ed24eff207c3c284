/** Faults of the upstream pool, each with its alarm (docs/monitoring.md, faults). */
import { Product } from './testing/product';
import { type Liar, startLiar } from './testing/liar';

const heavy = process.env.HEAVY ? describe : describe.skip;
heavy('the upstream pool', () => {
  let product: Product;
  let liar: Liar;
  beforeAll(async () => {
    product = await Product.start();
    liar = await startLiar(product.upstream.port);
  }, 120_000);
  afterAll(async () => {
    await product.stop();
    await liar.close();
  });

  it('that is gone: miners stay connected, and have work again with it', () =>
    product.suffer({
      alarm: 'NoUpstream',
      begin: () => product.upstream.stop(),
      end: () => product.restartUpstream(),
      mines: false,
    }));

  it('that flaps: miners stay connected, and have work again when it keeps its connections', async () => {
    await product.end();
    await product.run('server', { UPSTREAM_SHA256: `stratum+tcp://pool:x@127.0.0.1:${liar.port}` });
    await product.suffer({
      alarm: 'UpstreamFlaps',
      begin: () => {
        liar.keepsMs = 2000;
        liar.drop();
      },
      end: () => {
        liar.keepsMs = 0;
      },
      mines: false,
    });
  });

  it('that lies about good shares: what it denies is not credited, and nobody is disconnected', async () => {
    await product.end();
    await product.run('server', { UPSTREAM_SHA256: `stratum+tcp://pool:x@127.0.0.1:${liar.port}` });
    await product.suffer({
      alarm: 'UpstreamRejects',
      begin: () => {
        liar.every = 4;
      },
      during: () => expect(liar.denied).toBeGreaterThan(0),
      end: () => {
        liar.every = 0;
      },
      mines: true,
    });
  });
});
