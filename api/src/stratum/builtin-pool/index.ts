/** A small upstream pool for the demo and for tests, which checks every proof of work, takes any difficulty and pays nobody. */
import { once } from 'node:events';
import { createServer, type AddressInfo } from 'node:net';
import type { AlgorithmName } from '@pool/shared/domain';
import { type Nominal, parseUpstream, type UpstreamTarget } from '../upstream/upstream-target';
import { Peer } from './peer';
import { TemplateSource } from './template';

export type BuiltinPoolOptions = {
  algorithm: AlgorithmName;
  /** 0: any free port. */
  port?: number;
  /** Milliseconds between blocks: a random time in this range. */
  blockMs?: readonly [min: number, max: number];
  /** Milliseconds between jobs of one block. */
  jobMs?: number;
  /** DEMO ONLY, off by default. */
  nominal?: Nominal;
};

export type BuiltinPool = {
  port: number;
  target: UpstreamTarget;
  nextBlock(): void;
  connections(): number;
  stop(): Promise<void>;
};

export const BUILTIN_NAME = 'Built-in pool';

export async function startBuiltinPool({
  algorithm,
  port = 0,
  blockMs = [30_000, 60_000],
  jobMs = 15_000,
  nominal,
}: BuiltinPoolOptions): Promise<BuiltinPool> {
  const source = new TemplateSource();
  const peers = new Set<Peer>();
  let current = source.next();
  let nextExtranonce = Math.floor(Math.random() * 2 ** 31);

  const work = (): void => {
    current = source.next();
    for (const peer of peers) peer.work(current);
  };
  const nextBlock = (): void => {
    source.nextBlock();
    work();
  };
  let blockTimer: NodeJS.Timeout;
  const scheduleBlock = (): void => {
    blockTimer = setTimeout(
      () => {
        nextBlock();
        scheduleBlock();
      },
      blockMs[0] + Math.random() * (blockMs[1] - blockMs[0]),
    );
  };
  scheduleBlock();
  const jobTimer = setInterval(work, jobMs);

  const server = createServer((socket) => {
    nextExtranonce = (nextExtranonce + 1) >>> 0;
    peers.add(
      new Peer(socket, {
        algorithm,
        nominal,
        extranonce1: nextExtranonce.toString(16).padStart(8, '0'),
        current: () => current,
        onEnd: (peer) => peers.delete(peer),
      }),
    );
  });
  const stopTimers = (): void => {
    clearTimeout(blockTimer);
    clearInterval(jobTimer);
  };
  await once(server.listen(port, '127.0.0.1'), 'listening').catch((error: unknown) => {
    stopTimers();
    throw error;
  });
  const { port: actual } = server.address() as AddressInfo;
  return {
    port: actual,
    target: {
      ...parseUpstream(algorithm, `stratum+tcp://pool:x@127.0.0.1:${actual}`, BUILTIN_NAME),
      nominal,
    },
    nextBlock,
    connections: () => peers.size,
    stop: async () => {
      stopTimers();
      const closed = once(server.close(), 'close');
      for (const peer of peers) peer.end();
      await closed;
    },
  };
}
