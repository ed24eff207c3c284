/**
 * Twenty sockets that send one kind of message as fast as they can, or thousands that send nothing, and the effect on
 * the API, other miners and a rig that comes back: `npx tsx scripts/bench/flood.ts [seconds a kind] [kind...]`, by
 * default all kinds. API and proxy run in this process as in the product; the honest clients and the flooding ones run
 * in a process each.
 */
import { fork, type ChildProcess } from 'node:child_process';
import { Agent, get, request as ask } from 'node:http';
import { connect, type AddressInfo } from 'node:net';
import { setTimeout as wait } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { testApp } from '../../api/src/http/testing/test-app';
import { deployBuilds } from '../../e2e/fixtures/product';
import { quantile } from './figures';
import { BenchMiner, startBenchProxy, upstream } from './proxy';

const SOCKETS = 20;
const MINERS = 20;
/** Connections of miners that the proxy takes, so that a flood of idle ones fills them. */
const CONNECTIONS = 300;
/** Address that the honest caller shares with another user. */
const VICTIM = '127.0.0.10';
/** Bytes written at a time, at least. */
const CHUNK = 16_384;
const call = (method: string, ...params: unknown[]): string => JSON.stringify({ id: 1, method, params });

/**
 * `text`: what each socket repeats without a pause; `ask`: requests that wait for their answers, one a socket; `idle`:
 * so many sockets that send `text` once. `signedIn`: with the session of another user, from the victim's address.
 */
type Ask = { method?: string; path: string; headers?: Record<string, string> };
type Asking = { ask: Ask; body?: string | Buffer; signedIn?: boolean };
type Kind = { text: string; to: 'stratum' | 'http'; idle?: number } | Asking;
const line = (text: string): Kind => ({ text: `${text}\n`, to: 'stratum' });
const page = { path: '/dashboard/', headers: { accept: 'text/html' } };
const request = `GET ${page.path} HTTP/1.1\r\nhost: pool.test:3000\r\naccept: text/html\r\n\r\n`;
const live = '/api/getLiveHashrates/';
const post = (path: string, type: string, body: string | Buffer): Asking => ({
  ask: { method: 'POST', path, headers: { 'content-type': type, origin: 'http://pool.test:3000' } },
  body,
});
const picture = Buffer.concat([
  Buffer.from('--x\r\ncontent-disposition: form-data; name="file"; filename="a"\r\n\r\n\x89PNG\r\n', 'latin1'),
  Buffer.alloc(400_000),
  Buffer.from('\r\n--x--\r\n'),
]);
const KINDS: Record<string, Kind | null> = {
  idle: null,
  'mining.ping': line(call('mining.ping')),
  'mining.configure': line(call('mining.configure', ['version-rolling'], { 'version-rolling.mask': 'ffffffff' })),
  'mining.subscribe': line(call('mining.subscribe', 'flood/1')),
  'mining.authorize': line(call('mining.authorize', 'bench.flood', 'x')),
  'mining.suggest_difficulty': line(call('mining.suggest_difficulty', 4)),
  'mining.suggest_target': line(call('mining.suggest_target', 'ff'.repeat(32))),
  'mining.extranonce.subscribe': line(call('mining.extranonce.subscribe')),
  'mining.submit': line(call('mining.submit', 'bench.flood', '1', '00000001', '65000000', '00000001')),
  'unknown calls': line(call('mining.nothing')),
  'answers nobody asked for': line('{"id":7,"result":true,"error":null}'),
  'empty lines': line(''),
  'not Stratum': line('{"a":'),
  'lines without an end': { text: 'x'.repeat(64), to: 'stratum' },
  'HTTP at the Stratum port': { text: request, to: 'stratum' },
  'idle sockets of pages': { text: '', to: 'http', idle: 2500 },
  "idle miners on somebody's account": {
    text: `${call('mining.subscribe', 'flood/1')}\n${call('mining.authorize', 'bench.stranger', 'x')}\n`,
    to: 'stratum',
    idle: 400,
  },
  pages: { ask: page },
  'pages of a user at the same address': { ask: page, signedIn: true },
  'pictures of a user at the same address': {
    ...post('/__clerk/v1/me/profile_image', 'multipart/form-data; boundary=x', picture),
    signedIn: true,
  },
  'calls that a role may not make': { ask: { path: '/api/users/' }, signedIn: true },
  'calls of the sign-in service': { ask: { path: '/__clerk/v1/environment' } },
  'addresses that are not there': { ask: { path: '/assets/nothing.js' } },
  'calls without a session': { ask: { path: live } },
  'calls with a false token': { ask: { path: live, headers: { authorization: 'Bearer a.b.c' } } },
  'sign-ins with a wrong password': post(
    '/__clerk/v1/client/sign_ins',
    'application/x-www-form-urlencoded',
    'identifier=bench&password=wrong-wrong-9&strategy=password',
  ),
  'bodies over 64 KiB': post('/api/poolConfigs/', 'application/json', 'x'.repeat(70_000)),
  'requests that wait for no answer': { text: request, to: 'http' },
  // On a busy machine the first may be an outlier.
  'idle again': null,
};
type Where = { url: string; stratum: number };
type Report = { api: number[]; acks: number[]; back: number[]; disconnects: number };

