/** Round robin of networks: each begins few requests in an iteration of the event loop, others go between. */
import type { IncomingMessage, RequestListener } from 'node:http';
import { networkOf } from '../../platform/network-of';
import { oncePerTurn } from '../../platform/next-turn';

export const BEGUN_AT_ONCE = 2;

type Network = { begun: number; waiting: (() => void)[] };

export class RoundRobin {
  private readonly networks = new Map<string, Network>();
  private readonly plan = oncePerTurn(() => this.next());

  /** `clientOf`: the address of who asks, behind a trusted proxy too. */
  constructor(private readonly clientOf: (request: IncomingMessage) => string | undefined) {}

  /** Calls `handle` in this iteration or a later one, for each network in the order of its requests. */
  guard(handle: RequestListener): RequestListener {
    return (request, response) => {
      const name = networkOf(this.clientOf(request) ?? '');
      const network = this.networks.get(name) ?? { begun: 0, waiting: [] };
      this.networks.set(name, network);
      this.plan();
      if (network.begun === BEGUN_AT_ONCE) {
        network.waiting.push(() => handle(request, response));
        return;
      }
      network.begun += 1;
      handle(request, response);
    };
  }

  private next(): void {
    for (const [name, network] of this.networks) {
      const begin = network.waiting.splice(0, BEGUN_AT_ONCE);
      network.begun = begin.length;
      if (begin.length) this.plan();
      else this.networks.delete(name);
      for (const handle of begin) handle();
    }
  }
}
