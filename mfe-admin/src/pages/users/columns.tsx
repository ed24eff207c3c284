import type { AdminUser } from '@pool/shared';
import { useTranslation } from '@pool/shared/i18n';
import {
  Btc,
  Chip,
  Hashrate,
  Percent,
  RunningWorkers,
  StateMark,
  useFormat,
  VisuallyHidden,
} from '@pool/shared/ui/core';
import type { DataColumn } from '@pool/shared/ui/table';
import common from '@pool/shared/ui/common.module.css';
import { useMemo, type ReactNode } from 'react';
import { ViewAs } from '../../parts/view-as';
import styles from './users.module.css';

const time = (iso: string | null, text: (at: string) => string, none: string) =>
  iso === null ? <span className={common.quiet}>{none}</span> : <time dateTime={iso}>{text(iso)}</time>;

/** A number whose zero is quieter than others: most users have only zeros. */
const Muted = ({ value, children }: { value: number; children: ReactNode }) => (
  <span className={value === 0 ? styles.zero : undefined}>{children}</span>
);

export const UserState = ({ user }: { user: AdminUser }) => {
  const { t } = useTranslation();
  return user.disabled ? (
    <StateMark state="disabled" />
  ) : (
    <span className={common.quiet}>{t('admin.users.enabled')}</span>
  );
};

const UserName = ({ user }: { user: AdminUser }) => {
  const { t } = useTranslation();
  return (
    <span>
      <bdi className={common.strong}>{user.userName}</bdi>
      {user.organization && (
        <>
          {' '}
          <Chip>{t('admin.users.col.organization')}</Chip>
        </>
      )}
      {user.isLegacyUser && (
        <>
          {' '}
          <Chip>{t('admin.users.col.legacy')}</Chip>
        </>
      )}
    </span>
  );
};

export function useColumns(): DataColumn<AdminUser>[] {
  const { t } = useTranslation();
  const { day } = useFormat();
  return useMemo(() => {
    const title = (name: string) => t(`admin.users.col.${name}`);
    const lastSeen = (at: string) => day(at, true);
    const sorted = (key: string, name: string, width: number) =>
      ({ key, title: title(name), width, sortable: true, first: 'descend' }) as const;
    const figure = (
      key: 'hashrate24h' | 'unpaidSat' | 'workersOnline',
      name: string,
      width: number,
      show: (user: AdminUser) => ReactNode,
    ): DataColumn<AdminUser> => ({
      ...sorted(key, name, width),
      numeric: true,
      render: (user) => <Muted value={user[key]}>{show(user)}</Muted>,
    });
    return [
      {
        key: 'userName',
        title: title('name'),
        width: 176,
        names: true,
        sortable: true,
        render: (user) => (
          <span className={styles.who}>
            <UserName user={user} />
            {user.email && <bdi className={styles.email}>{user.email}</bdi>}
          </span>
        ),
      },
      { key: 'role', title: title('role'), width: 76, drop: 2, render: (user) => t(`admin.users.role.${user.role}`) },
      {
        key: 'fee',
        title: title('fee'),
        width: 76,
        drop: 1,
        numeric: true,
        render: (user) => <Percent rate={user.feePercent / 100} />,
      },
      figure('hashrate24h', 'hashrate', 128, (user) => <Hashrate hs={user.hashrate24h} />),
      figure('unpaidSat', 'unpaid', 126, (user) => <Btc bare sats={user.unpaidSat} />),
      { ...figure('workersOnline', 'workers', 116, (user) => <RunningWorkers {...user} />), drop: 1 },
      { ...sorted('createdAt', 'registered', 128), drop: 2, render: (user) => time(user.createdAt, lastSeen, '') },
      {
        ...sorted('lastSeenAt', 'seen', 128),
        drop: 1,
        render: (user) => time(user.lastSeenAt, lastSeen, t('admin.users.never')),
      },
      { key: 'state', title: title('state'), width: 100, render: (user) => <UserState user={user} /> },
      {
        key: 'pages',
        title: <VisuallyHidden>{t('admin.users.view-as')}</VisuallyHidden>,
        width: 50,
        render: (user) => <ViewAs short userName={user.userName} />,
      },
    ];
  }, [t, day]);
}

export function UserCard({ user }: { user: AdminUser }) {
  const { t } = useTranslation();
  const { day } = useFormat();
  const title = (name: string) => t(`admin.users.col.${name}`);
  const small = `${common.quiet} ${styles.small}`;
  return (
    <div className={common.card}>
      <UserName user={user} />
      <Muted value={user.unpaidSat}>
        <Btc sats={user.unpaidSat} />
      </Muted>
      <bdi className={`${small} ${styles.whole}`}>{user.email}</bdi>
      <Muted value={user.hashrate24h}>
        <Hashrate hs={user.hashrate24h} />
      </Muted>
      <span className={small}>
        {t(`admin.users.role.${user.role}`)} · {title('fee')} <Percent rate={user.feePercent / 100} />
      </span>
      <span className={small}>
        {title('workers')} <RunningWorkers {...user} />
      </span>
      <span className={small}>
        {title('registered')} {day(user.createdAt, true)}
      </span>
      <span className={small}>
        {title('seen')} {user.lastSeenAt === null ? t('admin.users.never') : day(user.lastSeenAt, true)}
      </span>
      {user.disabled && <UserState user={user} />}
    </div>
  );
}
