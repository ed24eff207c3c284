import { useTranslation } from '@pool/shared/i18n';
import { Hashrate, useFormat, VisuallyHidden } from '@pool/shared/ui/core';
import type { DataColumn } from '@pool/shared/ui/table';
import { useMemo } from 'react';
import { GroupLink, GroupMenu, StateCount } from './group-parts';
import type { GroupTotals } from './group-totals';

export function useGroupColumns(
  mayEdit: boolean,
  onRename: (group: { name: string }) => void,
): DataColumn<GroupTotals>[] {
  const { t } = useTranslation();
  const { count } = useFormat();
  return useMemo(() => {
    const state = (name: 'low' | 'offline' | 'inactive', drop?: number): DataColumn<GroupTotals> => ({
      key: name,
      title: t(`ui.state.${name}`),
      width: 84,
      drop,
      numeric: true,
      render: (group) => <StateCount state={name} value={group[name]} />,
    });
    return [
      {
        key: 'name',
        title: t('workers.group'),
        width: 180,
        names: true,
        render: ({ name }) => <GroupLink name={name} />,
      },
      {
        key: 'online',
        title: t('workers.groups.onlineOf'),
        width: 116,
        numeric: true,
        render: ({ online, total }) => (
          <bdi dir="ltr">
            {count(online)} / {count(total)}
          </bdi>
        ),
      },
      state('low'),
      state('offline'),
      state('inactive', 1),
      {
        key: 'h1',
        title: t('workers.h1'),
        width: 116,
        numeric: true,
        render: ({ h1, total }) => <Hashrate hs={total > 0 ? h1 : null} />,
      },
      {
        key: 'h24',
        title: t('workers.h24'),
        width: 116,
        drop: 2,
        numeric: true,
        render: ({ h24, total }) => <Hashrate hs={total > 0 ? h24 : null} />,
      },
      ...(mayEdit
        ? [
            {
              key: 'menu',
              title: <VisuallyHidden>{t('workers.groups.actions')}</VisuallyHidden>,
              width: 56,
              render: (group: GroupTotals) => <GroupMenu group={group} onRename={onRename} />,
            },
          ]
        : []),
    ];
  }, [t, count, mayEdit, onRename]);
}
