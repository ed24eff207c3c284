import type { Pool } from 'pg';
import { isAlgorithm, type OwnPorts, proxyPortAlgorithm } from '@pool/shared/domain';
import type { PoolChanges } from '../../stratum/pool-changes';
import type { OwnPort, PortList } from '../../stratum/ports';
import { type Querier, rowsOf } from '../../platform/db/querier';

export async function allPorts(db: Querier): Promise<OwnPort[]> {
  const rows = await rowsOf<OwnPorts & { id: number }>(
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
