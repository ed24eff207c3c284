/** All ports that miners connect to: those of the settings, and those of sub-accounts, which follow a list. */
import type { AlgorithmName } from '@pool/shared/domain';
import type { Logger } from 'pino';
import { sharedRead } from '../../platform/db/shared-read';
import type { Sessions } from '../miner/sessions';
import type { OwnPort, PortList, StratumPort } from '../ports';
import type { Limits } from '../wire/limits';
import type { Certificate } from './certificate';
import { StratumListener } from './listener';
import { addressList } from './proxy-protocol';

export type ListenersOptions = {
  host: string;
  /** Addresses and networks of balancers in front of the ports, which speak the PROXY protocol. */
  balancers?: readonly string[];
  limits: Limits;
  sessions: Sessions;
  log: Logger;
};

const keyOf = ({ subAccountId, algorithm, port }: OwnPort): string => `${port} ${algorithm} ${subAccountId}`;

export class Listeners {
  private readonly everybodys: StratumListener[] = [];
  private readonly own = new Map<string, { port: OwnPort; listener: StratumListener }>();
  private unsubscribe = (): void => undefined;
  /** Until a port that was taken, or a list that could not be read, is tried again. */
  private retry: NodeJS.Timeout | undefined;
  private closed = false;

  constructor(private readonly options: ListenersOptions) {}

  /** Ports of sub-accounts that are open now. */
  get ownPorts(): OwnPort[] {
    return [...this.own.values()].map(({ port }) => port);
  }

  /** Returns the ports with their real numbers. Rejects when one cannot be opened. */
  async open(ports: readonly StratumPort[], tls?: Certificate): Promise<StratumPort[]> {
    const opened: StratumPort[] = [];
    for (const { algorithm, port } of ports) {
      const listener = this.make(algorithm, port, null, tls);
      await listener.open();
      this.everybodys.push(listener);
      opened.push({ algorithm, port: listener.port });
    }
    return opened;
  }

  /** Opens and closes ports of sub-accounts as the list says, from now on. */
  follow(list: PortList): void {
    this.unsubscribe = list.onChange(() => void this.read(list));
    void this.read(list);
  }

  /** Resolves when the last connection has closed. */
  async close(): Promise<void> {
    this.closed = true;
    this.unsubscribe();
    clearTimeout(this.retry);
    const all = [...this.everybodys, ...[...this.own.values()].map(({ listener }) => listener)];
    this.own.clear();
    await Promise.all(all.map((listener) => listener.close()));
  }

  private make(
    algorithm: AlgorithmName,
    port: number,
    owner: number | null,
    certificate?: Certificate,
  ): StratumListener {
    const { host, balancers, limits, sessions, log } = this.options;
    const listener = new StratumListener({
      host,
      port,
      certificate,
      handshakeMs: limits.handshakeMs,
      log,
      isBalancer: balancers && addressList(balancers),
      admit: (socket, address) => sessions.admit(socket, address),
      enter: (socket, address, slot) =>
        sessions.enter(socket, address, slot, {
          algorithm,
          owner,
          port: listener.port,
          tls: certificate !== undefined,
        }),
    });
    return listener;
  }

  /** Only one at a time; a change during it starts another. */
  private read(list: PortList): Promise<void> {
    return sharedRead(this, 'ports', async () => {
      clearTimeout(this.retry);
      if (this.closed || (await this.apply(list)) || this.closed) return;
      this.retry = setTimeout(() => void this.read(list), this.options.limits.portRetryMs);
    });
  }

  /** Returns false when something has to be retried. */
  private async apply(list: PortList): Promise<boolean> {
    const { log, sessions } = this.options;
    let wanted: OwnPort[];
    let complete = true;
    try {
      wanted = await list.all();
    } catch (error) {
      log.warn({ err: error }, 'ports of sub-accounts cannot be read; it is retried');
      complete = false;
      wanted = (this.own.size === 0 && list.known?.()) || this.ownPorts;
    }
    const keys = new Set(wanted.map(keyOf));
    for (const [key, { port, listener }] of this.own) {
      if (keys.has(key)) continue;
      this.own.delete(key);
      log.info(port, 'port closed');
      void listener.close();
      sessions.leavePort(port);
    }
    for (const port of wanted) {
      if (this.closed || this.own.has(keyOf(port))) continue;
      const listener = this.make(port.algorithm, port.port, port.subAccountId);
      try {
        await listener.open();
      } catch (error) {
        log.warn({ err: error, ...port }, 'port of a sub-account cannot be opened; it is retried');
        complete = false;
        continue;
      }
      if (this.closed) {
        await listener.close();
        break;
      }
      this.own.set(keyOf(port), { port, listener });
      log.info(port, 'port opened');
    }
    return complete;
  }
}
