/** Where a miner connects: the sub-account's own port, else its proxy port, else the pool's port. */
import { ALGORITHM_NAMES, ALGORITHMS, type AlgorithmName, ownPort } from '@pool/shared/domain';
import type { Connection } from '@pool/shared/api/contract';
import type { SubAccountRow } from '../../accounts/accounts';
import type { StratumPort } from '../../stratum';
import type { Deps } from './deps';

type Known = Pick<Deps, 'config' | 'stratum'>;

const portOf = (ports: readonly StratumPort[], algorithm: AlgorithmName): number | null =>
  ports.find((known) => known.algorithm === algorithm)?.port ?? null;

export const poolConnections = (
  known: Known,
  host: string,
): Omit<Connection, 'exampleUser' | 'dedicated' | 'passwordSet' | 'upstream'>[] =>
  ALGORITHM_NAMES.map((algorithm) => ({
    algorithm,
    host: known.config.PUBLIC_HOST ?? host,
    port: portOf(known.stratum.ports, algorithm) ?? ALGORITHMS[algorithm].fallbackPort,
    tlsPort: portOf(known.stratum.tlsPorts, algorithm),
  }));

export const accountConnections = (
  known: Known,
  host: string,
  account: Pick<SubAccountRow, 'name' | 'ports' | 'proxyPort' | 'minerPassword'>,
): Connection[] =>
  poolConnections(known, host).map((connection) => {
    const { algorithm } = connection;
    const own = ownPort(account, algorithm);
    return {
      ...connection,
      port: own ?? connection.port,
      exampleUser: `${account.name}.worker1`,
      upstream: known.stratum.upstreams().some((upstream) => upstream.algorithm === algorithm),
      dedicated: own !== null,
      passwordSet: account.minerPassword !== null,
    };
  });
