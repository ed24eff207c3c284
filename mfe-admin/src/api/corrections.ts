/** Corrections of earnings, the computation of one earning, and work that was counted too late. */
import type { Answer, CallOptions } from '@pool/shared';
import { useServiceQuery } from '@pool/shared/remote';
import { useFormMutation, type OnSuccess } from '@pool/shared/ui/form';
import { useList } from './use-list';

export type Adjustment = Answer<'GET /admin/adjustments'>['rows'][number];
type EarningMath = Answer<'GET /earnings/{day}/math'>;
export type EarningKey = Pick<EarningMath, 'account' | 'algorithm' | 'day'>;
export type Correction = { day: string } & CallOptions<'PUT /earnings/{day}'>['body'];

const KEY = ['admin', 'corrections'] as const;

export const useAdjustments = (search: string | undefined) =>
  useList([...KEY, { search }], (api, { signal, ...part }) =>
    api('GET /admin/adjustments', { query: { search, ...part }, signal }),
  );

export const useLateWork = () =>
  useServiceQuery(({ api }) => ({
    queryKey: [...KEY, 'late'],
    queryFn: ({ signal }) => api('GET /admin/lateWork', { signal }),
  }));

export const useEarning = (earning: EarningKey | null) =>
  useServiceQuery(({ api }) => ({
    queryKey: [...KEY, 'earning', earning],
    queryFn: ({ signal }) => {
      const { account, algorithm, day } = earning ?? { account: '', algorithm: 'SCRYPT' as const, day: '' };
      return api('GET /earnings/{day}/math', { params: { day }, query: { accountName: account, algorithm }, signal });
    },
    enabled: earning !== null,
  }));

export const useCorrect = (then: OnSuccess<unknown>) =>
  useFormMutation({
    send: (api, { day, ...body }: Correction) => api('PUT /earnings/{day}', { params: { day }, body }),
    reads: [KEY],
    ...then,
  });
