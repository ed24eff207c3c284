import { useServiceQuery } from '@pool/shared/remote';

/** Net earnings of 12 months, the current month last. */
export const useMonthly = () =>
  useServiceQuery(({ api, session: { account } }) => ({
    queryKey: ['payments', 'monthly', { account }],
    queryFn: ({ signal }) => api('GET /earnings/monthly', { query: { accountName: account }, signal }),
  }));
