import type { ApiClient, AuditEntry } from '@pool/shared';
import { dayText, oneOf } from '@pool/shared/router';
import type { CsvColumns } from '@pool/shared/ui/core';

/** `action`: the first words of actions (`wallet`). `from` and `to`: UTC days, both included. */
export type AuditFilter = { action?: (typeof ACTION_GROUPS)[number]; from?: string; to?: string };

/** Groups of actions to filter by: the first word of each. */
export const ACTION_GROUPS = [
  'wallet',
  'organization',
  'sub_account',
  'payout_settings',
  'watcher',
  'api_key',
  'alerts',
  'webhook',
  'telegram',
  'sign_in',
  'email',
  'recovery',
  'two_step',
  'pool_config',
  'worker',
  'worker_group',
  'referral',
] as const;

/** Filters in the URL. */
export const FILTER = { action: oneOf(ACTION_GROUPS), from: dayText, to: dayText };

export const auditPage =
  (api: ApiClient, filter: AuditFilter & { userName: string }) =>
  ({ signal, ...part }: { cursor?: string; limit: number; signal?: AbortSignal }) =>
    api('GET /audit', { query: { ...filter, ...part }, signal });

const json = (value: unknown): string => (value === null || value === undefined ? '' : JSON.stringify(value));
export const CSV: CsvColumns<AuditEntry> = {
  at: ({ at }) => at,
  action: ({ action }) => action,
  subject: ({ subject }) => subject,
  before: ({ before }) => json(before),
  after: ({ after }) => json(after),
  address: ({ ip }) => ip,
  person: ({ member }) => member,
};
