/** What pages and alerts are shown of the proxies, where there are several: by what the nodes tell, and by asking them. */
import type { Arrivals } from '@pool/shared/api/contract';
import type { PoolView, StratumProxy } from '../stratum';
import type { PoolStatus } from '../stratum/ports';
import type { Asker } from '../stratum/miner/access/refusals';
import type { Shared } from '.';

type Upstreams = ReturnType<StratumProxy['upstreams']>;
type Dismissed = Parameters<StratumProxy['dismiss']>;

/** The best first: a pool that works for one node works. */
const STATES: readonly Upstreams[number]['state'][] = ['active', 'standby', 'auth_failed', 'unreadable', 'down'];
const better = <S extends { state: Upstreams[number]['state'] }>(a: S, b: S): S =>
  STATES.indexOf(b.state) < STATES.indexOf(a.state) ? b : a;

/** One line for each upstream, with the connections of all nodes. */
function mergeUpstreams(lists: readonly Upstreams[]): Upstreams {
  const merged = new Map<string, Upstreams[number]>();
  for (const upstream of lists.flat()) {
    const key = `${upstream.algorithm} ${upstream.priority} ${upstream.url}`;
    const known = merged.get(key);
    const connections = (known?.connections ?? 0) + upstream.connections;
    merged.set(key, { ...(known ? better(known, upstream) : upstream), connections });
  }
  return [...merged.values()];
}

function mergeArrivals(all: readonly Arrivals[]): Arrivals {
  const mining: Arrivals['mining'] = {};
  for (const each of all)
    for (const [algorithm, n] of Object.entries(each.mining) as [keyof Arrivals['mining'], number][])
      mining[algorithm] = (mining[algorithm] ?? 0) + n;
  return {
    nameless: all.flatMap(({ nameless }) => nameless),
    connected: all.flatMap(({ connected }) => connected),
    refused: all.flatMap(({ refused }) => refused),
    mining,
  };
}

/** Tells and answers the other nodes for the proxy of this process. */
export function showProxy(proxy: StratumProxy, { register, wire }: Pick<Shared, 'register' | 'wire'>): void {
  register.tells.add(() => ({
    ports: proxy.ports,
    tlsPorts: proxy.tlsPorts,
    upstreams: proxy.upstreams(),
    connections: proxy.connections(),
  }));
  wire.answer('status', (id: number) => proxy.status(id));
  wire.answer('poolStatus', (id: number) => [...proxy.poolStatus(id)]);
  wire.answer('arrivals', (asker: Asker) => proxy.arrivals(asker));
  wire.on('dismiss', (body) => proxy.dismiss(...(body as Dismissed)));
  void register.beat().then(() => wire.send('told', null));
}

/** `own`: the proxy of this process, if it has one. `testPool`: made from here, whoever mines. */
export function viewOf(
  { register, wire }: Pick<Shared, 'register' | 'wire'>,
  own: StratumProxy | null,
  testPool: PoolView['testPool'],
): PoolView {
  const others = () => register.living.filter(({ id, roles }) => id !== register.id && roles.includes('stratum'));
  const ask = <T>(call: string, args: unknown): Promise<T[]> =>
    wire.ask<T>(
      call,
      args,
      others().map(({ id }) => id),
    );
  const firstPorts = (what: 'ports' | 'tlsPorts') => own?.[what] ?? others().find(({ state }) => state)?.state?.[what];
  return {
    get ports() {
      return firstPorts('ports') ?? [];
    },
    get tlsPorts() {
      return firstPorts('tlsPorts') ?? [];
    },
    upstreams: () =>
      mergeUpstreams([...(own ? [own.upstreams()] : []), ...others().map(({ state }) => state?.upstreams ?? [])]),
    connections: () => others().reduce((sum, { state }) => sum + (state?.connections ?? 0), own?.connections() ?? 0),
    status: async (id) =>
      mergeUpstreams([...(own ? [await own.status(id)] : []), ...(await ask<Upstreams>('status', id))]),
    poolStatus: async (id) => {
      const found = new Map<number, PoolStatus>();
      const answers = await ask<[number, PoolStatus][]>('poolStatus', id);
      for (const [place, status] of [...(own?.poolStatus(id) ?? []), ...answers.flat()]) {
        const known = found.get(place);
        found.set(place, known ? better(known, status) : status);
      }
      return found;
    },
    arrivals: async (asker) =>
      mergeArrivals([...(own ? [own.arrivals(asker)] : []), ...(await ask<Arrivals>('arrivals', asker))]),
    dismiss: (...worker) => {
      own?.dismiss(...worker);
      wire.send('dismiss', worker);
    },
    testPool,
  };
}
