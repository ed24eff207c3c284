import type { Answer, CallOptions } from '@pool/shared';
import { useFormMutation, type OnSuccess } from '@pool/shared/ui/form';
import { useList } from './use-list';

export type BonusRequest = Answer<'GET /admin/bonusRequests'>['rows'][number];
export type BonusFilter = { status?: BonusRequest['status']; search?: string };
export type Decision = CallOptions<'PUT /admin/bonusRequests'>['body'];

const KEY = ['admin', 'bonus'] as const;

export const useBonusRequests = (filter: BonusFilter) =>
  useList([...KEY, filter], (api, { signal, ...part }) =>
    api('GET /admin/bonusRequests', { query: { ...filter, ...part }, signal }),
  );

export const useDecideBonus = (then: OnSuccess<unknown>) =>
  useFormMutation({
    send: (api, { id, ...body }: Decision & { id: number }) =>
      api('PUT /admin/bonusRequests', { query: { id }, body: body as Decision }),
    reads: [KEY],
    ...then,
  });
