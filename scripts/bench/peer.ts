/** public-pool-ui's page of a miner, served as in production, to be measured beside the dashboard in one run. */
import { existsSync, readFileSync } from 'node:fs';
import { createServer, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import path from 'node:path';
import { brotliCompressSync, constants } from 'node:zlib';
import { filesBelow, hashOf } from '../build/files';
import { startHttp2Front } from './http2-front';
import type { Target } from './page-load';
import { peerAnswer } from './peer-api';
import { buildPeer } from './peer-build';

/** The target's name. */
export const PEER = 'peer, HTTP/2';
/** The example of BIP 173: the page shows whatever its API answers. */
const ADDRESS = 'bc1qw508d6qejxtdg4y5r3zarvary0c5xw7kv8f3t4';
const HASHED = /\.[0-9a-f]{16}\.\w+$/;
const TYPES: Record<string, string> = {
  '.html': 'text/html; charset=utf-8',
  '.js': 'text/javascript; charset=utf-8',
  '.css': 'text/css; charset=utf-8',
  '.svg': 'image/svg+xml',
  '.woff2': 'font/woff2',
};
/** Each deployment of the peer writes this file: here the API is on the page's own origin. */
const CONFIG = { name: 'assets/runtime-config.js', text: 'window.__PUBLIC_POOL_CONFIG__ = {"API_URL":""};\n' };

type File = { body: Buffer; headers: Record<string, string> };

const JSON_QUALITY = { params: { [constants.BROTLI_PARAM_QUALITY]: 5 } };

/** Hashed files never change; the document is asked for each time; an hour for the rest favours the peer when warm. */
function caching(name: string): string {
  if (name === 'index.html') return 'no-cache';
  return HASHED.test(name) ? 'public, max-age=31536000, immutable' : 'public, max-age=3600';
}

function readFile(folder: string, name: string): File {
  const file = path.join(folder, name);
  const isConfig = name === CONFIG.name;
  const compressed = !isConfig && existsSync(`${file}.br`);
  const body = isConfig ? Buffer.from(CONFIG.text) : readFileSync(compressed ? `${file}.br` : file);
  return {
    body,
    headers: {
      'content-type': TYPES[path.extname(name)] ?? 'application/octet-stream',
      'cache-control': caching(name),
      etag: `"${hashOf([body])}"`,
      ...(compressed && { 'content-encoding': 'br' }),
    },
  };
}

function sendJson(response: ServerResponse, answer: unknown): void {
  const headers = { 'content-type': 'application/json', 'content-encoding': 'br', 'cache-control': 'no-cache' };
  response.writeHead(200, headers).end(brotliCompressSync(JSON.stringify(answer), JSON_QUALITY));
}

async function serve(folder: string) {
  const names = filesBelow(folder).filter((name) => !/\.(br|gz)$/.test(name));
  const files = new Map(names.map((name) => [`/${name}`, readFile(folder, name)]));
  const server = createServer((request, response) => {
    const { pathname } = new URL(request.url ?? '/', 'http://localhost');
    const answer = peerAnswer(pathname);
    const file = files.get(pathname === '/' ? '/index.html' : pathname);
    if (answer !== undefined) sendJson(response, answer);
    else if (!file) response.writeHead(404).end();
    else if (request.headers['if-none-match'] === file.headers.etag) response.writeHead(304, file.headers).end();
    else response.writeHead(200, file.headers).end(file.body);
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  return { url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`, stop: () => server.close() };
}

/** Says why when the peer cannot be had, and returns null: ours is then measured alone. */
export async function startPeer(): Promise<{ target: Target; spki: string; stop(): void } | null> {
  let folder: string;
  try {
    folder = await buildPeer();
  } catch (error) {
    const reason = String(error).trim().split('\n').at(-1);
    process.stdout.write(`The peer cannot be had (${reason}): ours is measured alone.\n`);
    return null;
  }
  const server = await serve(folder);
  const front = await startHttp2Front(new URL(server.url));
  const target = {
    name: PEER,
    url: `${front.url}/#/app/${ADDRESS}`,
    // All its figures, as ours. Chart.js sets the canvas' style when it draws the chart.
    marks: { usable: 'app-dashboard .snapshot-metric strong', seen: 'p-chart canvas[style*="display"]' },
  };
  const stop = () => {
    front.stop();
    server.stop();
  };
  return { target, spki: front.spki, stop };
}
