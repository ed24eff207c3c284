/** A listening port, plain or TLS. */
import { createServer, type AddressInfo, type Server, type Socket } from 'node:net';
import { createServer as createTlsServer } from 'node:tls';
import type { Logger } from 'pino';
import type { Certificate } from './certificate';

export type ListenerOptions = {
  host: string;
  /** 0: any free port. */
  port: number;
  certificate?: Certificate;
  /** Milliseconds a TLS handshake may take. */
  handshakeMs: number;
  log: Logger;
  /** Called for every connection before any data; false ends it. */
  admit(socket: Socket): boolean;
  /** Called when the connection is ready for Stratum. */
  enter(socket: Socket): void;
};

const peerOf = ({ remoteAddress, remotePort }: Socket): string => `${remoteAddress} ${remotePort}`;

export class StratumListener {
  port = 0;
  private readonly server: Server;
  /** Sockets in their TLS handshake, by peer address and port. */
  private readonly handshakes = new Map<string, Socket>();
  private readonly unwatch: () => void;

  constructor(private readonly options: ListenerOptions) {
    const { certificate, handshakeMs, log, admit, enter } = options;
    const admitted = (socket: Socket): void => {
      if (admit(socket)) return;
      socket.on('error', () => undefined);
      socket.destroy();
    };
    if (!certificate) {
      this.server = createServer((socket) => {
        admitted(socket);
        if (!socket.destroyed) enter(socket);
      });
      this.unwatch = () => undefined;
    } else {
      const server = createTlsServer(
        { ...certificate.pair, minVersion: 'TLSv1.2', handshakeTimeout: handshakeMs },
        (socket) => {
          this.handshakes.delete(peerOf(socket));
          enter(socket);
        },
      );
      server.on('connection', (socket: Socket) => {
        const peer = peerOf(socket);
        this.handshakes.set(peer, socket);
        socket.once('close', () => this.handshakes.delete(peer));
        admitted(socket);
      });
      // Node does not close the socket after a handshake timeout.
      server.on('tlsClientError', (error, socket) => {
        log.debug({ err: error }, 'TLS handshake of a miner failed');
        socket.destroy();
      });
      this.unwatch = certificate.onChange((pair) => server.setSecureContext({ ...pair, minVersion: 'TLSv1.2' }));
      this.server = server;
    }
  }

  /** Rejects when the port is taken. */
  open(): Promise<void> {
    const { host, port, log } = this.options;
    return new Promise((resolve, reject) => {
      this.server.once('error', reject);
      this.server.listen({ port, host, backlog: 1024 }, () => {
        this.server.off('error', reject);
        this.server.on('error', (error) => log.error({ err: error, port }, 'stratum port failed'));
        this.port = (this.server.address() as AddressInfo).port;
        resolve();
      });
    });
  }

  /** Stops listening. Resolves when the last connection has closed. */
  close(): Promise<void> {
    this.unwatch();
    for (const socket of this.handshakes.values()) socket.destroy();
    return new Promise((resolve) => {
      this.server.close(() => resolve());
    });
  }
}
