/** Effects of floods on API, miners and a returning rig: `npx tsx scripts/bench/flood.ts [seconds] [kind...]`. */
import { fork, type ChildProcess } from 'node:child_process';
import { once, type EventEmitter } from 'node:events';
import { Agent, get, type IncomingMessage, request as ask } from 'node:http';
import { connect, type AddressInfo } from 'node:net';
import { buffer } from 'node:stream/consumers';
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
const CHUNK = 16_384;
const call = (method: string, ...params: unknown[]): string => JSON.stringify({ id: 1, method, params });

/** `text` is repeated by each socket, or sent once by so many `idle` ones. `signedIn`: as the victim's neighbour. */
type Ask = { method?: string; path: string; headers?: Record<string, string> };
type Asking = { ask: Ask; body?: string | Buffer; signedIn?: boolean };
type Kind = { text: string; to: 'stratum' | 'http'; idle?: number } | Asking;
const line = (text: string): Kind => ({ text: `${text}\n`, to: 'stratum' });
const page = { path: '/dashboard/', headers: { accept: 'text/html' } };
const request = `GET ${page.path} HTTP/1.1\r\nhost: pool.test:3000\r\naccept: text/html\r\n\r\n`;
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
  'mining.subscribe': line(call('mining.subscribe', 'flood/1')),
  'mining.authorize': line(call('mining.authorize', 'bench.flood', 'x')),
  'mining.suggest_difficulty': line(call('mining.suggest_difficulty', 4)),
  'mining.submit': line(call('mining.submit', 'bench.flood', '1', '00000001', '65000000', '00000001')),
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
  'addresses that are not there': { ask: { path: '/assets/nothing.js' } },
  'calls without a session': { ask: { path: '/api/getLiveHashrates/' } },
  'sign-ins with a wrong password': post(
    '/__clerk/v1/client/sign_ins',
    'application/x-www-form-urlencoded',
    'identifier=bench&password=wrong-wrong-9&strategy=password',
  ),
  'bodies over 64 KiB': post('/api/poolConfigs/', 'application/json', 'x'.repeat(70_000)),
  'requests that wait for no answer': { text: request, to: 'http' },
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

const emptyReport = (): Report => ({ api: [], acks: [], back: [], disconnects: 0 });

async function callOnce(url: string, token: string): Promise<number> {
  const since = performance.now();
  const headers = { host: 'pool.test:3000', authorization: `Bearer ${token}` };
  const [answer] = (await once(get(url, { agent: false, localAddress: VICTIM, headers }), 'response')) as [
    IncomingMessage,
  ];
  if (answer.statusCode !== 200) throw new Error(`the API answered ${answer.statusCode}`);
  await buffer(answer);
  return performance.now() - since;
}

/** Milliseconds until the first share of a rig is accepted, which connects again when it is disconnected. */
async function comeBack(stratum: number): Promise<number> {
  const since = performance.now();
  const accepted: number[] = [];
  while (accepted.length === 0) {
    let isOpen = true;
    const rig = new BenchMiner(stratum, 'bench.rig', accepted, () => (isOpen = false));
    for (; isOpen && accepted.length === 0; await wait(20)) rig.submit();
    rig.close();
  }
  return performance.now() - since;
}

/** Runs in a separate process. Gets tokens, and answers each with what was measured since the one before. */
async function honest(): Promise<void> {
  process.send?.((await upstream()).port);
  const { url, stratum } = await heard<Where>(process);
  let report = emptyReport();
  const miners = Array.from(
    { length: MINERS },
    (_, i) =>
      new BenchMiner(
        stratum,
        `bench.w${i}`,
        { push: (took) => report.acks.push(took) },
        () => (report.disconnects += 1),
      ),
  );
  let next = 0;
  // Machines connect at once: until one share is accepted the proxy connects few miners of an address.
  setInterval(() => miners[next++ % MINERS]?.submit(), 10);
  while (miners.some((miner) => miner.job === null)) await wait(20);
  let token = '';
  const asking = async (): Promise<never> => {
    // An account may send 50 a second.
    for (; ; await wait(25))
      await callOnce(url, token).then(
        (took) => report.api.push(took),
        (error: Error) => process.stderr.write(`${error.message}\n`),
      );
  };
  const comingBack = async (): Promise<never> => {
    for (; ; await wait(1000)) report.back.push(await comeBack(stratum));
  };
  process.on('message', (renewed: string) => {
    const isFirst = token === '';
    token = renewed;
    if (isFirst) void Promise.all([asking(), comingBack()]);
    process.send?.(report);
    report = emptyReport();
  });
  process.send?.('at work');
}

const child = (...args: string[]): ChildProcess =>
  fork(fileURLToPath(import.meta.url), args, { execArgv: process.execArgv });
const heard = async <T>(from: EventEmitter): Promise<T> => (await once(from, 'message'))[0] as T;

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
