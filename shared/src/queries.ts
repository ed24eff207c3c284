/**
 * Queries used by more than one unit. They share keys and intervals, so that all users of a query share one response.
 */
import { useQuery } from '@tanstack/react-query';
import { useServices } from './services';

/** Events refetch the balance sooner; the interval is for today's estimate, which changes without an event. */
const BALANCE_INTERVAL_MS = 5 * 60_000;
const PRICE_INTERVAL_MS = 60_000;

/** Balance, next payout, and earnings of yesterday and today of the selected account. Satoshis. */
export function useBalance() {
  const { api, session, ability } = useServices();
  const { account } = session;
  return useQuery({
    enabled: ability.can('read', 'payments'),
    queryKey: ['payments', 'balance', { account }],
    queryFn: ({ signal }) => api('GET /payment/', { query: { currentAccount: account }, signal }),
    refetchInterval: BALANCE_INTERVAL_MS,
  });
}

/** Price of one bitcoin in US dollars, with its time. */
export function useBtcPrice() {
  const { api } = useServices();
  return useQuery({
    queryKey: ['prices', 'bitcoin'],
    queryFn: ({ signal }) => api('GET /homePrice/', { signal }),
    refetchInterval: PRICE_INTERVAL_MS,
  });
}

/** Number of workers in each state, of the selected account and algorithm. */
export function useWorkerCount() {
  const { api, session, ability } = useServices();
  const { account, algorithm } = session;
  return useQuery({
    enabled: ability.can('read', 'workers'),
    queryKey: ['workers', 'count', { account, algorithm }],
    queryFn: ({ signal }) => api('GET /getWorkerCount/', { query: { subAccountName: account, algorithm }, signal }),
  });
}
