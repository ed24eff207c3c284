import { eventually } from '../../testing/eventually';
import { RawClient } from '../testing/test-proxy';
import { startBuiltinPool, type BuiltinPool, type BuiltinPoolOptions } from './index';
import { blockHeader, difficultyOf, sha256d } from '../wire/proof';
import { coinbaseHead, coinbaseTail } from './template';
import { headerOf, jobOf } from '../../../../e2e/miner/work';

const hex = (value: number): string => (value >>> 0).toString(16).padStart(8, '0');

describe('proof of work', () => {
  // The first block of Bitcoin and of Litecoin.
  const genesis = (merkle: string, ntime: number, nbits: number, nonce: number): Buffer =>
    blockHeader({
      version: 1,
      prevHash: Buffer.alloc(32),
      merkleRoot: Buffer.from(merkle, 'hex').reverse(),
      ntime,
      nbits,
      nonce,
    });

  it('returns the difficulty of the first blocks of Bitcoin and Litecoin', () => {
    const bitcoin = genesis(
      '4a5e1e4baab89f3a32518a88c31bc87f618f76673e2cc77ab2127b7afdeda33b',
      1_231_006_505,
      0x1d00ffff,
      2_083_236_893,
    );
    expect(sha256d(bitcoin).reverse().toString('hex')).toBe(
      '000000000019d6689c085ae165831e934ff763ae46a2a6c172b3f1b60a8ce26f',
    );
    expect(difficultyOf('SHA256_ASICBOOST', bitcoin)).toBeCloseTo(2536.43, 1);
    const litecoin = genesis(
      '97ddfbbae6be97fd6cdf3e7ca13232a3afff2353e29badfab7f73011edd4ced9',
      1_317_972_665,
      0x1e0ffff0,
      2_084_524_493,
    );
    expect(difficultyOf('SCRYPT', litecoin)).toBeGreaterThan(16);
  });

  it('makes a coinbase that parses: one input, one output, BIP 34 height', () => {
    const tx = Buffer.from(coinbaseHead(900_000, 7) + '00'.repeat(12) + coinbaseTail('ab'.repeat(20)), 'hex');
    expect([tx.readUInt32LE(0), tx[4]]).toEqual([1, 1]);
    const script = tx[41] ?? 0;
    expect([tx[42], tx.readUIntLE(43, 3)]).toEqual([3, 900_000]);
    const outputs = 42 + script + 4;
    expect([tx[outputs], tx.readBigUInt64LE(outputs + 1), tx[outputs + 9], tx.length]).toEqual([
      1,
      312_500_000n,
      22,
      outputs + 10 + 22 + 4,
    ]);
  });
});

