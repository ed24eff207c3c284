/** Requests for the welcome bonus. */
import type { Answer, CallOptions } from '@pool/shared';
import { useInfiniteQuery, useMutation, useQueryClient } from '@pool/shared/query';
import { useApi } from '@pool/shared/remote';
import { pagedQuery } from './pages';

export type BonusRequest = Answer<'GET /admin/bonusRequests'>['rows'][number];
export type BonusFilter = { status?: BonusRequest['status']; search?: string };
export type Decision = CallOptions<'PUT /admin/bonusRequests'>['body'];

const KEY = ['admin', 'bonus'] as const;

export function useBonusRequests(filter: BonusFilter) {
  const api = useApi();
  return useInfiniteQuery(
    pagedQuery([...KEY, filter], ({ signal, ...part }) =>
      api('GET /admin/bonusRequests', { query: { ...filter, ...part }, signal }),
    ),
  );
}

export function useDecideBonus() {
  const api = useApi();
  const queryClient = useQueryClient();
  return useMutation({
    mutationFn: ({ id, ...body }: Decision & { id: number }) =>
      api('PUT /admin/bonusRequests', { query: { id }, body: body as Decision }),
    onSettled: () => queryClient.invalidateQueries({ queryKey: KEY }),
  });
}
