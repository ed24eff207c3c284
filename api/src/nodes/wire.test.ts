/** Messages between processes: events, changes, questions, over a real PostgreSQL. */
import pino from 'pino';
import { Bus, type BusEvent } from '../platform/bus';
import { postgresOfFile } from '../platform/db/testing/test-database';
import { eventually } from '../testing/eventually';
import { PoolChanges } from '../stratum/pool-changes';
import { startRelay } from './relay';
import { Wire } from './wire';

const log = pino({ level: 'silent' });
const database = postgresOfFile();
const stops: (() => unknown)[] = [];
afterEach(async () => {
  for (const stop of stops.splice(0)) await stop();
});

async function node(id: string) {
  const wire = new Wire({ url: database.url, pool: database.pool, id, log });
  await wire.start();
  const [bus, changes] = [new Bus(), new PoolChanges()];
  const relay = startRelay({ wire, bus, changes });
  stops.push(
    () => relay.stop(),
    () => wire.stop(),
  );
  const events: BusEvent[] = [];
  bus.subscribe((event) => events.push(event));
  const lists: (readonly number[])[] = [];
  changes.onLists((ids) => lists.push(ids));
  return { wire, bus, changes, events, lists };
}
const hashrate = (account: string): BusEvent => ({
  type: 'hashrate',
  data: { account, algorithm: 'SHA256_ASICBOOST' },
  userId: 7,
});

it('an event is told to the others once a second, whatever their number and letters, and never comes back', async () => {
  const [a, b, c] = [await node('a'), await node('b'), await node('c')];
  const many = Array.from({ length: 300 }, (_, n) => hashrate(`ферма-${n}`));
  for (const event of [...many, ...many]) a.bus.publish(event);
  a.bus.publish({ type: 'remotes', data: {} });
  await eventually(() => b.events.length >= 300 && c.events.length >= 300, 'the events');
  expect(b.events).toEqual(many);
  c.bus.publish(hashrate('last'));
  await eventually(() => b.events.length === 301 && a.events.length === 602, 'one more');
  expect(a.events.slice(600)).toEqual([{ type: 'remotes', data: {} }, hashrate('last')]);
});

it('changes are told at once; a connection that was lost hears again', async () => {
  const [a, b] = [await node('a'), await node('b')];
  a.changes.lists([3, 4]);
  await eventually(() => b.lists.length === 1, 'the change');
  expect(b.lists).toEqual([[3, 4]]);
  const ended: (readonly string[])[] = [];
  for (const each of [a, b]) each.changes.onCallers((ids) => ended.push(ids));
  a.changes.callers(['sess_1']);
  await eventually(() => ended.length === 2, 'the ended session');
  expect(ended).toEqual([['sess_1'], ['sess_1']]);
  let gaps = 0;
  b.wire.on('gap', () => {
    gaps += 1;
  });
  await database.pool.query(
    `select pg_terminate_backend(pid) from pg_stat_activity where application_name like '%listens' and pid <> pg_backend_pid()`,
  );
  await eventually(() => gaps === 1, 'the connection again');
  a.changes.lists([5]);
  await eventually(() => b.lists.length === 2, 'the next change');
});

it('a question is answered by those who are asked; one that is gone is not waited for long', async () => {
  const [a, b] = [await node('a'), await node('b')];
  b.wire.answer('double', (n: number) => 2 * n);
  expect(await a.wire.ask('double', 21, ['b'])).toEqual([42]);
  expect(await a.wire.ask('double', 21, ['b', 'gone'])).toEqual([42]);
  expect(await a.wire.ask('double', 21, [])).toEqual([]);
});
