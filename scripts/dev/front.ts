/** The server of `npm run dev` in front of the pool's: answers with what is being worked on, passes the rest on. */
import { once } from 'node:events';
import { readFile } from 'node:fs/promises';
import http, { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import https from 'node:https';
import path from 'node:path';
import { pipeline } from 'node:stream/promises';
import { setTimeout as sleep } from 'node:timers/promises';
import { text } from 'node:stream/consumers';
import { outputOf } from '../build/units';
import type { OwnRemote } from './own-remote';

/** What the page is told: a unit was built; all problems of a source; new texts; the page itself has changed. */
export type DevMessage =
  | { unit: string; hash: string }
  | { source: string; problems: string[] }
  | { texts: true }
  | { reload: true };

const TYPES: Record<string, string> = {
  '.js': 'text/javascript; charset=utf-8',
  '.css': 'text/css; charset=utf-8',
  '.json': 'application/json; charset=utf-8',
  '.map': 'application/json; charset=utf-8',
  '.svg': 'image/svg+xml',
  '.png': 'image/png',
};

/** While the pool's server starts, requests wait for it. */
const START_MS = 60_000;

export class Front {
  private readonly pages = new Set<ServerResponse>();
  private readonly streams = new Set<ServerResponse>();
  private readonly agent: http.Agent;
  /** Builds under way, by unit: what is read during one is half of one build and half of the next. */
  private readonly builds = new Map<string, { ended: Promise<unknown>; end(): void }>();
  /** What a page that opens now has to know, by subject. */
  private readonly state = new Map<string, DevMessage>();

  /** `units`: whose files are answered from their development builds. `own`: what a deployed pool's answers get. */
  constructor(
    private readonly units: readonly string[],
    private readonly pool: URL,
    private readonly own: OwnRemote | null = null,
  ) {
    this.agent = new (pool.protocol === 'https:' ? https : http).Agent({ keepAlive: true });
  }

  listen(port: number, host: string): Promise<Server> {
    const server = createServer((incoming, outgoing) => void this.answer(incoming, outgoing));
    return new Promise((resolve, reject) => {
      server.once('error', reject).listen(port, host, () => resolve(server));
    });
  }

  /** What follows waits until `buildEnded`, but for calls of the API. */
  buildStarts(unit: string): void {
    if (this.builds.has(unit)) return;
    const end = new AbortController();
    this.builds.set(unit, { ended: once(end.signal, 'abort'), end: () => end.abort() });
  }

  buildEnded(unit: string): void {
    this.builds.get(unit)?.end();
    this.builds.delete(unit);
  }

  tell(message: DevMessage): void {
    if ('hash' in message) this.state.set(message.unit, message);
    else if ('source' in message) this.state.set(`problems ${message.source}`, message);
    for (const page of this.pages) page.write(`data: ${JSON.stringify(message)}\n\n`);
  }

  tellRemotes(): void {
    for (const stream of this.streams) stream.write('event: remotes\ndata: {}\n\n');
  }

  private async answer(incoming: IncomingMessage, outgoing: ServerResponse): Promise<void> {
    const [pathname = '/'] = (incoming.url ?? '/').split('?');
    if (pathname === '/__dev/events') return this.follow(outgoing);
    if (!pathname.startsWith('/api/') || pathname === '/api/remotes')
      await Promise.all([...this.builds.values()].map(({ ended }) => ended));
    const file = this.own?.fileAt(pathname) ?? this.fileAt(pathname);
    if (!file) return this.pass(incoming, outgoing);
    const content = await readFile(file).catch(() => null);
    // Names stay the same from build to build.
    outgoing.writeHead(content ? 200 : 404, {
      'cache-control': 'no-store',
      'content-type': TYPES[path.extname(file)] ?? 'application/octet-stream',
    });
    outgoing.end(content);
  }

  private fileAt(pathname: string): string | null {
    const [, unit = '', file = ''] =
      /^\/assets\/(\w+)\/([\w./-]+)$/.exec(pathname) ??
      /^\/(?:remotes\/(?=[\w-]+\/0\.0\.0-dev-)|__dev\/)([\w-]+)\/(?:0\.0\.0-dev-\w+\/)?([\w./-]+)$/.exec(pathname) ??
      [];
    const name = this.units.find((each) => each === unit || each === `mfe-${unit}`);
    return name && !file.includes('..') ? path.join(outputOf(name, true), file) : null;
  }

  private follow(page: ServerResponse): void {
    page.writeHead(200, { 'content-type': 'text/event-stream', 'cache-control': 'no-store' });
    page.write(': follow\n\n');
    for (const message of this.state.values()) page.write(`data: ${JSON.stringify(message)}\n\n`);
    this.pages.add(page);
    page.on('close', () => this.pages.delete(page));
  }

  private async pass(incoming: IncomingMessage, outgoing: ServerResponse): Promise<void> {
    const { method, url = '/' } = incoming;
    const [pathname = '/'] = url.split('?');
    const headers = this.own?.asked(incoming.headers, pathname) ?? incoming.headers;
    const hasBody = Boolean(headers['content-length'] ?? headers['transfer-encoding']);
    const closed = new AbortController();
    const { signal } = closed;
    outgoing.once('close', () => closed.abort());
    const { request } = this.pool.protocol === 'https:' ? https : http;
    for (const until = Date.now() + START_MS; ; await sleep(100)) {
      const { protocol, hostname, port } = this.pool;
      const asked = request({ protocol, hostname, port, path: url, agent: this.agent, method, headers, signal });
      asked.on('error', () => undefined);
      if (hasBody) incoming.pipe(asked);
      else asked.end();
      const [answer] = (await once(asked, 'response').catch(() => [])) as IncomingMessage[];
      if (answer) return this.give(answer, pathname, incoming.headers.host ?? '', outgoing).catch(() => undefined);
      if (signal.aborted) return;
      // A body can be sent only once.
      if (hasBody || Date.now() > until) {
        outgoing.writeHead(502).end('The server of the pool does not answer');
        return;
      }
    }
  }

  private async give(answer: IncomingMessage, pathname: string, host: string, outgoing: ServerResponse): Promise<void> {
    const status = answer.statusCode ?? 502;
    const headers = this.own?.answered(answer.headers, host) ?? answer.headers;
    const changed = await this.own?.changed(pathname, { status, headers }, () => text(answer));
    if (changed) {
      const { 'content-length': _, 'transfer-encoding': __, etag: ___, ...kept } = headers;
      outgoing.writeHead(changed.status, { ...kept, 'cache-control': 'no-store' }).end(changed.text);
      return;
    }
    outgoing.writeHead(status, headers);
    if (pathname === '/api/events') {
      this.streams.add(outgoing);
      outgoing.once('close', () => this.streams.delete(outgoing));
    }
    await pipeline(answer, outgoing);
  }
}
