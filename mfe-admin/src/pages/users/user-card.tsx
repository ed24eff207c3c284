import type { AdminUser } from '@pool/shared';
import { useTranslation } from '@pool/shared/i18n';
import { Btc, Hashrate, Percent, useFormat } from '@pool/shared/ui/core';
import common from '@pool/shared/ui/common.module.css';
import { Muted, UserName, UserState } from './columns';
import styles from './users.module.css';

/** A user on a phone, with the data of the table's row. */
export function UserCard({ user }: { user: AdminUser }) {
  const { t } = useTranslation();
  const { day, count } = useFormat();
  const title = (name: string) => t(`admin.users.col.${name}`);
  return (
    <div className={common.card}>
      <UserName user={user} />
      <Muted value={user.unpaidSat}>
        <Btc sats={user.unpaidSat} />
      </Muted>
      <bdi className={`${common.quiet} ${styles.small} ${styles.whole}`}>{user.email}</bdi>
      <Muted value={user.hashrate24h}>
        <Hashrate hs={user.hashrate24h} />
      </Muted>
      <span className={`${common.quiet} ${styles.small}`}>
        {t(`admin.users.role.${user.role}`)} · {title('fee')} <Percent rate={user.feePercent / 100} />
      </span>
      <span className={`${common.quiet} ${styles.small}`}>
        {title('workers')} {count(user.workersOnline)}
      </span>
      <span className={`${common.quiet} ${styles.small}`}>
        {title('registered')} {day(user.createdAt, true)}
      </span>
      <span className={`${common.quiet} ${styles.small}`}>
        {title('seen')} {user.lastSeenAt === null ? t('admin.users.never') : day(user.lastSeenAt, true)}
      </span>
      {user.disabled && <UserState user={user} />}
    </div>
  );
}
