/** How the account's work changed upstream pools, and how much of it there is. */
import type { AlgorithmName } from '@pool/shared';
import { useServiceQuery } from '@pool/shared/remote';

/** Switches of the last 24 hours, newest first. */
export const useSwitches = () =>
  useServiceQuery(({ api, session: { account } }) => ({
    queryKey: ['upstreams', 'switches', { account }],
    queryFn: ({ signal }) => api('GET /upstreamSwitches', { query: { userName: account }, signal }),
  }));

/** The account's hashrates on an algorithm, H/s. */
export const useHashrates = (algorithm: AlgorithmName) =>
  useServiceQuery(({ api, session: { account } }) => ({
    queryKey: ['hashrate', 'now', { account, algorithm }],
    queryFn: ({ signal }) => api('GET /getLiveHashrates/', { query: { subAccountName: account, algorithm }, signal }),
  }));
