import type { Answer } from '@pool/shared';
import type { StateName } from '@pool/shared/ui/core';

export type Notification = Answer<'GET /notifications'>['notifications'][number];

/** Kinds of notifications by their mark. */
const KINDS: Partial<Record<StateName, string>> = {
  offline: 'worker_offline workers_offline',
  online:
    'worker_recovered workers_recovered worker_low_over workers_low_over worker_rejects_over ' +
    'workers_rejects_over account_low_over workers_group_low_over',
  low: 'worker_low workers_low worker_rejects workers_rejects account_low workers_group_low',
  review:
    'workers_strange payment_opened payout_waits admins_asked admins_out_asked admins_failed_asked admins_rule_asked ' +
    'admins_sign_in day_waiting pools_held sign_in_new recovery_begun passkey_added ' +
    'organization_owner_removal organization_request',
  adjusted:
    'admins_new admins_rule_off wallet_set wallet_changed wallet_changed_by_admin pools_changed ' +
    'pools_default pool_hold_off sign_in_not_me email_changed recovery_done email_restored ' +
    'passkey_removed two_step_off two_step_codes two_step_code_used organization_removed organization_ended',
  failed: 'backup_failed canary_rollback mail_refused telegram_refused push_ended telegram_stopped webhook_stopped',
  confirmed: 'canary_promote payment_confirmed',
  sent: 'payment_sent',
  cancelled: 'wallet_cancelled recovery_cancelled organization_owner_kept organization_request_decline',
  active: 'two_step_on referral_joined organization_joined organization_request_confirm',
  down: 'upstream_lost',
  standby: 'upstream_switch',
  unreadable: 'upstream_unreadable',
};
const STATES = new Map(
  Object.entries(KINDS).flatMap(([state, kinds]) => kinds.split(' ').map((kind) => [kind, state as StateName])),
);
export const stateOf = (kind: string): StateName => STATES.get(kind) ?? 'final';

/** Whether a change of the pools an account mines for can be taken back: within seven days, once. `now`: Unix seconds. */
export const canUndo = ({ values: { before, undone }, createdAt }: Notification, now: number): boolean =>
  before !== undefined && undone === undefined && now - Date.parse(createdAt) / 1000 < 7 * 86_400;

/** The newest notification of each worker or event with the ids of all its own; other notifications are alone. */
export type Group = { newest: Notification; ids: number[]; unread: number };
export function grouped(rows: readonly Notification[]): Group[] {
  const groups = new Map<string, Group>();
  for (const row of rows) {
    const { account, worker, event } = row.values;
    const single = worker === undefined ? `#${row.id}` : `${account}/${worker}`;
    const key = event === undefined ? single : `event ${event}`;
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
