import { useApi } from '@pool/shared/remote';
import { queryOptions, useQuery } from '@pool/shared/query';
import type { Answer, ApiClient } from '@pool/shared';

export type Accrual = Answer<'GET /referral/accruals'>['rows'][number];

/** The most that one answer contains. */
const LIMIT = 500;

const accrualsQuery = (api: ApiClient) =>
  queryOptions({
    queryKey: ['referral', 'accruals'],
    queryFn: ({ signal }) => api('GET /referral/accruals', { query: { limit: LIMIT }, signal }),
    select: ({ rows }) => rows,
  });

/** Daily referral earnings of the signed-in user, newest day first, at most 500 rows. */
export const useAccruals = () => useQuery(accrualsQuery(useApi()));
