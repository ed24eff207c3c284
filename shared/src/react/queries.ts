/** Queries of more than one unit. They share keys and intervals, so that all users share one response. */
import { queryOptions, useQuery, type UseQueryOptions, type UseQueryResult } from '@tanstack/react-query';
import { useTranslation } from 'react-i18next';
import type { Answer, ApiClient } from '../api/client';
import type { RemoteServices } from '../contract';
import { ALL_ACCOUNTS } from '../domain';
import { useApi, useServices } from './services';

/** Events refetch the balance sooner; the interval is for today's estimate, which changes without an event. */
const BALANCE_INTERVAL_MS = 5 * 60_000;
const PRICE_INTERVAL_MS = 60_000;
const RULES_FRESH_MS = 60_000;
const ACCOUNTS_FRESH_MS = 60_000;
const ADDRESSES_FRESH_MS = 10 * 60_000;

/** Asks with what the shell provides: its client, the session, the ability. */
export const useServiceQuery = <Answer, Selected = Answer>(
  of: (services: RemoteServices) => UseQueryOptions<Answer, Error, Selected>,
): UseQueryResult<Selected> => useQuery(of(useServices()));

/** The selected account as a page says it. */
export function useAccountName(): string {
  const { t } = useTranslation();
  const { account } = useServices().session;
  return account === ALL_ACCOUNTS ? t('ui.allAccounts') : account;
}

/** Balance, next payout, and earnings of yesterday and today of the selected account. Satoshis. */
export const useBalance = () =>
  useServiceQuery(({ api, session: { account }, ability }) => ({
    enabled: ability.can('read', 'payments'),
    queryKey: ['payments', 'balance', { account }],
    queryFn: ({ signal }) => api('GET /payment/', { query: { currentAccount: account }, signal }),
    refetchInterval: BALANCE_INTERVAL_MS,
  }));

/** What yesterday earned; null where nothing is known of it: in no day of the last two weeks something was earned. */
export const yesterdayOf = ({ yesterdaySat, lastDaysSat }: Answer<'GET /payment/'>): number | null =>
  yesterdaySat > 0 || lastDaysSat.some((sats) => sats > 0) ? yesterdaySat : null;

export const btcPriceQuery = (api: ApiClient) =>
  queryOptions({
    queryKey: ['prices', 'bitcoin'],
    queryFn: ({ signal }) => api('GET /homePrice/', { signal }),
    refetchInterval: PRICE_INTERVAL_MS,
  });

/** Price of one bitcoin in US dollars, with its time. */
export const useBtcPrice = () => useQuery(btcPriceQuery(useApi()));

/** Hashrate, workers, price and fee of the pool, one entry per algorithm. */
export const poolStatisticsQuery = (api: ApiClient) =>
  queryOptions({
    queryKey: ['poolStatistics'],
    queryFn: ({ signal }) => api('GET /getPoolStatistics', { signal }),
    refetchInterval: PRICE_INTERVAL_MS,
  });

/** Number of workers in each state, of the selected account and algorithm. */
export const useWorkerCount = () =>
  useServiceQuery(({ api, session: { account, algorithm }, ability }) => ({
    enabled: ability.can('read', 'workers'),
    queryKey: ['workers', 'count', { account, algorithm }],
    queryFn: ({ signal }) => api('GET /getWorkerCount/', { query: { subAccountName: account, algorithm }, signal }),
  }));

/** The signed-in user and the rules of the ability. */
export const userInfoQuery = (api: ApiClient, userId: string) =>
  queryOptions({
    queryKey: ['userInfo', userId],
    queryFn: ({ signal }) => api('GET /getUserInfo/', { signal }),
    staleTime: RULES_FRESH_MS,
  });

export const subAccountsQuery = (api: ApiClient, userId: string) =>
  queryOptions({
    queryKey: ['subAccounts', userId],
    queryFn: ({ signal }) => api('GET /subAccounts/', { signal }),
    staleTime: ACCOUNTS_FRESH_MS,
  });

export const SUB_ACCOUNT_FACTS = ['workers', 'sub-accounts'] as const;

/** Figures of the sub-accounts; live events of workers refetch them. */
export const subAccountFactsQuery = (api: ApiClient) =>
  queryOptions({
    queryKey: SUB_ACCOUNT_FACTS,
    queryFn: ({ signal }) => api('GET /subAccounts/facts', { signal }),
  });

/** The id of the selected sub-account; undefined while unknown, and for one that is not the user's own. */
export function useSubAccountId(): number | undefined {
  const { api, session, ability } = useServices();
  const { data } = useQuery({
    ...subAccountsQuery(api, session.userId),
    enabled: ability.can('read', 'account'),
  });
  return data?.subAccounts.find(({ name }) => name === session.account)?.id;
}

/** The same within another query, whose error is then that of the sub-accounts too. 0, which nothing has, if it is not the user's own. */
export async function subAccountIdOf({ api, queryClient, session }: RemoteServices): Promise<number> {
  const { subAccounts } = await queryClient.ensureQueryData({ ...subAccountsQuery(api, session.userId), retry: false });
  return subAccounts.find(({ name }) => name === session.account)?.id ?? 0;
}

/** The worker groups of the selected account, or of all: the answer has those of all the user's. */
export function useWorkerGroups() {
  const services = useServices();
  const { account } = services.session;
  return useQuery({
    enabled: services.ability.can('read', 'account'),
    queryKey: ['workers', 'groups', { account }],
    async queryFn({ signal }) {
      const [groups, id] = await Promise.all([
        services.api('GET /workerGroups/', { signal }),
        subAccountIdOf(services),
      ]);
      return groups.filter(({ subAccountId }) => account === ALL_ACCOUNTS || subAccountId === id);
    },
  });
}

/** Stratum addresses for the selected account's miners, one entry per algorithm. */
export const useConnectionInfo = () =>
  useServiceQuery(({ api, session: { account } }) => ({
    queryKey: ['connection', { account }],
    queryFn: ({ signal }) => api('GET /connectionInfo/', { query: { userName: account }, signal }),
    staleTime: ADDRESSES_FRESH_MS,
  }));

/** An account's upstream pools of each algorithm, with their states; left out: the selected one's. */
export const useUpstreams = (of?: string) =>
  useServiceQuery(({ api, session, ability }) => {
    const account = of ?? session.account;
    return {
      enabled: ability.can('read', 'account'),
      queryKey: ['upstreams', { account }],
      queryFn: ({ signal }) => api('GET /upstreams', { query: { userName: account }, signal }),
    };
  });