const ms = (values: number[]): string => `${quantile(values, 0.5).toFixed(1)} / ${quantile(values, 0.95).toFixed(1)}`;

/** Runs in a separate process: sockets of a site of their own that reconnect whenever they are disconnected. */
function flood(kind: string, stratum: number, http: number, cookie: string): void {
  const what = KINDS[kind];
  const isNeighbour = what && 'ask' in what && what.signedIn;
  const from = { host: '127.0.0.1', localAddress: isNeighbour ? VICTIM : '127.0.9.2' };
  const isIdle = what && 'idle' in what && what.idle;
  const again = (): unknown => setTimeout(open, isIdle ? 500 + 1000 * Math.random() : 5);
  const agent = new Agent({ keepAlive: true, maxSockets: SOCKETS });
  const open = (): void => {
    if (!what) return;
    if ('ask' in what) {
      const headers = { host: 'pool.test:3000', ...what.ask.headers, ...(what.signedIn ? { cookie } : {}) };
      ask({ agent, port: http, ...from, ...what.ask, headers }, (answer) => answer.resume().on('close', open))
        .on('error', again)
        .end(what.body);
      return;
    }
    const chunk = Buffer.from(what.text.repeat(what.idle ? 1 : Math.ceil(CHUNK / what.text.length)));
    const socket = connect({ port: what.to === 'http' ? http : stratum, ...from });
    const write = (): void => {
      while (!socket.destroyed && socket.write(chunk) && !what.idle);
    };
    socket
      .on('connect', write)
      .on('drain', write)
      .on('data', () => undefined)
      .on('error', () => undefined)
      .on('close', again);
  };
  const sockets = isIdle || SOCKETS;
  for (let i = 0; i < sockets; i += 1) open();
  setTimeout(() => process.send?.('at work'), 1000);
}

/**
 * Runs in a separate process: a caller of the API on a new connection each time, twenty miners that each send a share
 * every 200 ms, a rig that connects anew every second until its first share is accepted, and their upstream.
 */
async function honest(): Promise<void> {
  const pool = await upstream();
  process.send?.(pool.port);
  const { url, stratum } = await new Promise<Where>((resolve) => {
    process.once('message', (message) => resolve(message as Where));
  });
  let token = '';
  const report: Report = { api: [], acks: [], back: [], disconnects: 0 };
  const callOnce = (): Promise<void> =>
    new Promise((resolve, reject) => {
      const since = performance.now();
      get(
        url,
        { agent: false, localAddress: VICTIM, headers: { host: 'pool.test:3000', authorization: `Bearer ${token}` } },
        (answer) => {
          if (answer.statusCode !== 200) process.stderr.write(`the API answered ${answer.statusCode}\n`);
          answer.resume().on('end', () => {
            report.api.push(performance.now() - since);
            resolve();
          });
        },
      ).on('error', reject);
    });
  const comeBack = async (): Promise<never> => {
    for (;;) {
      const since = performance.now();
      const accepted: number[] = [];
      while (accepted.length === 0) {
        let isOpen = true;
        const rig = new BenchMiner(stratum, 'bench.rig', accepted, () => (isOpen = false));
        while (isOpen && accepted.length === 0) {
          rig.submit();
          await wait(20);
        }
        rig.close();
      }
      report.back.push(performance.now() - since);
      await wait(1000);
    }
  };
  const miners = Array.from(
    { length: MINERS },
    (_, i) => new BenchMiner(stratum, `bench.w${i}`, report.acks, () => (report.disconnects += 1)),
  );
  let next = 0;
  // Machines connect at once: until one share is accepted the proxy connects few miners of an address.
  setInterval(() => miners[next++ % MINERS]?.submit(), 10);
  while (miners.some((miner) => miner.job === null)) await wait(20);
  const asking = async (): Promise<never> => {
    for (;;) {
      await callOnce().catch((error: Error) => process.stderr.write(`${error.message}\n`));
      // An account may send 50 a second.
      await wait(25);
    }
  };
  process.send?.('at work');
  process.on('message', (renewed: string) => {
    const first = token === '';
    token = renewed;
    if (first) void Promise.all([asking(), comeBack()]);
    process.send?.(report);
    Object.assign(report, { disconnects: 0 });
    report.api.length = 0;
    report.acks.length = 0;
    report.back.length = 0;
  });
}

