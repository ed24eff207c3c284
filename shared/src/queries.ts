/** What more than one unit asks for: with one key and one pace, whoever asks the same shares one answer. */
import { useQuery } from '@tanstack/react-query';
import { useServices } from './services';

/** Events refresh the balance sooner; today's estimate also moves without one. */
const BALANCE_EVERY_MS = 5 * 60_000;
const PRICE_EVERY_MS = 60_000;

/** Unpaid balance, next payout, yesterday and today of the account that is picked. Satoshis. */
export function useBalance() {
  const { api, session } = useServices();
  const { account } = session;
  return useQuery({
    queryKey: ['payments', 'balance', { account }],
    queryFn: ({ signal }) => api('GET /payment/', { query: { currentAccount: account }, signal }),
    refetchInterval: BALANCE_EVERY_MS,
  });
}

/** What one bitcoin costs, US dollars, with its age. */
export function useBtcPrice() {
  const { api } = useServices();
  return useQuery({
    queryKey: ['prices', 'bitcoin'],
    queryFn: ({ signal }) => api('GET /homePrice/', { signal }),
    refetchInterval: PRICE_EVERY_MS,
  });
}

/** How many workers are in each state, of the account and algorithm that are picked. */
export function useWorkerCount() {
  const { api, session } = useServices();
  const { account, algorithm } = session;
  return useQuery({
    queryKey: ['workers', 'count', { account, algorithm }],
    queryFn: ({ signal }) => api('GET /getWorkerCount/', { query: { subAccountName: account, algorithm }, signal }),
  });
}
