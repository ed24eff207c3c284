/**
 * Tells the other nodes what happens here and they have to know: events of pages, changes that concern miners, ended
 * sessions, changed roles, queued messages. What comes from them happens here as if it had begun here, and is not sent
 * on. Events are gathered for a second and each is told once.
 */
import type { Bus, BusEvent } from '../platform/bus';
import type { PoolChanges } from '../stratum/pool-changes';
import type { Wire } from './wire';

const GATHER_MS = 1000;

export type RelayOptions = { wire: Wire; bus: Bus; changes: PoolChanges };

type Change = ['lists', readonly number[]] | ['ports'] | ['accounts', readonly number[]];

export function startRelay({ wire, bus, changes }: RelayOptions): { stop(): void } {
  const gathered = new Map<string, BusEvent>();
  let timer: NodeJS.Timeout | null = null;
  let heard = false;
  const asHeard = (work: () => void): void => {
    heard = true;
    try {
      work();
    } finally {
      heard = false;
    }
  };
  const flush = (): void => {
    timer = null;
    wire.send('events', [...gathered.values()]);
    gathered.clear();
  };
  const tell = (change: Change): void => {
    if (!heard) wire.send('change', change);
  };
  const ends = [
    bus.subscribe((event) => {
      // Each process watches the folder of the remotes itself.
      if (heard || event.type === 'remotes') return;
      gathered.set(JSON.stringify(event), event);
      timer ??= setTimeout(flush, GATHER_MS);
    }),
    changes.onLists((ids) => tell(['lists', ids])),
    changes.onPorts(() => tell(['ports'])),
    changes.onAccounts((ids) => tell(['accounts', ids])),
    changes.onCallers((ended) => {
      if (!heard) wire.send('ended', ended);
    }),
  ];
  wire.on('events', (events) => {
    asHeard(() => {
      for (const event of events as BusEvent[]) bus.publish(event);
    });
  });
  wire.on('ended', (ended) => asHeard(() => changes.callers(ended as string[])));
  wire.on('change', (body) => {
    const [what, ids = []] = body as Change;
    asHeard(() => {
      if (what === 'lists') changes.lists(ids);
      else if (what === 'ports') changes.ports();
      else changes.accounts(ids);
    });
  });
  return {
    stop: () => {
      for (const end of ends) end();
      if (timer) clearTimeout(timer);
      if (gathered.size) flush();
    },
  };
}