const child = (...args: string[]): ChildProcess =>
  fork(fileURLToPath(import.meta.url), args, { execArgv: process.execArgv });
const heard = <T>(from: ChildProcess): Promise<T> =>
  new Promise((resolve) => {
    from.once('message', (message) => resolve(message as T));
  });

async function bench(seconds: number, only: string[]): Promise<void> {
  const env = { DIST_DIR: 'dist', REMOTES_DIR: await deployBuilds(), RATE_LIMIT: '3000' };
  const test = await testApp({ env, refusedAfterMs: undefined });
  const { name: user } = await test.person('bench');
  const { cookies } = await test.person('neighbour');
  const cookie = Object.entries(cookies).map((pair) => pair.join('='));
  // A session's token is valid for a minute.
  const token = async (): Promise<string> => (await test.signIn(user)).token;
  await test.app.listen({ port: 0, host: '127.0.0.1' });
  const others = child('honest');
  const pool = await heard<number>(others);
  const proxy = await startBenchProxy(
    pool,
    { share: () => true, presence: () => undefined },
    { connections: CONNECTIONS },
  );
  const stratum = proxy.ports[0]?.port ?? 0;
  const { port } = test.app.server.address() as AddressInfo;
  others.send({ url: `http://127.0.0.1:${port}/api/getLiveHashrates/`, stratum } satisfies Where);
  await heard(others);
  process.stdout.write(
    `\n${SOCKETS} flooding sockets, ${seconds} s each\n` +
      '| they send | API p50 / p95 ms | share answered p50 / p95 ms | p95 by idle | rig back ms | miners dropped | CPU of a core |\n' +
      '|---|---|---|---|---|---|---|\n',
  );
  let idle: Report | null = null;
  const kinds = Object.entries(KINDS).filter(([name, kind]) => !kind || only.length === 0 || only.includes(name));
  for (const [name, kind] of kinds) {
    const flooders = kind && child('flood', name, String(stratum), String(port), cookie.join('; '));
    if (flooders) await heard(flooders);
    others.send(await token());
    await heard(others);
    const cpu = process.cpuUsage();
    await wait(seconds * 1000);
    const used = process.cpuUsage(cpu);
    others.send(await token());
    const report = await heard<Report>(others);
    const { api, acks, back, disconnects } = report;
    idle ??= report;
    const ratio = (of: 'api' | 'acks'): string =>
      (quantile(report[of], 0.95) / quantile(idle?.[of] ?? [], 0.95)).toFixed(1);
    const busy = ((used.user + used.system) / 1e4 / seconds).toFixed(0);
    process.stdout.write(
      `| ${name} | ${ms(api)} | ${ms(acks)} | ${ratio('api')}, ${ratio('acks')} | ${Math.max(...back).toFixed(0)} (${back.length}) | ${disconnects} | ${busy} % |\n`,
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
const [role = '5', ...rest] = process.argv.slice(2);
if (role === 'flood') flood(rest[0] ?? '', Number(rest[1]), Number(rest[2]), rest[3] ?? '');
else if (role === 'honest') void honest();
else void bench(Number(role), rest);
