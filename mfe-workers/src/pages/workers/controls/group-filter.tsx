import type { Worker } from '@pool/shared';
import { useTranslation } from '@pool/shared/i18n';
import { Button, ChevronDown, Dropdown } from '@pool/shared/ui/core';
import { memo, useMemo } from 'react';
import { groupsOf } from '../list/group-names';
import controls from './controls.module.css';

type Props = {
  workers: readonly Worker[] | undefined;
  value: string | null;
  large?: boolean;
  onChange(group: string | null): void;
};

/** Shows one group of the list, the workers of none, or all; nothing where there are no groups. */
export const GroupFilter = memo(function GroupFilter({ workers, value, large = false, onChange }: Props) {
  const { t } = useTranslation();
  const groups = useMemo(() => groupsOf(workers ?? []), [workers]);
  if (groups.length === 0 && value === null) return null;
  const label = (group: string | null) =>
    group === null ? t('workers.group.all') : group === '' ? t('workers.group.none') : group;
  const choices = [null, ...groups, ''];
  return (
    <Dropdown
      menu={{
        selectedKeys: [choices.indexOf(value)],
        items: choices.map((group, key) => ({ key, label: label(group), onClick: () => onChange(group) })),
      }}
    >
      <Button size={large ? 'large' : 'middle'} className={controls.group} icon={<ChevronDown />} iconPlacement="end">
        <span className={controls.groupName}>
          <bdi>{label(value)}</bdi>
        </span>
      </Button>
    </Dropdown>
  );
});
