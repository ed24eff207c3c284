import type { Answer } from '@pool/shared';
import type { StateName } from '@pool/shared/ui/core';

export type Notification = Answer<'GET /notifications'>['notifications'][number];

const STATES: Readonly<Record<string, StateName>> = {
  worker_offline: 'offline',
  workers_offline: 'offline',
  worker_recovered: 'online',
  workers_recovered: 'online',
  worker_low: 'low',
  workers_low: 'low',
  worker_low_over: 'online',
  workers_low_over: 'online',
  worker_rejects: 'low',
  workers_rejects: 'low',
  worker_rejects_over: 'online',
  workers_rejects_over: 'online',
  account_low: 'low',
  account_low_over: 'online',
  workers_strange: 'review',
  payment_opened: 'review',
  payout_waits: 'review',
  admins_asked: 'review',
  admins_failed_asked: 'review',
  admins_new: 'adjusted',
  admins_rule_asked: 'review',
  admins_rule_off: 'adjusted',
  admins_sign_in: 'review',
  day_waiting: 'review',
  backup_failed: 'failed',
  canary_rollback: 'failed',
  canary_promote: 'confirmed',
  payment_sent: 'sent',
  payment_confirmed: 'confirmed',
  wallet_set: 'adjusted',
  wallet_changed: 'adjusted',
  wallet_changed_by_admin: 'adjusted',
  wallet_cancelled: 'cancelled',
  pools_changed: 'adjusted',
  pools_default: 'adjusted',
  pools_held: 'review',
  pool_hold_off: 'adjusted',
  sign_in_new: 'review',
  sign_in_not_me: 'adjusted',
  email_changed: 'adjusted',
  recovery_begun: 'review',
  recovery_cancelled: 'cancelled',
  recovery_done: 'adjusted',
  email_restored: 'adjusted',
  passkey_added: 'review',
  passkey_removed: 'adjusted',
  two_step_on: 'active',
  two_step_off: 'adjusted',
  two_step_codes: 'adjusted',
  two_step_code_used: 'adjusted',
  mail_refused: 'failed',
  telegram_refused: 'failed',
  push_ended: 'failed',
  telegram_stopped: 'failed',
  upstream_lost: 'down',
  upstream_switch: 'standby',
  referral_joined: 'active',
  organization_joined: 'active',
  organization_removed: 'adjusted',
  organization_owner_removal: 'review',
  organization_owner_kept: 'cancelled',
  organization_request: 'review',
  organization_request_confirm: 'active',
  organization_request_decline: 'cancelled',
};
export const stateOf = (kind: string): StateName => STATES[kind] ?? 'final';

/** Whether a change of the pools an account mines for can be taken back: within seven days, once. `now`: Unix seconds. */
export const canUndo = ({ values: { before, undone }, createdAt }: Notification, now: number): boolean =>
  before !== undefined && undone === undefined && now - Date.parse(createdAt) / 1000 < 7 * 86_400;

/** The newest notification of each worker with the ids of all its own; other notifications are alone. */
export type Group = { newest: Notification; ids: number[]; unread: number };
export function grouped(rows: readonly Notification[]): Group[] {
  const groups = new Map<string, Group>();
  for (const row of rows) {
    const { account, worker } = row.values;
    const key = worker === undefined ? `#${row.id}` : `${account}/${worker}`;
    const group = groups.get(key) ?? { newest: row, ids: [], unread: 0 };
    group.ids.push(row.id);
    if (row.readAt === null) group.unread += 1;
    groups.set(key, group);
  }
  return [...groups.values()];
}

/** Items in the order given, under the day that `dayOf` names. */
export function byDay(groups: readonly Group[], dayOf: (at: string) => string): [day: string, groups: Group[]][] {
  const days = new Map<string, Group[]>();
  for (const group of groups) {
    const day = dayOf(group.newest.createdAt);
    days.set(day, [...(days.get(day) ?? []), group]);
  }
  return [...days];
}
