import { useTranslation } from '@pool/shared/i18n';
import { DASH, Hashrate, Usd, useFormat, VisuallyHidden } from '@pool/shared/ui/core';
import type { DataColumn } from '@pool/shared/ui/table';
import { useMemo } from 'react';
import { GroupMenu, GroupName, MarginMark, StateCount, type OnChangeGroup } from './group-parts';
import type { GroupTotals } from './group-totals';
import styles from './groups-page.module.css';

export function useGroupColumns(
  mayEdit: boolean,
  satsPerHs: number | undefined,
  { hasDisconnected, hasPower }: { hasDisconnected: boolean; hasPower: boolean },
  onChange: OnChangeGroup,
): DataColumn<GroupTotals>[] {
  const { t } = useTranslation();
  const { count, percent } = useFormat();
  return useMemo(() => {
    const number = (key: string, title: string, render: DataColumn<GroupTotals>['render'], width = 116) => ({
      key,
      title,
      width,
      numeric: true,
      sortable: true,
      first: 'descend' as const,
      render,
    });
    const state = (name: 'low' | 'offline' | 'inactive') =>
      number(name, t(`ui.state.${name}`), (group) => <StateCount state={name} value={group[name]} />, 84);
    const hashrate = (window: 'm5' | 'h1' | 'h24') =>
      number(window, t(`workers.${window}`), (group) => <Hashrate hs={group.total > 0 ? group[window] : null} />);
    const columns: (DataColumn<GroupTotals> | false)[] = [
      {
        key: 'name',
        title: t('workers.group'),
        width: 180,
        names: true,
        sortable: true,
        render: (group) => <GroupName group={group} />,
      },
      number('online', t('workers.groups.onlineOf'), ({ online, total }) => (
        <bdi dir="ltr">
          {count(online)} / {count(total)}
        </bdi>
      )),
      state('low'),
      hasDisconnected &&
        number(
          'disconnected',
          t('workers.disconnected'),
          ({ disconnected = 0 }) => <StateCount state="low" value={disconnected} />,
          104,
        ),
      state('offline'),
      { ...state('inactive'), drop: 6 },
      { ...hashrate('m5'), drop: 5 },
      hashrate('h1'),
      { ...hashrate('h24'), drop: 4 },
      {
        ...number('expected', t('workers.groups.expected'), ({ expected }) => (
          <Hashrate hs={expected > 0 ? expected : null} />
        )),
        drop: 2,
      },
      {
        ...number('share', t('workers.groups.share'), ({ share }) => (share === null ? DASH : percent(share, 0)), 104),
        first: 'ascend',
      },
      {
        ...number(
          'muted',
          t('workers.groups.muted'),
          ({ muted }) => <span className={muted > 0 ? undefined : styles.quiet}>{count(muted)}</span>,
          92,
        ),
        drop: 3,
      },
      satsPerHs !== undefined &&
        number(
          'lost',
          t('workers.lost'),
          ({ lost }) => (
            <span className={lost > 0 ? undefined : styles.quiet}>
              {count(Math.round(lost * satsPerHs))} <small>sats</small>
            </span>
          ),
          130,
        ),
      hasPower && {
        ...number(
          'cost',
          t('workers.groups.cost'),
          ({ group, cost }) =>
            group?.power?.draws === null ? (
              <span className={styles.missing}>{t('workers.groups.noKilowatts')}</span>
            ) : (
              <Usd usd={cost} />
            ),
          100,
        ),
        drop: 1,
      },
      hasPower && {
        ...number('margin', t('workers.groups.margin'), (group) => <MarginMark group={group} />, 152),
        first: 'ascend',
      },
      mayEdit && {
        key: 'menu',
        title: <VisuallyHidden>{t('workers.groups.actions')}</VisuallyHidden>,
        width: 56,
        render: (group) => <GroupMenu group={group} onChange={onChange} />,
      },
    ];
    return columns.filter((column) => column !== false);
  }, [t, count, percent, mayEdit, onChange, satsPerHs, hasDisconnected, hasPower]);
}
