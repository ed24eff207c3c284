/** All earnings of a year and the payouts sent in it, from as many pages of `GET /paymentsHistory/` as needed. */
import { queryOptions, useQuery } from '@pool/shared/query';
import { useApi, useSession } from '@pool/shared/remote';
import { allHistory, page } from './history';

export function useYear(year: number) {
  const api = useApi();
  const { account } = useSession();
  return useQuery(
    queryOptions({
      queryKey: ['payments', 'year', { account, year }],
      queryFn: async ({ signal }) => {
        const [from, to] = [`${year}-01-01`, `${year}-12-31`];
        const [earnings, payouts] = await Promise.all([
          allHistory(api, 'earnings', account, { from, to }, { signal }),
          // A payout may have been opened in the year before the one it was sent in.
          allHistory(api, 'payouts', account, { to }, { signal }),
        ]);
        return { earnings, payouts: payouts.filter(({ sentAt }) => sentAt?.startsWith(String(year))) };
      },
    }),
  );
}

/** The latest year before `year` with earnings; null without one. */
export function useYearBefore(year: number) {
  const api = useApi();
  const { account } = useSession();
  return useQuery({
    queryKey: ['payments', 'year-before', { account, year }],
    queryFn: async ({ signal }) => {
      const { rows } = await page(api, 'earnings', { account, days: { to: `${year - 1}-12-31` }, limit: 1, signal });
      return rows[0] ? Number(rows[0].day.slice(0, 4)) : null;
    },
  }).data;
}
