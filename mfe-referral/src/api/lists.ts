import type { Answer } from '@pool/shared';
import { useServiceQuery } from '@pool/shared/remote';

export type Accrual = Answer<'GET /referral/accruals'>['rows'][number];
export type Referred = Answer<'GET /referral/list'>[number];

/** The most rows that one answer contains. */
export const LIMIT = 500;

/** Daily referral earnings, newest day first. */
export const useAccruals = () =>
  useServiceQuery(({ api }) => ({
    queryKey: ['referral', 'accruals'],
    queryFn: ({ signal }) => api('GET /referral/accruals', { query: { limit: LIMIT }, signal }),
    select: ({ rows }) => rows,
  }));

/** Totals: amounts, and the number of users. */
export const useStats = () =>
  useServiceQuery(({ api }) => ({
    queryKey: ['referral', 'stats'],
    queryFn: ({ signal }) => api('GET /referral/stats', { signal }),
  }));

/** Users that were referred; the server masks their names. */
export const useReferred = () =>
  useServiceQuery(({ api }) => ({
    queryKey: ['referral', 'list'],
    queryFn: ({ signal }) => api('GET /referral/list', { signal }),
  }));

/** The user's code and link (null until created), the rate (percent of the pool fee), and its duration in months. */
export const useCode = () =>
  useServiceQuery(({ api }) => ({
    queryKey: ['referral', 'code'],
    queryFn: ({ signal }) => api('GET /referral/code', { signal }),
  }));
