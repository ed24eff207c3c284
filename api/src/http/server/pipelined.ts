/**
 * Ends connections on which many requests are sent before the first is answered: one chunk of them would occupy the
 * process for seconds. Browsers and proxies (nginx, HAProxy) send the next request of a connection after an answer.
 */
import type { IncomingMessage, RequestListener } from 'node:http';
import type { Socket } from 'node:net';
import { networkOf } from '../../network-of';

/** Of one connection. More than one: an answer may arrive before this process is told that it was sent. */
const UNANSWERED = 4;
/** A network that did so gets no connection for this long, as when it sends too many calls. */
const REFUSED_MS = 60_000;
/** Until its connections are ended meanwhile: who connects again at once then does so seldom. */
const HELD_MS = 1000;

export class Pipelining {
  private readonly unanswered = new WeakMap<Socket, number>();
  private readonly refused = new Set<string>();

  /** `isTrusted`: whether an address is of a proxy, on whose connections many clients ask; it is never refused. */
  constructor(private readonly isTrusted: (address: string) => boolean) {}

  /** Calls `handle` unless too many requests of the connection are unanswered. */
  guard(handle: RequestListener): RequestListener {
    return (request, response) => {
      const { socket } = request;
      if (socket.destroyed) return;
      const count = (this.unanswered.get(socket) ?? 0) + 1;
      if (count > UNANSWERED) return this.refuse(request);
      this.unanswered.set(socket, count);
      response.once('close', () => this.unanswered.set(socket, (this.unanswered.get(socket) ?? 1) - 1));
      handle(request, response);
    };
  }

  /** Called for each new connection, before any data: of a refused network nothing is read. */
  admit(socket: Socket): void {
    if (!this.refused.has(networkOf(socket.remoteAddress ?? ''))) return;
    // After the HTTP parser's listener resumed it.
    process.nextTick(() => socket.pause());
    setTimeout(() => socket.destroy(), HELD_MS).unref();
  }

  private refuse({ socket }: IncomingMessage): void {
    socket.destroy();
    const { remoteAddress = '' } = socket;
    if (this.isTrusted(remoteAddress)) return;
    const network = networkOf(remoteAddress);
    this.refused.add(network);
    setTimeout(() => this.refused.delete(network), REFUSED_MS).unref();
  }
}
