import { useQuery } from '@pool/shared/query';
import { useApi, useSession } from '@pool/shared/remote';

/** Net earnings of 12 months, the current month last. */
export function useMonthly() {
  const api = useApi();
  const { account } = useSession();
  return useQuery({
    queryKey: ['payments', 'monthly', { account }],
    queryFn: ({ signal }) => api('GET /earnings/monthly', { query: { accountName: account }, signal }),
  });
}
