/**
 * tsx e2e/miner/main.ts --url stratum+tcp://127.0.0.1:3311 --user account.worker [--algorithm sha256|scrypt]
 *   [--seconds N] [--rate shares/s] [--hashrate H/s] [--log file]
 * Every answered share is a line of JSON in the log (default: standard output).
 */
import { openSync, writeSync } from 'node:fs';
import { parseArgs } from 'node:util';
import { Miner } from './miner';
import { HASHES_PER_DIFFICULTY } from './work';

const { values } = parseArgs({
  options: {
    url: { type: 'string', default: 'stratum+tcp://127.0.0.1:3311' },
    user: { type: 'string' },
    password: { type: 'string', default: 'x' },
    algorithm: { type: 'string', default: 'sha256' },
    seconds: { type: 'string' },
    rate: { type: 'string', default: '1' },
    hashrate: { type: 'string' },
    log: { type: 'string' },
  },
});
const address = /^stratum\+(?:tcp|ssl):\/\/(\[[^\]]+\]|[^:/]+):(\d+)\/?$/.exec(values.url);
const { algorithm } = values;
if (!address?.[1] || !values.user || (algorithm !== 'sha256' && algorithm !== 'scrypt')) {
  console.error(
    'usage: --url stratum+tcp://host:port or stratum+ssl://host:port --user account.worker ' +
      '[--algorithm sha256|scrypt] [--seconds N] [--rate shares/s] [--hashrate H/s] [--log file]',
  );
  process.exit(2);
}
const log = values.log ? openSync(values.log, 'a') : 1;
const miner = new Miner({
  host: address[1].replace(/^\[|\]$/g, ''),
  port: Number(address[2]),
  user: values.user,
  password: values.password,
  algorithm,
  ...(values.url.startsWith('stratum+ssl:') ? { tls: {} } : {}),
  rate: Number(values.rate),
  ...(values.hashrate ? { hashrate: Number(values.hashrate) } : {}),
});
const startedAt = Date.now();
miner.on('verdict', (verdict) => writeSync(log, `${JSON.stringify(verdict)}\n`));
miner.on('authorised', (ok) => console.error(ok ? `mining as ${values.user}` : `${values.user} was refused`));
miner.on('disconnected', () => console.error('disconnected'));
miner.start();

function finish(): void {
  miner.stop();
  const seconds = (Date.now() - startedAt) / 1000;
  const hashesByShares = miner.work * HASHES_PER_DIFFICULTY[algorithm as 'sha256' | 'scrypt'];
  console.error(
    `${miner.accepted} accepted, ${miner.rejected} rejected in ${seconds.toFixed(0)} s; ` +
      `${Math.round(miner.hashes / seconds)} H/s done, ` +
      `${Math.round(hashesByShares / seconds)} H/s by shares; ` +
      `${miner.disconnects} disconnects`,
  );
  process.exit(0);
}
process.once('SIGINT', finish);
process.once('SIGTERM', finish);
if (values.seconds) setTimeout(finish, Number(values.seconds) * 1000);
