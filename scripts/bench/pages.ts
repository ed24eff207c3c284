/** Cold and warm loads of dashboard and landing page, beside a peer's page, as tables. */
import fastifyStatic from '@fastify/static';
import fastify from 'fastify';
import path from 'node:path';
import { startHttp2Front } from './http2-front';
import { measureInteractions } from './interactions';
import { measureLoads, type Load, type Target } from './page-load';
import { shown, signIn, type Site } from './site';

const PEER = 'peer, HTTP/2';
/** public-pool-ui's page of a miner, whose address is the example of BIP 173. */
const PAGE = '/#/app/bc1qw508d6qejxtdg4y5r3zarvary0c5xw7kv8f3t4';
/** All its figures, as ours. Chart.js sets the canvas' style when it draws the chart. */
const MARKS = { usable: 'app-dashboard .snapshot-metric strong', seen: 'p-chart canvas[style*="display"]' };
const HASHED = /\.[0-9a-f]{16}\.\w+$/;

/** Hashed files never change; the document is asked for each time; an hour for the rest favours the peer when warm. */
function caching(file: string): string {
  if (/index\.html$|\.json$/.test(file)) return 'no-cache';
  return HASHED.test(file) ? 'public, max-age=31536000, immutable' : 'public, max-age=3600';
}

/** The built site in PEER_SOURCE; its API's answer to `/api/a` is `api/a.json`. */
async function startPeer(): Promise<{ target: Target; stop(): void } | null> {
  if (!process.env.PEER_SOURCE) return null;
  const server = fastify();
  await server.register(fastifyStatic, {
    root: path.resolve(process.env.PEER_SOURCE),
    preCompressed: true,
    cacheControl: false,
    setHeaders: (reply, file) => reply.header('cache-control', caching(file.replace(/\.br$/, ''))),
  });
  server.get('/api/*', ({ url }, reply) => reply.sendFile(`${url.split('?', 1)[0]}.json`));
  const front = await startHttp2Front(new URL(await server.listen({ port: 0, host: '127.0.0.1' })));
  const stop = (): void => {
    front.stop();
    void server.close();
  };
  return { target: { name: PEER, url: front.url + PAGE, marks: MARKS }, stop };
}

type Row = { name: string; cold: Load; warm: Load };

const number = (value: number | null | undefined, digits = 0) => value?.toFixed(digits) ?? '-';
const print = (text: string) => process.stdout.write(`${text}\n`);

function printTable(rows: Row[]): void {
  const columns = ['fcp', 'lcp', 'seen', 'usable', 'tbt', 'requests'];
  const cellsOf = (load: Load, names: string[], between: string) =>
    names.map((name) => number(load[name])).join(between);
  print(`\n| page · profile | ${columns.join(' | ')} | warm seen, usable, TBT |`);
  print(`|${'---|'.repeat(columns.length + 2)}`);
  for (const { name, cold, warm } of rows)
    print(`| ${name} | ${cellsOf(cold, columns, ' | ')} | ${cellsOf(warm, ['seen', 'usable', 'tbt'], ', ')} |`);
}

/** Page loads at `4g` by HTTP/2 as multiples of the peer's in the same run: a slow machine changes both. */
function compare(rows: Row[]): void {
  const of = (name: string) => rows.find((row) => row.name === `${name} · 4g`);
  const [page, peer] = [of('dashboard, HTTP/2'), of(PEER)];
  if (!page || !peer) return;
  const ratios = (visit: 'cold' | 'warm', ...names: string[]) =>
    names.map((name) => `${visit} ${name} ${number((page[visit][name] ?? NaN) / (peer[visit][name] ?? NaN), 2)}`);
  print(
    `Dashboard by the peer's page: ${[...ratios('cold', 'seen', 'usable', 'tbt'), ...ratios('warm', 'seen', 'usable')].join(', ')}`,
  );
}

export async function benchPages({ url, secure }: Site, runs: number): Promise<void> {
  const peer = await startPeer();
  try {
    const marks = { usable: shown('figures'), seen: '.sk-view, [data-ready~=chart]' };
    const cookies = await signIn(secure);
    const dashboard = { url: `${secure}/dashboard/`, marks, cookies };
    const targets: Target[] = [
      { name: 'dashboard, HTTP/1.1', url: `${url}/dashboard/`, marks, cookies: await signIn(url) },
      { name: 'dashboard, HTTP/2', ...dashboard },
      { name: 'dashboard, HTTP/2, service worker', ...dashboard, worker: true },
      ...(peer ? [peer.target] : []),
      { name: 'landing, HTTP/2', url: `${secure}/`, marks: { usable: 'main dl dd', seen: 'main section svg' } },
    ];
    const rows = await measureLoads(targets, ['none', '4g'], runs);
    printTable(rows);
    compare(rows);
    const { cold, warm, fast, inp } = await measureInteractions(dashboard, runs);
    print(
      `Workers from the dashboard, 4g: ${number(cold)} ms, again ${number(warm)} ms, without a throttle ${number(fast)} ms; ` +
        `slowest of twenty interactions, CPU x4: ${number(inp)} ms`,
    );
  } finally {
    peer?.stop();
  }
}
