/** `GET /paymentsHistory/`: earnings per UTC day, or payouts, newest first, page by page. */
import { useApi, useSession, useServiceQuery } from '@pool/shared/remote';
import { allPages, pagedQuery } from '@pool/shared/pages';
import { useInfiniteQuery } from '@pool/shared/query';
import type { Answer, ApiClient, Earning, Payment } from '@pool/shared';

/** UTC days, both included; without `from` or `to` that end is open. */
export type Days = { from?: string; to?: string };
/** `search`: id, transaction or address of payouts. */
type Wanted = Days & { search?: string };
export type HistoryRow = { earnings: Earning; payouts: Payment };
export type HistoryKind = keyof HistoryRow;
export type Sums = Extract<Answer<'GET /paymentsHistory/'>, { kind: 'earnings' }>['sums'];
type History<K extends HistoryKind> = {
  rows: HistoryRow[K][];
  total: number;
  nextCursor: string | null;
  /** Sums of earnings of all closed days of the range. */
  sums?: Sums;
  /** Address of a payout's transaction at the operator's explorer, with `{txid}`. */
  explorer?: string | null;
};
type PageRequest = { cursor?: string; limit: number; signal?: AbortSignal };

export const historyPage =
  <K extends HistoryKind>(api: ApiClient, kind: K, account: string, wanted: Wanted) =>
  ({ signal, ...part }: PageRequest): Promise<History<K>> => {
    const query = { kind, accountName: account, ...wanted, ...part };
    // The client returns it so, and a first view has it in its first pass (shared/src/first-view).
    return api('GET /paymentsHistory/', { query, signal }) as Promise<unknown> as Promise<History<K>>;
  };

export function useHistory<K extends HistoryKind>(kind: K, wanted: Wanted) {
  const api = useApi();
  const { account } = useSession();
  return useInfiniteQuery(
    pagedQuery(['payments', kind, { account, ...wanted }], historyPage(api, kind, account, wanted)),
  );
}

/** Earnings of the days that a payout pays. */
export const useDaysOf = ({ account, periodFrom: from, periodTo: to }: Payment, enabled: boolean) =>
  useServiceQuery(({ api }) => ({
    queryKey: ['payments', 'days-of', { account, from, to }],
    queryFn: ({ signal }) => allPages(historyPage(api, 'earnings', account, { from, to }), { signal }),
    enabled,
  }));

/** Net earnings and payouts of 12 months, the current month last. */
export const useMonthly = () =>
  useServiceQuery(({ api, session: { account } }) => ({
    queryKey: ['payments', 'monthly', { account }],
    queryFn: ({ signal }) => api('GET /earnings/monthly', { query: { accountName: account }, signal }),
  }));
