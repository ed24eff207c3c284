import { connection } from '@pool/shared/testing';
import { linesFor, minerSettings, minerUri } from './miner-settings';

const plain = { name: 'rig-01', difficulty: null };

test('address, worker and password; the TLS address only where the pool has one', () => {
  expect(minerSettings(connection(), plain)).toEqual({
    url: 'stratum+tcp://sha.pool.example:3311',
    tlsUrl: null,
    user: 'northfield.rig-01',
    password: 'x',
  });
  expect(minerSettings(connection({ tlsPort: 4433 }), plain).tlsUrl).toBe('stratum+ssl://sha.pool.example:4433');
});

test('the password carries the difficulty and the miner password, which stays out of the QR code', () => {
  const wish = { name: 'hall.7', difficulty: 1024 };
  const open = minerSettings(connection(), wish);
  expect(open.password).toBe('d=1024');
  expect(minerUri(open)).toBe('stratum+tcp://northfield.hall.7:d%3D1024@sha.pool.example:3311');
  const closed = minerSettings(connection({ passwordSet: true }), wish);
  expect(closed.password).toBe('d=1024,PASSWORD');
  expect(minerUri(closed)).toBe('stratum+tcp://northfield.hall.7@sha.pool.example:3311');
});

test('lines are whole: every one has the address, the worker and the password', () => {
  for (const algorithm of ['SHA256_ASICBOOST', 'SCRYPT'] as const) {
    const settings = minerSettings(connection({ algorithm }), { name: 'a', difficulty: 64 });
    const lines = linesFor(algorithm);
    expect(lines.length).toBeGreaterThan(2);
    for (const { text } of lines)
      for (const part of [settings.url, settings.user, settings.password]) expect(text(settings)).toContain(part);
  }
  expect(linesFor('SCRYPT').map(({ text }) => text(minerSettings(connection({ port: 3312 }), plain)))).toContain(
    'minerd -a scrypt -o stratum+tcp://sha.pool.example:3312 -u northfield.rig-01 -p x',
  );
});
