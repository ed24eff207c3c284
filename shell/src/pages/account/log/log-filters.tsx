import { useTranslation } from '@pool/shared/i18n';
import { DayField, SelectField } from '@pool/shared/ui/form';
import type { ReactNode } from 'react';
import styles from '../form.module.css';
import { ACTION_GROUPS, FILTER, type AuditFilter } from './audit';

const ALL = 'all';

export function LogFilters({
  filter,
  onChange,
  children,
}: {
  filter: AuditFilter;
  onChange(part: Partial<AuditFilter>): void;
  children: ReactNode;
}) {
  const { t } = useTranslation();
  return (
    <div className={styles.filters}>
      <SelectField
        className={styles.select}
        label={t('account.log.action')}
        value={filter.action ?? ALL}
        onChange={(value) => onChange({ action: FILTER.action(value) })}
        options={[ALL, ...ACTION_GROUPS].map((group) => ({ value: group, label: t(`account.log.group.${group}`) }))}
      />
      {(['from', 'to'] as const).map((end) => (
        <DayField
          key={end}
          label={t(`account.log.${end}`)}
          min={end === 'to' ? filter.from : undefined}
          max={end === 'from' ? filter.to : undefined}
          value={filter[end] ?? ''}
          onChange={(value) => onChange({ [end]: value })}
        />
      ))}
      {children}
    </div>
  );
}
