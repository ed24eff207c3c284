import type { ApiClient, AuditEntry, Answer } from '@pool/shared';
import type { CsvValue } from '@pool/shared/ui/core';

/** `action`: the first words of actions (`wallet`). `from` and `to`: UTC days, both included. */
export type AuditFilter = { action?: string; from?: string; to?: string };

/** Groups of actions to filter by: the first word of each. */
export const ACTION_GROUPS = [
  'wallet',
  'sub_account',
  'payout_settings',
  'watcher',
  'api_key',
  'telegram',
  'two_step',
  'pool_config',
  'worker',
  'worker_group',
  'referral',
] as const;

const DAY = /^\d{4}-\d\d-\d\d$/;
const dayIn = (params: URLSearchParams, name: string) => {
  const text = params.get(name) ?? '';
  return DAY.test(text) && !Number.isNaN(Date.parse(text)) ? text : undefined;
};

/** The filter in the URL; what is not valid is left out. */
export function filterOf(params: URLSearchParams): AuditFilter {
  return {
    action: ACTION_GROUPS.find((group) => group === params.get('action')),
    from: dayIn(params, 'from'),
    to: dayIn(params, 'to'),
  };
}

type Query = AuditFilter & { userName: string };
export const auditPage = (
  api: ApiClient,
  filter: Query,
  limit: number,
  cursor: string | null,
  signal?: AbortSignal,
): Promise<Answer<'GET /audit'>> =>
  api('GET /audit', { query: { ...filter, limit, cursor: cursor ?? undefined }, signal });

/** Every entry, from as many pages as needed. */
export async function allEntries(api: ApiClient, filter: Query): Promise<AuditEntry[]> {
  const rows: AuditEntry[] = [];
  let cursor: string | null = null;
  do {
    const page: Answer<'GET /audit'> = await auditPage(api, filter, 500, cursor);
    rows.push(...page.rows);
    cursor = page.nextCursor;
  } while (cursor !== null);
  return rows;
}

const json = (value: unknown): string => (value === null || value === undefined ? '' : JSON.stringify(value));
export const csvOf = (rows: readonly AuditEntry[]): [string[], CsvValue[][]] => [
  ['at', 'action', 'subject', 'before', 'after', 'address'],
  rows.map(({ at, action, subject, before, after, ip }) => [at, action, subject, json(before), json(after), ip]),
];
