/** Lets a network begin few requests in one turn of the event loop, so that those of others are served between them. */
import type { IncomingMessage, RequestListener } from 'node:http';
import { networkOf } from '../../network-of';
import { oncePerTurn } from '../../next-turn';

export const BEGUN_A_TURN = 2;

type Network = { begun: number; waiting: (() => void)[] };

export class RequestTurns {
  private readonly networks = new Map<string, Network>();
  private readonly plan = oncePerTurn(() => this.next());

  /** `clientOf`: the address of who asks, behind a trusted proxy too. */
  constructor(private readonly clientOf: (request: IncomingMessage) => string | undefined) {}

  /** Calls `handle` in this turn or a later one, for each network in the order of its requests. */
  guard(handle: RequestListener): RequestListener {
    return (request, response) => {
      const name = networkOf(this.clientOf(request) ?? '');
      const network = this.networks.get(name) ?? { begun: 0, waiting: [] };
      this.networks.set(name, network);
      this.plan();
      if (network.begun === BEGUN_A_TURN) {
        network.waiting.push(() => handle(request, response));
        return;
      }
      network.begun += 1;
      handle(request, response);
    };
  }

  private next(): void {
    for (const [name, network] of this.networks) {
      const begin = network.waiting.splice(0, BEGUN_A_TURN);
      network.begun = begin.length;
      if (begin.length) this.plan();
      else this.networks.delete(name);
      for (const handle of begin) handle();
    }
  }
}
