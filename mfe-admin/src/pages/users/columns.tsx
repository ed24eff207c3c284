import type { AdminUser, UserSort } from '@pool/shared';
import { useTranslation } from '@pool/shared/i18n';
import { Btc, Chip, Hashrate, Percent, StateMark, useFormat } from '@pool/shared/ui/core';
import type { DataColumn, Sort } from '@pool/shared/ui/data';
import { useMemo } from 'react';
import styles from './users.module.css';

/** Keys of the columns the server sorts by are the names it sorts by. */
export const sortOf = (sort: UserSort): Sort =>
  sort.startsWith('-') ? { key: sort.slice(1), order: 'descend' } : { key: sort, order: 'ascend' };

const time = (iso: string | null, text: (at: string) => string, none: string) => (iso === null ? <span className={styles.quiet}>{none}</span> : <time dateTime={iso}>{text(iso)}</time>);

export const UserState = ({ user }: { user: AdminUser }) => {
  const { t } = useTranslation();
  return user.disabled ? <StateMark state="disabled" /> : <span className={styles.quiet}>{t('admin.users.enabled')}</span>;
};

export function useColumns(): DataColumn<AdminUser>[] {
  const { t } = useTranslation();
  const { day, count } = useFormat();
  return useMemo(() => {
    const title = (name: string) => t(`admin.users.col.${name}`);
    const lastSeen = (at: string) => day(at, true);
    return [
      {
        key: 'userName', title: title('name'), width: 190, sortable: true,
        render: (user) => (
          <span className={styles.who}>
            <span><bdi className={styles.name}>{user.userName}</bdi>{user.isLegacyUser && <> <Chip>{title('legacy')}</Chip></>}</span>
            {user.email && <bdi className={styles.email}>{user.email}</bdi>}
          </span>
        ),
      },
      { key: 'role', title: title('role'), width: 84, render: (user) => t(`admin.users.role.${user.role}`) },
      { key: 'fee', title: title('fee'), width: 80, numeric: true, render: (user) => <Percent rate={user.feePercent / 100} /> },
      { key: 'hashrate24h', title: title('hashrate'), width: 132, numeric: true, sortable: true, first: 'descend', render: (user) => <Hashrate hs={user.hashrate24h} /> },
      { key: 'unpaidSat', title: title('unpaid'), width: 132, numeric: true, sortable: true, first: 'descend', render: (user) => <Btc bare sats={user.unpaidSat} /> },
      { key: 'workersOnline', title: title('workers'), width: 132, numeric: true, sortable: true, first: 'descend', render: (user) => count(user.workersOnline) },
      { key: 'createdAt', title: title('registered'), width: 124, sortable: true, first: 'descend', render: (user) => time(user.createdAt, lastSeen, '') },
      { key: 'lastSeenAt', title: title('seen'), width: 124, sortable: true, first: 'descend', render: (user) => time(user.lastSeenAt, lastSeen, t('admin.users.never')) },
      { key: 'state', title: title('state'), width: 112, render: (user) => <UserState user={user} /> },
    ];
  }, [t, day, count]);
}
