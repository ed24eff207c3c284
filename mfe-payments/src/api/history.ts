/** `GET /paymentsHistory/`: earnings per UTC day, or payouts, newest first, page by page. */
import { useApi, useSession } from '@pool/shared/remote';
import { infiniteQueryOptions, useInfiniteQuery } from '@pool/shared/query';
import type { Answer, ApiClient, Earning, Payment } from '@pool/shared';

/** UTC days, both included; without `from` or `to` that end is open. */
export type Days = { from?: string; to?: string };
export type HistoryRow = { earnings: Earning; payouts: Payment };
export type HistoryKind = keyof HistoryRow;
type History<K extends HistoryKind> = {
  rows: HistoryRow[K][];
  total: number;
  nextCursor: string | null;
  /** Of payouts: address of a transaction at the operator's explorer, with `{txid}`. */
  explorer?: string | null;
};
type PageRequest = { account: string; days: Days; cursor?: string | null; limit: number; signal?: AbortSignal };

export async function page<K extends HistoryKind>(
  api: ApiClient,
  kind: K,
  { account, days, cursor, limit, signal }: PageRequest,
): Promise<History<K>> {
  const answer: Answer<'GET /paymentsHistory/'> = await api('GET /paymentsHistory/', {
    query: { kind, accountName: account, ...days, limit, cursor: cursor ?? undefined },
    signal,
  });
  if (answer.kind !== kind) throw new TypeError(`requested ${kind}, received ${answer.kind}`);
  return answer as unknown as History<K>;
}

/** Rows per page. */
export const PAGE = 100;
const historyQuery = <K extends HistoryKind>(api: ApiClient, kind: K, account: string, days: Days) =>
  infiniteQueryOptions({
    queryKey: ['payments', kind, { account, ...days }],
    queryFn: ({ pageParam, signal }) => page(api, kind, { account, days, cursor: pageParam, limit: PAGE, signal }),
    initialPageParam: null as string | null,
    getNextPageParam: (last) => last.nextCursor,
  });

export const useHistory = <K extends HistoryKind>(kind: K, days: Days) =>
  useInfiniteQuery(historyQuery(useApi(), kind, useSession().account, days));

const EXPORT_PAGE = 500;
/** All rows of the range, from as many pages as needed. `onProgress` receives the number of rows so far. */
export async function allHistory<K extends HistoryKind>(
  api: ApiClient,
  kind: K,
  account: string,
  days: Days,
  { signal, onProgress }: { signal?: AbortSignal; onProgress?: (rows: number) => void } = {},
): Promise<HistoryRow[K][]> {
  const rows: HistoryRow[K][] = [];
  let cursor: string | null = null;
  do {
    const part: History<K> = await page(api, kind, { account, days, cursor, limit: EXPORT_PAGE, signal });
    rows.push(...part.rows);
    onProgress?.(rows.length);
    cursor = part.nextCursor;
  } while (cursor !== null);
  return rows;
}
