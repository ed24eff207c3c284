import type { Pool } from 'pg';
import { ALGORITHM_NAMES, DEFAULT_ALGORITHM, isAlgorithm, type AlgorithmName } from '@pool/shared/domain';
import type { PoolChanges } from '../../stratum/pool-changes';
import type { OwnPort, PortList } from '../../stratum/ports';
import { type Querier, rowsOf } from '../../platform/db/querier';

type Ports = Partial<Record<string, number>>;

/** A port speaks one algorithm; the proxy port speaks the first algorithm without a port of its own. */
const proxyPortAlgorithm = (ports: Ports): AlgorithmName =>
  ALGORITHM_NAMES.find((algorithm) => ports[algorithm] === undefined) ?? DEFAULT_ALGORITHM;

/** The sub-account's own port of an algorithm; null: none, it mines at the pool's port. */
export const ownPort = (ports: Ports, proxyPort: number | null, algorithm: AlgorithmName): number | null =>
  ports[algorithm] ?? (proxyPort !== null && proxyPortAlgorithm(ports) === algorithm ? proxyPort : null);

export async function allPorts(db: Querier): Promise<OwnPort[]> {
  const rows = await rowsOf<{ id: number; ports: Ports; proxyPort: number | null }>(
    db,
    `select id, ports, proxy_port from sub_account
     where deleted_at is null and (ports <> '{}' or proxy_port is not null)
     order by id`,
  );
  return rows.flatMap(({ id: subAccountId, ports, proxyPort }) => [
    ...Object.entries(ports).flatMap(([algorithm, port]) =>
      port !== undefined && isAlgorithm(algorithm) ? [{ subAccountId, algorithm, port }] : [],
    ),
    ...(proxyPort === null ? [] : [{ subAccountId, algorithm: proxyPortAlgorithm(ports), port: proxyPort }]),
  ]);
}

/** `known`: what was read last, for when the ports cannot be read. */
export const pgPortList = (pool: Pick<Pool, 'query'>, changes: PoolChanges, known?: PortList['known']): PortList => ({
  all: () => allPorts(pool),
  known,
  onChange: (listener) => changes.onPorts(listener),
});
