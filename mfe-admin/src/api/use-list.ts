import { pagedQuery, type Ask, type Page } from '@pool/shared/pages';
import { keepPreviousData, useInfiniteQuery, type QueryKey } from '@pool/shared/query';

/** A list that the server pages. The rows of the list before stay until those of the next are there. */
export const useList = <P extends Page<unknown>>(queryKey: QueryKey, ask: Ask<P>) =>
  useInfiniteQuery({ ...pagedQuery(queryKey, ask), placeholderData: keepPreviousData });
