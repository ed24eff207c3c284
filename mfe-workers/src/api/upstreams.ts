/** How the account's work changed upstream pools, and how much of it there is. */
import type { AlgorithmName } from '@pool/shared';
import { useQuery } from '@pool/shared/query';
import { useServices } from '@pool/shared/remote';

/** Switches of the last 24 hours, newest first. */
export function useSwitches() {
  const { api, session } = useServices();
  const { account } = session;
  return useQuery({
    queryKey: ['upstreams', 'switches', { account }],
    queryFn: ({ signal }) => api('GET /upstreamSwitches', { query: { userName: account }, signal }),
  });
}

/** The account's hashrates on an algorithm, H/s. */
export function useHashrates(algorithm: AlgorithmName) {
  const { api, session } = useServices();
  const { account } = session;
  return useQuery({
    queryKey: ['hashrate', 'now', { account, algorithm }],
    queryFn: ({ signal }) => api('GET /getLiveHashrates/', { query: { subAccountName: account, algorithm }, signal }),
  });
}
