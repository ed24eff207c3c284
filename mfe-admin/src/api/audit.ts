import type { ApiClient, CallOptions } from '@pool/shared';
import { useList, useRead } from './reads';

type AuditFilter = Omit<NonNullable<CallOptions<'GET /audit'>['query']>, 'limit' | 'cursor'>;
export const auditPage =
  (api: ApiClient, filter: AuditFilter) =>
  ({ signal, ...part }: { cursor?: string; limit: number; signal?: AbortSignal }) =>
    api('GET /audit', { query: { ...filter, ...part }, signal });

export const useAudit = (filter: AuditFilter) =>
  useList(['admin', 'audit', filter], (api, part) => auditPage(api, filter)(part));

/** What was done with one thing, newest first. `version`: of the thing; another one asks again. */
export const useHistory = (action: string, subject: string, version: number) =>
  useRead(['admin', 'audit', 'of', action, subject, version], (api, signal) =>
    auditPage(api, { action, subject })({ limit: 50, signal }),
  );
