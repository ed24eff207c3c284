/** Terms of the pool: their history, what a change would have meant, and prices of days. */
import type { Answer, CallOptions } from '@pool/shared';
import { useFormMutation, type OnSuccess } from '@pool/shared/ui/form';
import { useServiceQuery } from '@pool/shared/remote';

export type Terms = Answer<'GET /admin/terms'>;
export type Term = Terms['terms'][number];
export type Price = CallOptions<'PUT /prices'>['body'];

const KEY = ['admin', 'terms'] as const;
const CALLS = {
  pool_fee: 'PUT /poolFee',
  newbee_cost: 'PUT /newbeeCost/',
  newbee_adjust: 'PUT /newbeeAdjust/',
} as const satisfies Record<Term['name'], string>;

export const useTerms = () =>
  useServiceQuery(({ api }) => ({ queryKey: KEY, queryFn: ({ signal }) => api('GET /admin/terms', { signal }) }));

/** `value` null: nothing is computed yet. */
export const useTermPreview = (name: Term['name'], value: number | null) =>
  useServiceQuery(({ api }) => ({
    queryKey: [...KEY, 'preview', name, value],
    queryFn: ({ signal }) => api('GET /admin/terms/preview', { query: { name, value: value ?? 0 }, signal }),
    enabled: value !== null,
  }));

export const useSetTerm = (name: Term['name'], then: OnSuccess<unknown>) =>
  useFormMutation({ send: (api, value: number) => api(CALLS[name], { body: { value } }), reads: [KEY], ...then });

export const usePrices = () =>
  useServiceQuery(({ api }) => ({
    queryKey: [...KEY, 'prices'],
    queryFn: ({ signal }) => api('GET /prices', { signal }),
  }));

export const useSetPrice = (then: OnSuccess<unknown>) =>
  useFormMutation({ send: (api, body: Price) => api('PUT /prices', { body }), reads: [KEY, ['prices']], ...then });
