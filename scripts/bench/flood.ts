/**
 * Twenty sockets that send one kind of message as fast as they can, and the effect on the API and other miners. `npx
 * tsx scripts/bench/flood.ts [seconds a kind]`. API and proxy run in this process as in the product; the honest clients
 * and the flooding ones run in a process each.
 */
import { fork, type ChildProcess } from 'node:child_process';
import { Agent, get } from 'node:http';
import { connect, type AddressInfo } from 'node:net';
import { fileURLToPath } from 'node:url';
import { testApp } from '../../api/src/http/testing/test-app';
import { createLog } from '../../api/src/log';
import { parseUpstream, startStratumProxy } from '../../api/src/stratum';
import { BenchMiner, upstream } from './proxy';

const SOCKETS = 20;
const MINERS = 20;
const call = (method: string, ...params: unknown[]): string => JSON.stringify({ id: 1, method, params });
const KINDS: Record<string, string> = {
  idle: '',
  'mining.ping': call('mining.ping'),
  'mining.configure': call('mining.configure', ['version-rolling'], { 'version-rolling.mask': 'ffffffff' }),
  'mining.subscribe': call('mining.subscribe', 'flood/1'),
  'mining.authorize': call('mining.authorize', 'bench.flood', 'x'),
  'mining.suggest_difficulty': call('mining.suggest_difficulty', 4),
  'mining.submit': call('mining.submit', 'bench.flood', '1', '00000001', '65000000', '00000001'),
  'unknown calls': call('mining.nothing'),
  'answers nobody asked for': '{"id":7,"result":true,"error":null}',
  'empty lines': '',
  'not Stratum': '{"a":',
};
type Ask = { url: string; stratum: number };
type Report = { api: number[]; acks: number[]; disconnects: number };

const wait = (ms: number): Promise<void> =>
  new Promise((resolve) => {
    setTimeout(resolve, ms);
  });
const at = (values: number[], part: number): string =>
  ([...values].sort((a, b) => a - b)[Math.floor(values.length * part)] ?? NaN).toFixed(1);

/** Runs in a separate process: sockets that reconnect whenever they are disconnected. */
function flood(port: number, line: string): void {
  const text = Buffer.from(`${line}\n`.repeat(Math.ceil(16_384 / (line.length + 1))));
  const open = (): void => {
    const socket = connect(port, '127.0.0.1');
    const write = (): void => {
      while (!socket.destroyed && socket.write(text));
    };
    socket
      .on('connect', write)
      .on('drain', write)
      .on('data', () => undefined)
      .on('error', () => undefined)
      .on('close', () => setTimeout(open, 5));
  };
  for (let i = 0; i < SOCKETS; i += 1) open();
}

/**
 * Runs in a separate process: a caller of the API, twenty miners that each send a share every 200 ms, and their
 * upstream.
 */
async function honest(): Promise<void> {
  const pool = await upstream();
  process.send?.(pool.port);
  const { url, stratum } = await new Promise<Ask>((resolve) => {
    process.once('message', (message) => resolve(message as Ask));
  });
  let token = '';
  const agent = new Agent({ keepAlive: true });
  const report: Report = { api: [], acks: [], disconnects: 0 };
  const ask = (): Promise<void> =>
    new Promise((resolve, reject) => {
      const since = performance.now();
      get(url, { agent, headers: { host: 'pool.test:3000', authorization: `Bearer ${token}` } }, (answer) => {
        if (answer.statusCode !== 200) reject(new Error(`the API answered ${answer.statusCode}`));
        answer.resume().on('end', () => {
          report.api.push(performance.now() - since);
          resolve();
        });
      }).on('error', reject);
    });
  const miners = Array.from(
    { length: MINERS },
    (_, i) => new BenchMiner(stratum, `bench.w${i}`, report.acks, () => (report.disconnects += 1)),
  );
  while (miners.some((miner) => miner.job === null)) await wait(20);
  let next = 0;
  setInterval(() => miners[next++ % MINERS]?.submit(), 10);
  const asking = async (): Promise<never> => {
    for (;;) {
      await ask();
      await wait(5);
    }
  };
  process.send?.('at work');
  process.on('message', (renewed: string) => {
    const first = token === '';
    token = renewed;
    if (first) void asking();
    process.send?.(report);
    Object.assign(report, { disconnects: 0 });
    report.api.length = 0;
    report.acks.length = 0;
  });
}

const child = (...args: string[]): ChildProcess =>
  fork(fileURLToPath(import.meta.url), args, { execArgv: process.execArgv });
const heard = <T>(from: ChildProcess): Promise<T> =>
  new Promise((resolve) => {
    from.once('message', (message) => resolve(message as T));
  });

async function bench(seconds: number): Promise<void> {
  const test = await testApp();
  const { name: user } = await test.person('bench');
  // A session's token is valid for a minute.
  const token = async (): Promise<string> => (await test.signIn(user)).token;
  await test.app.listen({ port: 0, host: '127.0.0.1' });
  const others = child('honest');
  const pool = await heard<number>(others);
  const proxy = await startStratumProxy({
    host: '127.0.0.1',
    ports: [{ algorithm: 'SHA256_ASICBOOST', port: 0 }],
    sink: { share: () => true, presence: () => undefined },
    log: createLog('silent'),
    directory: {
      find: async () => ({ subAccountId: 1, userId: 1 }),
      ownWorkers: async () => new Set(),
      byId: async () => null,
      closed: async () => [],
      onChange: () => () => undefined,
    },
    upstreams: { SHA256_ASICBOOST: [parseUpstream('SHA256_ASICBOOST', `stratum+tcp://bench:x@127.0.0.1:${pool}`)] },
  });
  const stratum = proxy.ports[0]?.port ?? 0;
  const { port } = test.app.server.address() as AddressInfo;
  others.send({ url: `http://127.0.0.1:${port}/api/getLiveHashrates/`, stratum } satisfies Ask);
  await heard(others);
  process.stdout.write(
    `\n${SOCKETS} flooding sockets, ${seconds} s each\n` +
      '| they send | API p50 / p99 ms | share answered p50 / p99 ms | shares | miners dropped | CPU of a core |\n' +
      '|---|---|---|---|---|---|\n',
  );
  for (const [name, line] of Object.entries(KINDS)) {
    const flooders = name === 'idle' ? null : child('flood', String(stratum), line);
    await wait(1000);
    others.send(await token());
    await heard(others);
    const cpu = process.cpuUsage();
    await wait(seconds * 1000);
    const used = process.cpuUsage(cpu);
    others.send(await token());
    const { api, acks, disconnects } = await heard<Report>(others);
    const busy = ((used.user + used.system) / 1e4 / seconds).toFixed(0);
    process.stdout.write(
      `| ${name} | ${at(api, 0.5)} / ${at(api, 0.99)} | ${at(acks, 0.5)} / ${at(acks, 0.99)} | ${acks.length} ` +
        `| ${disconnects} | ${busy} % |\n`,
    );
    flooders?.kill();
    await wait(500);
  }
  others.kill();
  await proxy.stop();
  await test.close();
}

// A child whose parent has ended ends too.
process.on('disconnect', () => process.exit());
const [role = '5', port, line = ''] = process.argv.slice(2);
if (role === 'flood') flood(Number(port), line);
else if (role === 'honest') void honest();
else void bench(Number(role));
