/**
 * Nearly valid Stratum lines from miners and pools: nothing breaks, memory does not grow, others are served. HEAVY=1
 * sends a million lines from each side.
 */
import { setTimeout as sleep } from 'node:timers/promises';
import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';
import { WORKER_NAME } from '@pool/shared/domain';
import { stream } from '../../demo/random';
import { eventually } from '../../testing/eventually';
import { stratumForEach } from '../testing/for-each';
import type { RawClient } from '../testing/test-proxy';

const LINES = Number(process.env.LINES ?? (process.env.HEAVY === '1' ? 1_000_000 : 600));
const SEED = Number(process.env.SEED ?? 7);
const GROWTH = 10 * 1024 * 1024;
const LONG = `"${'a'.repeat(300)}"`;
const ODD =
  `null 1e400 -1 "\\u202e" {} [] [[[[[[]]]]]] true "" "__proto__" {"__proto__":1} {"constructor":{}} "\\u0000" ` +
  `9007199254740993 "ffffffff" 1e-320 "00000001" "1" [null] ${LONG} ["version-rolling"] 0.1 "mining.submit"`;
const HASH = '11'.repeat(32);
const MINER = `
{"id":1,"method":"mining.subscribe","params":["fuzz/1"]}
{"id":2,"method":"mining.authorize","params":["alice.rig","x"]}
{"id":3,"method":"mining.configure","params":[["version-rolling"],{"version-rolling.mask":"1fffe000"}]}
{"id":4,"method":"mining.submit","params":["alice.rig","1","00000001","65000000","00000001"]}
{"id":5,"method":"mining.submit","params":["alice.rig","1","00000002","65000001","0000000a","00002000"]}
{"id":6,"method":"mining.suggest_difficulty","params":[1]}
{"id":7,"method":"mining.extranonce.subscribe","params":[]}
{"id":8,"result":true,"error":null}`;
const POOL = `
{"id":null,"method":"mining.notify","params":["j1","${HASH}","aa01","bb02",["${HASH}"],"20000000","1702f128","65000000",true]}
{"id":null,"method":"mining.notify","params":["j2","${HASH}","aa01","bb02",[],"20000000","1702f128","65000001",false]}
{"id":null,"method":"mining.set_difficulty","params":[16]}
{"id":null,"method":"mining.set_extranonce","params":["c0ffee",6]}
{"id":null,"method":"mining.set_version_mask","params":["1fffe000"]}
{"id":4,"result":true,"error":null}
{"id":5,"result":null,"error":[21,"stale",null]}
{"id":6,"result":null,"error":{"code":23,"message":"low"}}
{"id":77,"method":"client.get_version","params":[]}
{"id":null,"method":"client.show_message","params":["hello"]}
{"id":null,"method":"client.reconnect","params":["evil.example",1,0]}`;

