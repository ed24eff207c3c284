/** Limits the connections of a network, and the requests that one sends before the first is answered. */
import type { IncomingMessage, RequestListener } from 'node:http';
import type { Socket } from 'node:net';
import { ConnectionSlots, type Slot } from '../../platform/limits/connection-slots';
import { networkOf } from '../../platform/network-of';

/** More than one: an answer may arrive before this process is told that it was sent. */
const UNANSWERED = 4;
/** A network that sent more on a connection gets no other for this long, as when it sends too many calls. */
const REFUSED_MS = 60_000;
/** A refused connection is ended after this time: a client that connects again at once then does so seldom. */
const HELD_MS = 1000;
/** A network has one slot in two at most. */
const NETWORK_PART = 2;

type Open = { slot: Slot; unanswered: number };

export class Connections {
  private readonly slots: ConnectionSlots;
  private readonly open = new WeakMap<Socket, Open>();
  private readonly refused = new Set<string>();

  /** `isTrusted`: whether an address is of a proxy, on whose connections many clients ask; it is never refused. */
  constructor(
    private readonly isTrusted: (address: string) => boolean,
    max: number,
  ) {
    this.slots = new ConnectionSlots(max, max / NETWORK_PART);
  }

  admit(socket: Socket): void {
    const { remoteAddress = '' } = socket;
    const slot = this.slots.take(remoteAddress, () => socket.destroy(), this.isTrusted(remoteAddress));
    if (typeof slot === 'string') {
      socket.destroy();
      return;
    }
    this.open.set(socket, { slot, unanswered: 0 });
    socket.once('close', () => slot.leave());
    if (!this.refused.has(networkOf(remoteAddress))) return;
    // After the HTTP parser's listener resumed it; nothing is read.
    process.nextTick(() => socket.pause());
    setTimeout(() => socket.destroy(), HELD_MS).unref();
  }

  /** Calls `handle` unless too many requests of the connection are unanswered. */
  guard(handle: RequestListener): RequestListener {
    return (request, response) => {
      const { socket } = request;
      const open = this.open.get(socket);
      if (!open || socket.destroyed) return;
      if (open.unanswered === UNANSWERED) return this.refuse(request);
      open.unanswered += 1;
      open.slot.stay();
      response.once('close', () => {
        open.unanswered -= 1;
        if (open.unanswered === 0) open.slot.rest();
      });
      handle(request, response);
    };
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
