import { connections } from '../testing/answers';
import { minerUri, stratumUrl } from './connection';

const [sha] = connections;

test('the URL has the TLS port when there is one and TLS is wanted', () => {
  expect(stratumUrl(sha!)).toBe('stratum+tcp://sha.pool.example:3311');
  expect(stratumUrl({ ...sha!, tlsPort: 4433 }, true)).toBe('stratum+ssl://sha.pool.example:4433');
  expect(stratumUrl(sha!, true)).toBe('stratum+tcp://sha.pool.example:3311');
});

test('the QR code carries URL, worker and password', () => {
  expect(minerUri(sha!)).toBe('stratum+tcp://northfield.rig-01:x@sha.pool.example:3311');
  expect(minerUri({ ...sha!, passwordSet: true })).toBe('stratum+tcp://northfield.rig-01@sha.pool.example:3311');
});
