import { once } from 'node:events';
import { createServer, type AddressInfo, type Server, type Socket } from 'node:net';
import { createServer as createTlsServer } from 'node:tls';
import type { Logger } from 'pino';
import type { Slot } from '../../platform/limits/connection-slots';
import { addressOf } from '../../platform/network-of';
import type { Certificate } from './certificate';
import { takeProxyHeader } from './proxy-protocol';

export type ListenerOptions = {
  host: string;
  /** 0: any free port. */
  port: number;
  certificate?: Certificate;
  /** Milliseconds a TLS handshake, or a balancer's header, may take. */
  handshakeMs: number;
  log: Logger;
  /** Whether connections from this address are a balancer's and start with a header of the PROXY protocol. */
  isBalancer?(address: string | undefined): boolean;
  /** Called for every connection before its data; null ends it. `address`: the miner's. */
  admit(socket: Socket, address: string): Slot | null;
  /** Called when the connection is ready for Stratum. */
  enter(socket: Socket, address: string, slot: Slot): void;
};

const peerOf = ({ remoteAddress, remotePort }: Socket): string => `${remoteAddress} ${remotePort}`;

export class StratumListener {
  port = 0;
  private readonly server: Server;
  /** Connections that are not ready yet: waiting for a balancer's header, or in their TLS handshake; by peer. */
  private readonly pending = new Map<string, { socket: Socket; enter?(secure: Socket): void }>();
  private readonly unwatch: () => void = () => undefined;

  constructor(private readonly options: ListenerOptions) {
    const { certificate, handshakeMs, log, enter } = options;
    let ready = enter;
    if (certificate) {
      const secure = createTlsServer(
        { ...certificate.pair, minVersion: 'TLSv1.2', handshakeTimeout: handshakeMs },
        (socket) => {
          const peer = peerOf(socket);
          const waiting = this.pending.get(peer);
          this.pending.delete(peer);
          waiting?.enter?.(socket);
        },
      );
      // Node does not close the socket after a handshake timeout.
      secure.on('tlsClientError', (error, socket) => {
        log.debug({ err: error }, 'TLS handshake of a miner failed');
        socket.destroy();
      });
      this.unwatch = certificate.onChange((pair) => secure.setSecureContext({ ...pair, minVersion: 'TLSv1.2' }));
      ready = (socket, address, slot) => {
        this.wait(socket, (inside) => enter(inside, address, slot));
        secure.emit('connection', socket);
      };
    }
    this.server = createServer((socket) => void this.receive(socket, ready));
  }

  /** Lists the socket until it is ready or closed. */
  private wait(socket: Socket, enter?: (secure: Socket) => void): void {
    const peer = peerOf(socket);
    this.pending.set(peer, { socket, enter });
    socket.once('close', () => this.pending.delete(peer));
  }

  private async receive(socket: Socket, ready: ListenerOptions['enter']): Promise<void> {
    const { admit, isBalancer, handshakeMs, log } = this.options;
    const own = addressOf(socket.remoteAddress ?? '') ?? '';
    let address = own;
    if (isBalancer?.(own)) {
      this.wait(socket);
      socket.on('error', () => undefined);
      try {
        address = (await takeProxyHeader(socket, handshakeMs)) ?? own;
      } catch (error) {
        log.debug({ err: error, address: own }, 'a balancer sent no header of the PROXY protocol');
        socket.destroy();
        return;
      }
      this.pending.delete(peerOf(socket));
      if (socket.destroyed) return;
    }
    const slot = admit(socket, address);
    if (slot) return ready(socket, address, slot);
    socket.on('error', () => undefined);
    socket.destroy();
  }

  async open(): Promise<void> {
    const { host, port, log } = this.options;
    await once(this.server.listen({ port, host, backlog: 1024 }), 'listening');
    this.server.on('error', (error) => log.error({ err: error, port }, 'stratum port failed'));
    this.port = (this.server.address() as AddressInfo).port;
  }

  /** Stops listening. Resolves when the last connection has closed. */
  async close(): Promise<void> {
    this.unwatch();
    for (const { socket } of this.pending.values()) socket.destroy();
    await once(this.server.close(), 'close');
  }
}
