/** What the signed-in user has from referring others. */
import type { Answer } from '@pool/shared';
import { useServiceQuery } from '@pool/shared/remote';

export type Accrual = Answer<'GET /referral/accruals'>['rows'][number];
export type Referred = Answer<'GET /referral/list'>[number];

/** The most rows that one answer contains. */
const LIMIT = 500;

/** Daily referral earnings, newest day first. */
export const useAccruals = () =>
  useServiceQuery(({ api }) => ({
    queryKey: ['referral', 'accruals'],
    queryFn: ({ signal }) => api('GET /referral/accruals', { query: { limit: LIMIT }, signal }),
    select: ({ rows }) => rows,
  }));

/** Payments of referral earnings, newest first. */
export const useReferralPayments = () =>
  useServiceQuery(({ api }) => ({
    queryKey: ['referral', 'payments'],
    queryFn: ({ signal }) => api('GET /referral/payments', { query: { limit: LIMIT }, signal }),
    select: ({ rows }) => rows,
  }));

/** Users that were referred; the server masks their names. */
export const useReferred = () =>
  useServiceQuery(({ api }) => ({
    queryKey: ['referral', 'list'],
    queryFn: ({ signal }) => api('GET /referral/list', { signal }),
  }));

export const useStats = () =>
  useServiceQuery(({ api }) => ({
    queryKey: ['referral', 'stats'],
    queryFn: ({ signal }) => api('GET /referral/stats', { signal }),
  }));
