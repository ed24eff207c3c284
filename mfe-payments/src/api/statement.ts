/** All earnings of a year and the payouts sent in it, from as many pages of `GET /paymentsHistory/` as needed. */
import { allPages } from '@pool/shared/pages';
import { historyPage } from './history';
import { useServiceQuery } from '@pool/shared/remote';

export const useYear = (year: number) =>
  useServiceQuery(({ api, session: { account } }) => ({
    queryKey: ['payments', 'year', { account, year }],
    queryFn: async ({ signal }) => {
      const [from, to] = [`${year}-01-01`, `${year}-12-31`];
      const [earnings, payouts] = await Promise.all([
        allPages(historyPage(api, 'earnings', account, { from, to }), { signal }),
        // A payout may have been opened in the year before the one it was sent in.
        allPages(historyPage(api, 'payouts', account, { to }), { signal }),
      ]);
      return { earnings, payouts: payouts.filter(({ sentAt }) => sentAt?.startsWith(String(year))) };
    },
  }));

/** The latest year before `year` with earnings; null without one. */
export const useYearBefore = (year: number) =>
  useServiceQuery(({ api, session: { account } }) => ({
    queryKey: ['payments', 'year-before', { account, year }],
    queryFn: async ({ signal }) => {
      const latest = historyPage(api, 'earnings', account, { to: `${year - 1}-12-31` });
      const { rows } = await latest({ limit: 1, signal });
      return rows[0] ? Number(rows[0].day.slice(0, 4)) : null;
    },
  })).data;
