/** Opens and closes the ports of sub-accounts to match the list. One that is taken is tried again. */
import type { Logger } from 'pino';
import { sharedRead } from '../../platform/db/shared-read';
import type { OwnPort, PortList } from '../ports';
import type { StratumListener } from './listener';

export type OwnPortsOptions = {
  list: PortList;
  log: Logger;
  /** Makes a server for the port without opening it. */
  make(port: OwnPort): StratumListener;
  /** Disconnects the miners of a port that is being closed: an account has one of an algorithm. */
  closing(port: OwnPort): void;
  retryMs: number;
};

const keyOf = ({ subAccountId, algorithm, port }: OwnPort): string => `${port} ${algorithm} ${subAccountId}`;

export class OwnPorts {
  private readonly open = new Map<string, { port: OwnPort; listener: StratumListener }>();
  private readonly unsubscribe: () => void;
  private timer: NodeJS.Timeout | undefined;
  private stopped = false;

  constructor(private readonly options: OwnPortsOptions) {
    this.unsubscribe = options.list.onChange(() => void this.follow());
    void this.follow();
  }

  get ports(): OwnPort[] {
    return [...this.open.values()].map(({ port }) => port);
  }

  async stop(): Promise<void> {
    this.stopped = true;
    this.unsubscribe();
    clearTimeout(this.timer);
    const listeners = [...this.open.values()];
    this.open.clear();
    await Promise.all(listeners.map(({ listener }) => listener.close()));
  }

  /** Only one run at a time; a change during it starts another. */
  private follow(): Promise<void> {
    return sharedRead(this, 'ports', async () => {
      clearTimeout(this.timer);
      if (this.stopped || (await this.apply()) || this.stopped) return;
      this.timer = setTimeout(() => void this.follow(), this.options.retryMs);
    });
  }

  /** Returns false when something has to be retried. */
  private async apply(): Promise<boolean> {
    const { list, log, make, closing } = this.options;
    let wanted: OwnPort[];
    let complete = true;
    try {
      wanted = await list.all();
    } catch (error) {
      log.warn({ err: error }, 'ports of sub-accounts cannot be read; it is retried');
      complete = false;
      wanted = (this.open.size === 0 && list.known?.()) || this.ports;
    }
    const keys = new Set(wanted.map(keyOf));
    for (const [key, { port, listener }] of this.open) {
      if (keys.has(key)) continue;
      this.open.delete(key);
      log.info(port, 'port closed');
      void listener.close();
      closing(port);
    }
    for (const port of wanted) {
      if (this.stopped || this.open.has(keyOf(port))) continue;
      const listener = make(port);
      try {
        await listener.open();
      } catch (error) {
        log.warn({ err: error, ...port }, 'port of a sub-account cannot be opened; it is retried');
        complete = false;
        continue;
      }
      if (this.stopped) {
        await listener.close();
        break;
      }
      this.open.set(keyOf(port), { port, listener });
      log.info(port, 'port opened');
    }
    return complete;
  }
}
