import { ALGORITHM_NAMES, DEFAULT_ALGORITHM } from '@pool/shared/domain';
import { poolIncidents } from '../../alerts/outage-log';
import { bitcoinPrice, type BitcoinPrice, type KnownPrice, priceHistory } from '../../money/accounting/prices';
import { TtlCache } from '../../platform/ttl-cache';
import { poolDay, type PoolDay, poolHistory, poolStatistics } from '../../money/accounting/statistics';
import { RecentShares } from '../../mining/shares/recent-shares';
import { poolFee } from '../context/readable-accounts';
import type { Deps } from '../context/deps';
import { prepare, type Prepared } from '../server/prepared';
import type { Handlers } from '../auth/route';
import { poolConnections } from '../context/stratum-address';
import { requestBonus } from '../../money/bonus';

const NETWORK_ALGORITHM = 'SHA256_ASICBOOST';
const NETWORK_FRESH_S = 2 * 3600;

export function publicRoutes(deps: Deps) {
  const { pool, now } = deps;
  const prices = new TtlCache<BitcoinPrice>(10_000);
  const figures = new TtlCache<Prepared>(10_000);
  const charts = new TtlCache<Prepared>(60_000);
  const histories = new TtlCache<KnownPrice[]>(60_000);
  const days = new TtlCache<PoolDay>(60_000);
  const incidents = new TtlCache<Prepared>(60_000);
  const shares = new TtlCache<Prepared>(2000);
  const recent = new RecentShares(deps.bus, now);
  const price = (): Promise<BitcoinPrice> => prices.get('', () => bitcoinPrice(pool, now()));
  return {
    'GET /homePrice/': () => price(),
    'GET /getBtcPrice': async () => (await price()).price,
    'GET /getPoolStatistics': () =>
      figures.get('', async () => {
        const feePercent = await poolFee(deps);
        const rows = await poolStatistics(pool, now());
        const network = deps.network();
        const said = network && now() - Date.parse(network.at) / 1000 < NETWORK_FRESH_S ? { network } : {};
        return prepare(
          'GET /getPoolStatistics',
          rows.map((row) => ({ ...row, feePercent, ...(row.algo === NETWORK_ALGORITHM && said) })),
        );
      }),
    'GET /poolHashchart': ({ query: { algorithm = DEFAULT_ALGORITHM } }) =>
      charts.get(algorithm, async () => prepare('GET /poolHashchart', await poolHistory(pool, algorithm, now()))),
    'GET /poolShares': () => shares.get('', async () => prepare('GET /poolShares', recent.read())),
    'GET /poolDay': () => days.get('', () => poolDay(pool, (day) => poolFee(deps, day))),
    'GET /poolIncidents': () =>
      incidents.get('', async () => prepare('GET /poolIncidents', await poolIncidents(pool, now()))),
    'GET /hashprice': async ({ query: { algorithm = DEFAULT_ALGORITHM } }) => ({
      days: await histories.get(algorithm, () => priceHistory(pool, algorithm, now())),
      network: algorithm === NETWORK_ALGORITHM ? deps.network() : null,
    }),
    'GET /algorithms/': () => ALGORITHM_NAMES.map((name) => ({ name })),
    'GET /poolConnection': ({ request }) => poolConnections(deps, request.hostname),
    // No mail is sent: the owner of the address may not have asked for the welcome bonus.
    'POST /requestBonus': async ({ query: { email }, request, reply }) => {
      await requestBonus(pool, email, request.ip, now());
      reply.code(202).header('cache-control', 'no-store');
      return { accepted: true };
    },
    // Public; signed-in callers get more of them.
    'GET /remotes': async ({ request, reply }) => {
      reply.header('cache-control', 'private, no-cache');
      return deps.remotes.listFor(await deps.principals.find(request));
    },
  } satisfies Partial<Handlers>;
}
