/** The server of `npm run dev` in front of the pool's: answers with what is being worked on, passes the rest on. */
import { once } from 'node:events';
import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import { Readable } from 'node:stream';
import { setTimeout as sleep } from 'node:timers/promises';
import { createProxyServer } from 'httpxy';
import type { Builds } from './builds';
import type { OwnRemote } from './own-remote';

/** While the pool's server starts, requests wait for it. */
const START_MS = 60_000;

/** Folder of a version below which the server lists a remote of `npm run dev`: its files come with the builds. */
const DEV_VERSION = /^\/remotes\/([\w-]+)\/0\.0\.0-dev-\w+\//;

export class Front {
  private readonly streams = new Set<ServerResponse>();
  private readonly proxy;

  /** `own`: what a deployed pool's answers get. */
  constructor(
    pool: URL,
    private readonly own: OwnRemote | null,
    private readonly builds: Builds | null,
  ) {
    // Requests as the pool's own page sends them, answers as for the page here.
    const asked = { changeOrigin: true, headers: { origin: pool.origin } };
    const answered = { autoRewrite: true, protocolRewrite: 'http', cookieDomainRewrite: '' };
    this.proxy = createProxyServer({ target: pool, ...(own && { ...asked, ...answered }) });
    this.proxy.on('proxyRes', ({ headers }, { url }, answer) => {
      delete headers['strict-transport-security'];
      if (url !== '/api/events') return;
      this.streams.add(answer);
      answer.once('close', () => this.streams.delete(answer));
    });
  }

  async listen(port: number, host: string): Promise<Server> {
    const server = createServer((asked, answer) => {
      const { url = '/' } = asked;
      asked.url = url.replace(DEV_VERSION, '/__dev/mfe-$1/');
      // Other requests wait until what has changed is built.
      const isCall = /^\/api\/(?!remotes$)/.test(url);
      if (isCall || !this.builds) void this.pass(asked, answer);
      else void this.builds(asked, answer, () => this.pass(asked, answer));
    });
    await once(server.listen(port, host), 'listening');
    return server;
  }

  tellRemotes(): void {
    for (const stream of this.streams) stream.write('event: remotes\ndata: {}\n\n');
  }

  private async pass(asked: IncomingMessage, answer: ServerResponse): Promise<void> {
    const hasBody = 'content-length' in asked.headers || 'transfer-encoding' in asked.headers;
    // Each try listens to it.
    answer.setMaxListeners(0);
    for (const until = Date.now() + START_MS; !answer.destroyed; await sleep(100)) {
      try {
        if (this.own?.isChanged(asked)) return await this.own.answer(asked, answer);
        return await this.proxy.web(asked, answer, hasBody ? {} : { buffer: Readable.from([]) });
      } catch {
        // A body can be sent only once.
        if (!hasBody && !answer.headersSent && Date.now() < until) continue;
        if (!answer.headersSent) answer.writeHead(502);
        return void answer.end('The server of the pool does not answer');
      }
    }
  }
}
