/** Another pool's built site (PEER_SOURCE), measured in the same run. Its API's answer to `/api/a` is `api/a.json`. */
import fastifyStatic from '@fastify/static';
import fastify from 'fastify';
import path from 'node:path';
import { startHttp2Front } from './http2-front';
import type { Target } from './page-load';

export const PEER = 'peer, HTTP/2';
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

/** Null without PEER_SOURCE. */
export async function startPeer(): Promise<{ target: Target; stop(): void } | null> {
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
