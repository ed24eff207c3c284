/** Lines of the journal that a disk has changed are set aside, never counted; lines of older versions still count. */
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import pino from 'pino';
import { Registry } from 'prom-client';
import type { Database } from '../../platform/db/database';
import { insertUsers, testDatabase } from '../../platform/db/testing/test-database';
import type { Share } from '../../stratum/ports';
import { ShareIngest } from './ingest';
import { decodeShare, encodeShare } from './journal/share-line';

const AT = Math.floor(Date.now() / 60_000) * 60_000 - 600_000;
const share = (change: Partial<Share> = {}): Share => ({
  subAccountId: 1,
  algorithm: 'SCRYPT',
  worker: 'rig',
  difficulty: 1024,
  outcome: 'accepted',
  at: AT,
  ...change,
});
/** Line as versions before the checksum wrote it, and as a person mends one. */
const withoutChecksum = ({ at, subAccountId, algorithm, worker, outcome, difficulty }: Share): string =>
  JSON.stringify([at, subAccountId, algorithm, worker, outcome, difficulty]);

describe('a line', () => {
  it('is read with its checksum, and without one', () => {
    const odd = share({ worker: 'rig 12345678', difficulty: 0.1 + 0.2, ownPool: true });
    expect(decodeShare(encodeShare(odd))).toEqual(odd);
    expect(decodeShare(withoutChecksum(share()))).toEqual(share());
    const taken = share({ taken: { upstream: 'pool.example:3333 wallet.rig', accepted: 0.25 } });
    expect(decodeShare(encodeShare(taken))).toEqual(taken);
  });

  it.each([
    '',
    '{',
    '[1,2,"X","w","accepted",1]',
    '[1,2,"SCRYPT","w","maybe",1]',
    '[1,"2","SCRYPT","w","accepted",1]',
    '[1,2,"SCRYPT","w","accepted",1,7]',
    '[1,2,"SCRYPT","w","accepted",1,"pool.example:3333 pool",-1]',
  ])('is no share: %s', (line) => expect(decodeShare(line)).toBeNull());

  it('is no share any more when any bit of it has flipped', () => {
    const line = Buffer.from(encodeShare(share()));
    for (let bit = 0; bit < line.length * 8; bit += 1) {
      const damaged = Buffer.from(line);
      damaged.writeUInt8(damaged.readUInt8(bit >> 3) ^ (1 << (bit & 7)), bit >> 3);
      expect(decodeShare(damaged.toString())).toBeNull();
    }
  });
});

describe('a segment', () => {
  let database: Database;
  let folder: string;
  beforeAll(async () => {
    database = await testDatabase();
    await insertUsers(database, 'alice');
    folder = mkdtempSync(join(tmpdir(), 'damaged-'));
  });
  afterAll(async () => {
    await database.close();
    rmSync(folder, { recursive: true, force: true });
  });

  it('with a flipped digit counts all lines but that one, which is kept and told', async () => {
    const flipped = encodeShare(share()).replace(',1024]', ',9024]');
    const lines = [encodeShare(share()), flipped, withoutChecksum(share()), encodeShare(share())];
    writeFileSync(join(folder, `${'ab'.repeat(8)}-0000000001.jsonl`), lines.map((line) => `${line}\n`).join(''));
    const logged: string[] = [];
    const log = pino({ level: 'error' }, { write: (line: string) => void logged.push(line) });
    const metrics = new Registry();
    const ingest = await ShareIngest.open({ pool: database.pool, folder, log, metrics, flushMs: 3_600_000 });
    const [refused, ...more] = await ingest.uncounted();
    expect(refused).toMatchObject({ day: new Date(AT).toISOString().slice(0, 10), why: 'refused', lines: 1 });
    expect(more).toEqual([]);
    expect(readFileSync(refused?.paths[0] ?? '', 'utf8')).toBe(`${flipped}\n`);
    const { rows } = await database.pool.query('select sum(accepted) as accepted from account_1d');
    expect(rows).toEqual([{ accepted: 3 * 1024 }]);
    expect(logged.join('')).toContain('damaged lines of the journal were set aside');
    expect(await metrics.metrics()).toContain('ingest_damaged_lines_total 1');
    await ingest.stop();
  });
});
