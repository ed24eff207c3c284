import { useTranslation } from '@pool/shared/i18n';
import { useWorkerGroups } from '@pool/shared/remote';
import { Button, ChevronDown, Dropdown, usePhone } from '@pool/shared/ui/core';
import { useChartPlace } from '../chart-place';
import styles from './tools.module.css';

/** Shows the hashrate and workers of one group, or of all; nothing where there are no groups. */
export function GroupFilter() {
  const { t } = useTranslation();
  const [{ group }, set] = useChartPlace();
  const names = (useWorkerGroups().data ?? []).map(({ name }) => name);
  const phone = usePhone();
  if (names.length === 0 && group === undefined) return null;
  const choices = [undefined, ...names];
  const label = (name: string | undefined) => name ?? t('dashboard.group.all');
  return (
    <Dropdown
      placement="bottomRight"
      menu={{
        selectedKeys: [choices.indexOf(group)],
        items: choices.map((name, key) => ({ key, label: label(name), onClick: () => set({ group: name }) })),
      }}
    >
      <Button
        size={phone ? 'small' : 'middle'}
        aria-label={`${t('dashboard.group')}: ${group ?? t('dashboard.group.all')}`}
        icon={<ChevronDown />}
        iconPlacement="end"
      >
        <span className={styles.groupName}>
          <bdi>{label(group)}</bdi>
        </span>
      </Button>
    </Dropdown>
  );
}
