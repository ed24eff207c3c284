/** The price source: stores good prices, keeps the last good price when it reads a bad one (security.md 30). */
import { databaseOfFile } from '../../platform/db/testing/test-database';
import { startOfDay } from '../../platform/days';
import { createLog } from '../../platform/log';
import { startHttp } from '../../testing/http-server';
import { bitcoinPrice, pricesOf } from './prices';
import { readPrices, startPriceSource } from './price-source';
import { unreadEntries } from './unread';

const NOW = startOfDay('2026-11-20') + 3600;
const GOOD = { btcPriceUsd: 97_000, prices: { SHA256_ASICBOOST: 0.0005, SCRYPT: 0.009 } };

describe('price source', () => {
  const database = databaseOfFile();
  let url: string;
  let close: () => void;
  let body = '';
  beforeAll(async () => {
    ({ url, close } = await startHttp((_, response) => {
      response.setHeader('content-type', 'application/json').end(body);
    }));
  });
  afterAll(() => close());

  const taken = async () => (await readPrices(database.pool, url, NOW)).taken;

  it('row 30: stores good prices, rejects bad ones, and marks old ones as stale', async () => {
    body = JSON.stringify(GOOD);
    expect(await taken()).toEqual(['SHA256_ASICBOOST', 'SCRYPT']);
    const good = await pricesOf(database.pool, '2026-11-20');
    expect(good.SCRYPT).toMatchObject({ priceBtc: 0.009, btcPriceUsd: 97_000, source: 'source' });
    for (const bad of [0, -1, 1e12, 0.0005 * 4, 0.0005 / 4]) {
      body = JSON.stringify({ ...GOOD, prices: { SHA256_ASICBOOST: bad, SCRYPT: bad } });
      expect(await taken()).toEqual([]);
    }
    body = JSON.stringify({ ...GOOD, btcPriceUsd: 1 });
    expect(await taken()).toEqual([]);
    for (const text of ['', 'no', '{"btcPriceUsd":"97000","prices":{}}', `"${'x'.repeat(70_000)}"`]) {
      body = text;
      await expect(readPrices(database.pool, url, NOW)).rejects.toThrow();
    }
    expect(await pricesOf(database.pool, '2026-11-20')).toEqual(good);
    expect(await bitcoinPrice(database.pool, NOW + 2 * 86_400)).toMatchObject({ price: 97_000, stale: false });
    expect(await bitcoinPrice(database.pool, NOW + 3 * 86_400)).toMatchObject({ price: 97_000, stale: true });
  });

  it.each<[what: string, said: string, taken: string[], unread: string[]]>([
    [
      'null',
      '{"btcPriceUsd":97000,"prices":{"SHA256_ASICBOOST":0.0005,"SCRYPT":null}}',
      ['SHA256_ASICBOOST'],
      ['SCRYPT'],
    ],
    ['nothing', '{"btcPriceUsd":97000,"prices":{"SCRYPT":0.009}}', ['SCRYPT'], ['SHA256_ASICBOOST']],
    [
      'no price of bitcoin',
      JSON.stringify({ ...GOOD, btcPriceUsd: null }),
      ['SHA256_ASICBOOST', 'SCRYPT'],
      ['bitcoin'],
    ],
    ['<html>', '<html>', [], ['SCRYPT', 'bitcoin', 'SHA256_ASICBOOST']],
  ])('an odd entry spoils no other: %s', async (_, said, good, unread) => {
    await database.pool.query("delete from setting where name like 'feed.%'");
    body = said;
    const log = createLog('silent');
    for (const at of [NOW, NOW + 600]) {
      await startPriceSource({ pool: database.pool, url, log, now: () => at }).stop();
      if (good.length > 0) expect(await taken()).toEqual(good);
      const since = new Date(NOW * 1000).toISOString();
      expect(await unreadEntries(database.pool, at)).toEqual(unread.map((entry) => ({ entry, since })));
    }
    expect(await unreadEntries(database.pool, NOW + 7200)).toEqual([]);
  });

  it('does not overwrite a price set by hand', async () => {
    await database.pool.query(
      "update day_price set source = 'manual', price_btc = 0.0006 where algorithm = 'SHA256_ASICBOOST'",
    );
    body = JSON.stringify(GOOD);
    await readPrices(database.pool, url, NOW);
    expect((await pricesOf(database.pool, '2026-11-20')).SHA256_ASICBOOST).toMatchObject({
      priceBtc: 0.0006,
      source: 'manual',
    });
  });
});
