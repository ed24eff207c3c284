import { ALGORITHM_NAMES, DEFAULT_ALGORITHM, type AlgorithmName } from './algorithms';

/** Ports of a sub-account by algorithm, and the one that speaks the first algorithm without a port of its own. */
export type OwnPorts = { ports: Partial<Record<string, number>>; proxyPort: number | null };

export const proxyPortAlgorithm = (ports: OwnPorts['ports']): AlgorithmName =>
  ALGORITHM_NAMES.find((algorithm) => ports[algorithm] === undefined) ?? DEFAULT_ALGORITHM;

/** The sub-account's own port of an algorithm; null: none, it mines at the pool's port. */
export const ownPort = ({ ports, proxyPort }: OwnPorts, algorithm: AlgorithmName): number | null =>
  ports[algorithm] ?? (proxyPortAlgorithm(ports) === algorithm ? proxyPort : null);
