/**
 * The server of `npm run dev` in front of the pool's: it answers with the files that are being worked on, tells open
 * pages of new builds and problems, and passes everything else on. The pool's own server knows nothing of it.
 */
import { once } from 'node:events';
import { readFile } from 'node:fs/promises';
import { Agent, createServer, request, type IncomingMessage, type ServerResponse } from 'node:http';
import path from 'node:path';
import { pipeline } from 'node:stream/promises';
import { setTimeout as sleep } from 'node:timers/promises';
import { outputOf } from '../build/units';

/**
 * To the page. `hash`: a unit was built. `problems`: all that `source` has now. `texts`: of the shell.
 * `reload`: the page itself has changed.
 */
export type DevMessage =
  { unit: string; hash: string } | { source: string; problems: string[] } | { texts: true } | { reload: true };

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
const agent = new Agent({ keepAlive: true });

export class Front {
  private readonly pages = new Set<ServerResponse>();
  /** What a page that opens now has to know, by subject. */
  private readonly state = new Map<string, DevMessage>();

  /** `units`: whose files are answered from their development builds. `pool`: port of the pool's server. */
  constructor(
    private readonly units: readonly string[],
    private readonly pool: number,
  ) {}

  listen(port: number, host: string): Promise<void> {
    const server = createServer((incoming, outgoing) => void this.answer(incoming, outgoing));
    return new Promise((resolve, reject) => {
      server.once('error', reject).listen(port, host, () => resolve());
    });
  }

  tell(message: DevMessage): void {
    if ('hash' in message) this.state.set(message.unit, message);
    else if ('source' in message) this.state.set(`problems ${message.source}`, message);
    for (const page of this.pages) page.write(`data: ${JSON.stringify(message)}\n\n`);
  }

  private async answer(incoming: IncomingMessage, outgoing: ServerResponse): Promise<void> {
    const [pathname = '/'] = (incoming.url ?? '/').split('?');
    if (pathname === '/__dev/events') return this.follow(outgoing);
    const file = this.fileAt(pathname);
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
      /^\/assets\/(\w+)\/([\w./-]+)$/.exec(pathname) ?? /^\/remotes\/([\w-]+)\/dev\/([\w./-]+)$/.exec(pathname) ?? [];
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
    const { method, url, headers } = incoming;
    const hasBody = Boolean(headers['content-length'] ?? headers['transfer-encoding']);
    const closed = new AbortController();
    const { signal } = closed;
    outgoing.once('close', () => closed.abort());
    for (const until = Date.now() + START_MS; ; await sleep(100)) {
      const asked = request({ agent, port: this.pool, host: '127.0.0.1', method, path: url, headers, signal });
      asked.on('error', () => undefined);
      if (hasBody) incoming.pipe(asked);
      else asked.end();
      const [answer] = (await once(asked, 'response').catch(() => [])) as IncomingMessage[];
      if (answer) {
        outgoing.writeHead(answer.statusCode ?? 502, answer.headers);
        return pipeline(answer, outgoing).catch(() => undefined);
      }
      if (signal.aborted) return;
      // A body can be sent only once.
      if (hasBody || Date.now() > until) {
        outgoing.writeHead(502).end('The server of the pool does not answer');
        return;
      }
    }
  }
}