describe('the built-in pool', () => {
  let pool: BuiltinPool;
  const clients: RawClient[] = [];
  afterEach(async () => {
    for (const c of clients.splice(0)) c.destroy();
    await pool.stop();
  });

  /** A miner with a job, and functions that find a share whose difficulty fits and submit it. */
  async function miner(difficulty: number, options: Partial<BuiltinPoolOptions> = {}) {
    pool = await startBuiltinPool({ algorithm: 'SHA256_ASICBOOST', ...options });
    const c = new RawClient(pool.port);
    clients.push(c);
    await c.call('mining.configure', [['version-rolling'], { 'version-rolling.mask': '1fffe000' }]);
    const subscription = (await c.call('mining.subscribe', [])).result as [unknown, string, number];
    await c.call('mining.suggest_difficulty', [difficulty]);
    await c.call('mining.authorize', ['pool', 'x']);
    const notify = await c.notification('mining.notify');
    const job = jobOf(notify.params ?? [], 'sha256', difficulty);
    const find = (fits: (difficulty: number) => boolean, bits = 0): unknown[] => {
      const header = headerOf(job, Buffer.from(subscription[1], 'hex'), Buffer.alloc(subscription[2]));
      header.writeUInt32LE((job.version | bits) >>> 0, 0);
      for (let nonce = 0; ; nonce += 1) {
        header.writeUInt32LE(nonce, 76);
        if (fits(difficultyOf('SHA256_ASICBOOST', header)))
          return ['pool', job.id, '00'.repeat(subscription[2]), hex(job.ntime), hex(nonce), hex(bits)];
      }
    };
    const submit = async (params: unknown[]) => {
      const { result, error } = await c.call('mining.submit', params);
      return result === true ? true : error?.[0];
    };
    return { c, find, submit, notify };
  }

  it('checks the proof of work of every share', async () => {
    const difficulty = 1e-6;
    const { find, submit, c } = await miner(difficulty);
    const good = find((d) => d >= difficulty);
    expect(await submit(find((d) => d < difficulty * 0.99))).toBe(23);
    expect(await submit(good)).toBe(true);
    expect(await submit(good)).toBe(22);
    expect(await submit(find((d) => d >= difficulty, 0x00002000))).toBe(true);
    // The same nonce with other version bits is another hash.
    expect(await submit(good.map((p, i) => (i === 5 ? '1fffe000' : p)))).not.toBe(22);
    expect(await submit(good.map((p, i) => (i === 5 ? '20000000' : p)))).toBe(20);
    expect(await submit(good.map((p, i) => (i === 0 ? 'other' : p)))).toBe(24);
    expect(await submit(good.map((p, i) => (i === 3 ? '00000001' : p)))).toBe(20);
    expect(await submit(good.map((p, i) => (i === 2 ? '00' : p)))).toBe(20);
    expect(await submit(good.map((p, i) => (i === 1 ? 'nope' : p)))).toBe(21);
    pool.nextBlock();
    await c.line(
      (line) =>
        line.method === 'mining.notify' &&
        line.params?.[8] === true &&
        line.params[1] !== undefined &&
        c.lines.filter((l) => l.method === 'mining.notify').length > 1,
    );
    expect(await submit(find((d) => d >= difficulty, 0x00004000))).toBe(21);
  });

  it('a suggested difficulty is one message, then a clean job of other work at once; what is under way counts', async () => {
    const { find, submit, c } = await miner(1e-7);
    const late = find((d) => d >= 1e-7);
    const [first] = c.jobs;
    const after = await c.job(() => c.call('mining.suggest_difficulty', [0.5]));
    expect(c.lines.slice(-3).map(({ method, params }) => method ?? params)).toEqual([
      undefined,
      'mining.set_difficulty',
      'mining.notify',
    ]);
    expect([c.difficulties, after[8], after[1]]).toEqual([[1e-7, 0.5], true, first?.[1]]);
    expect(after[2]).not.toBe(first?.[2]);
    expect(await submit(late)).toBe(true);
    expect(await submit(late)).toBe(22);
    // Its hash is not one of the new job's.
    expect(await submit(late.map((p, i) => (i === 1 ? after[0] : p)))).toBe(23);
  });

  it('sends new jobs within a block, and none of them is clean where the difficulty stays', async () => {
    const { c } = await miner(1e-6, { jobMs: 20 });
    const notified = () => c.lines.filter((line) => line.method === 'mining.notify');
    await eventually(() => notified().length > 4, 'jobs');
    const [first, ...jobs] = notified();
    expect(first?.params?.[8]).toBe(true);
    expect(jobs.every((line) => line.params?.[8] === false)).toBe(true);
    expect(new Set(jobs.map((line) => line.params?.[0])).size).toBe(jobs.length);
    expect(new Set(jobs.map((line) => line.params?.[1])).size).toBe(1);
  });

  it("scales the required proof only with the demo's option", async () => {
    const scaled = await miner(65_536, { nominal: { scale: 2 ** 40, from: 1024 } });
    // Not below that of any rig.
    const [difficulty] = scaled.c.difficulties as [number];
    expect(difficulty).toBe(2 ** 21);
    const needed = difficulty / 2 ** 40;
    expect(await scaled.submit(scaled.find((d) => d >= needed))).toBe(true);
    expect(await scaled.submit(scaled.find((d) => d < needed * 0.99))).toBe(23);
    await pool.stop();
    const off = await miner(65_536);
    expect(await off.submit(off.find((d) => d >= needed))).toBe(23);
  });
});