/** Lines that are nearly valid. `wild`: the part of broken ones, `odd`: the part with one odd value. */
function noise(valid: string, random: () => number, { wild, odd }: { wild: number; odd: number }): () => string {
  const pick = <T>(list: readonly T[]): T => list[Math.floor(random() * list.length)] as T;
  const [lines, values] = [valid.trim().split('\n'), ODD.split(' ')];
  const swapped = (line: string): string => {
    const value = pick([...line.matchAll(/"[^"]*"|\b\d+\b|null|true/g)].slice(3));
    return value ? line.slice(0, value.index) + pick(values) + line.slice(value.index + value[0].length) : line;
  };
  const broken = (line: string): string => {
    const bytes = Buffer.from(line, 'latin1');
    for (let i = 0; i < 4; i += 1) bytes[Math.floor(random() * bytes.length)] = Math.floor(random() * 256);
    return bytes.toString('latin1').replaceAll('\n', ' ');
  };
  return () => {
    const sort = random();
    if (sort >= wild + odd) return pick(lines);
    if (sort >= wild) return swapped(pick(lines));
    if (sort >= wild / 2) return broken(pick(lines));
    const params = Array.from({ length: Math.floor(random() * 8) }, () => pick(values));
    return pick(lines).replace(/\[[^[\]]*\]/, () => `[${params.join(',')}]`);
  };
}

setFlagsFromString('--expose-gc');
const gc = runInNewContext('gc') as () => void;
const heap = (): number => {
  gc();
  return process.memoryUsage().heapUsed;
};

const { stub, proxyOf, connect, mine } = stratumForEach();

/** Bob mines all the while; `stop` returns the number of his shares, of which none was refused. */
async function honest(port: number): Promise<{ stop(): Promise<number> }> {
  const c = await mine(port, 'bob.honest');
  const [job] = c.jobs[0] ?? [];
  let [shares, going] = [0, true];
  const mining = (async () => {
    for (; going; shares += 1) {
      expect(await c.submit({ job })).toBe(true);
      // The answers would count as memory growth.
      c.lines.length = 0;
      await sleep(10);
    }
  })();
  mining.catch(() => undefined);
  return {
    stop: async () => {
      going = false;
      await mining;
      return shares;
    },
  };
}
const PING = '{"id":0,"method":"mining.ping","params":[]}';

it(`${LINES} lines of miners`, async () => {
  const unlimited = {
    linesPerSecond: 1e9,
    addressLinesPerSecond: 1e9,
    malformedLines: 1e9,
    upstreamLinesPerSecond: 1e9,
  };
  const upstream = await stub();
  const { proxy, port, sink } = await proxyOf([upstream.target], { limits: { ...unlimited, banMs: 1 } });
  // Shares are not kept, so that only the proxy's memory is measured.
  const names = new Set<string>();
  sink.share = () => true;
  sink.presence = ({ worker }) => {
    if (names.size < 100_000) names.add(worker);
  };
  const bob = await honest(port);
  const random = stream(SEED);
  const line = noise(MINER, random, { wild: 0.35, odd: 0.4 });
  let understood = 0;
  /** One connection of forty lines; every fourth line asks whether it is still read. */
  const session = async (): Promise<void> => {
    const c = connect(port);
    const hello = MINER.trim()
      .split('\n')
      .slice(0, random() < 0.7 ? 2 : 0);
    const lines = Array.from({ length: 40 }, (_, i) => (i % 4 === 3 ? `${line()}\n${PING}` : line()));
    const text = Buffer.from(`${[...hello, ...lines].join('\n')}\n`, 'latin1');
    // Written in two pieces, cut anywhere.
    const cut = Math.floor(random() * text.length);
    c.socket.write(text.subarray(0, cut));
    c.socket.end(text.subarray(cut));
    await c.ended();
    understood += 4 * c.lines.filter(({ result }) => result === 'pong').length;
    c.lines.length = 0;
  };
  const send = async (lines: number): Promise<void> => {
    for (let sent = 0; sent < lines; sent += 8 * 40) await Promise.all(Array.from({ length: 8 }, session));
  };
  await send(LINES / 10);
  const withoutRecords = (): number => {
    upstream.forget();
    return heap();
  };
  const before = withoutRecords();
  await send(LINES);
  await eventually(() => proxy.connections() === 1, 'only the honest one left');
  expect(withoutRecords() - before).toBeLessThan(GROWTH);
  expect(await bob.stop()).toBeGreaterThan(5);
  expect(understood).toBeGreaterThan(LINES / 4);
  expect([...names].filter((name) => !WORKER_NAME.test(name))).toEqual([]);
}, 1_200_000);

it(`${LINES} lines of a pool of a user`, async () => {
  const noisy = await stub();
  const { proxy, port, lists, sink } = await proxyOf([(await stub()).target], {
    // Some shares are bad because the jobs are: bans are off.
    limits: {
      lookMs: 1,
      downMaxMs: 1,
      backoffMs: 1,
      backoffMaxMs: 1,
      upstreamLinesPerSecond: 1e9,
      linesPerSecond: 1e9,
      buffered: 1 << 26,
      banPart: 2,
    },
  });
  lists.set(1, noisy.own(1));
  sink.share = () => true;
  sink.presence = () => undefined;
  const bob = await honest(port);
  const alices: RawClient[] = [];
  for (const name of ['a', 'b', 'c', 'd']) {
    const c = connect(port);
    await c.call('mining.configure', [['version-rolling'], { 'version-rolling.mask': '1fffe000' }]);
    await c.call('mining.extranonce.subscribe', []);
    await c.call('mining.subscribe', []);
    await c.authorise(`alice.${name}`);
    alices.push(c);
  }
  const line = noise(POOL, stream(SEED + 2), { wild: 0.04, odd: 0.12 });
  let understood = 0;
  const send = async (lines: number): Promise<void> => {
    for (let sent = 0; sent < lines; sent += 16) {
      await eventually(() => noisy.sockets.size > 0, 'a connection');
      for (let i = 0; i < 16; i += 1) noisy.send(line());
      noisy.send('{"id":1,"method":"client.get_version","params":[]}');
      const answers = () => noisy.lines.filter((text) => text.includes('"result":"pool-proxy/1.0"')).length;
      const { connects } = noisy;
      await eventually(() => answers() > 0 || noisy.connects > connects, 'an answer, or another connection');
      understood += answers();
      for (const c of alices) {
        c.send(`${JSON.stringify({ id: 9, method: 'mining.submit', params: c.share() })}\n`);
        c.lines.length = 0;
      }
      noisy.forget();
    }
  };
  await send(LINES / 10);
  const before = heap();
  await send(LINES);
  expect(await bob.stop()).toBeGreaterThan(5);
  expect(alices.map((c) => c.closed)).toEqual([false, false, false, false]);
  expect(heap() - before).toBeLessThan(GROWTH);
  expect(understood).toBeGreaterThan(LINES / 16 / 10);
  expect(proxy.upstreams(2)[0]?.state).toBe('active');
}, 1_200_000);
