import { useTranslation } from 'react-i18next';
import { useTexts } from '../../i18n/use-texts';
import { SelectField } from '../form';
import { AUDIT_TEXTS } from './audit-text';

/** Groups of actions on an account: the first word of each. */
export const ACCOUNT_ACTIONS = [
  'wallet',
  'payout_settings',
  'referral_wallet',
  'organization',
  'sub_account',
  'pool_config',
  'pool_list',
  'pool_hold',
  'worker',
  'worker_group',
  'watcher',
  'api_key',
  'export',
  'alerts',
  'push',
  'telegram',
  'webhook',
  'sign_in',
  'two_step',
  'passkey',
  'recovery',
  'email',
  'referral',
] as const;

/** Groups of all actions in the pool. */
export const POOL_ACTIONS = [
  'user',
  'admin',
  'payment',
  'payments',
  'payment_settings',
  'earning',
  'closing',
  'terms',
  'price',
  'bonus',
  'view_as',
  'remote',
  'shares',
  'node',
  'secrets',
  ...ACCOUNT_ACTIONS,
] as const;

const ALL = 'all';
type Props<Group> = {
  groups: readonly Group[];
  value: Group | undefined;
  className?: string;
  onChange(group: Group | undefined): void;
};

/** Chooses the group of actions that a log shows; undefined: all. */
export function ActionFilter<Group extends string>({ groups, value, className, onChange }: Props<Group>) {
  const { t } = useTranslation();
  useTexts(AUDIT_TEXTS);
  return (
    <SelectField<Group | typeof ALL>
      className={className}
      popupMatchSelectWidth={false}
      label={t('ui.audit.col.action')}
      value={value ?? ALL}
      onChange={(group) => onChange(group === ALL ? undefined : group)}
      options={[ALL, ...groups].map((group) => ({ value: group as Group, label: t(`ui.audit.group.${group}`) }))}
    />
  );
}
