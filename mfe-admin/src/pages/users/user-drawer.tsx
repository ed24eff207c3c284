import type { AdminUser } from '@pool/shared';
import { useTranslation } from '@pool/shared/i18n';
import { Btc, Button, DASH, Facts, Hashrate, Percent, RunningWorkers, useFormat } from '@pool/shared/ui/core';
import { Drawer } from '@pool/shared/ui/overlay';
import { Link } from '@pool/shared/router';
import { ViewAs } from '../../parts/view-as';
import { UserState } from './columns';

/** All that the list knows of a user, with exact times: also what has no room in a row. */
export function UserDrawer({ user, onEdit, onClose }: { user: AdminUser; onEdit(): void; onClose(): void }) {
  const { t } = useTranslation();
  const { moment } = useFormat();
  const row = (name: string, value: React.ReactNode) => ({ label: t(`admin.users.col.${name}`), value });
  return (
    <Drawer
      open
      title={user.userName}
      onClose={onClose}
      footer={
        <>
          <Button type="primary" onClick={onEdit}>
            {t('admin.edit.open')}
          </Button>
          <ViewAs userName={user.userName} />
          <Link to={`/admin/sub-accounts?q=${user.userName}`}>{t('admin.nav.sub-accounts')}</Link>
          <Link to={`/admin/audit?userName=${user.userName}`}>{t('admin.users.log')}</Link>
        </>
      }
    >
      <Facts
        rows={[
          user.organization && row('organization', <bdi>{user.organization.name}</bdi>),
          user.organization && row('members', <Members user={user} />),
          row('email', user.email || DASH),
          row('role', t(`admin.users.role.${user.role}`)),
          row('legacy', t(user.isLegacyUser ? 'admin.users.yes' : 'admin.users.no')),
          row('state', <UserState user={user} />),
          row('fee', <Percent rate={user.feePercent / 100} />),
          row('hashrate', <Hashrate hs={user.hashrate24h} />),
          row('workers', <RunningWorkers {...user} />),
          row('unpaid', <Btc bare sats={user.unpaidSat} />),
          row('registered', moment(user.createdAt)),
          row('seen', user.lastSeenAt === null ? t('admin.users.never') : moment(user.lastSeenAt)),
        ]}
      />
    </Drawer>
  );
}

function Members({ user: { userName: account, organization } }: { user: AdminUser }) {
  const { t } = useTranslation();
  return organization?.members.map(({ userName, role }) => (
    <div key={userName}>
      <bdi>{userName}</bdi> · {t(`admin.users.member.${role}`)} <ViewAs short userName={`${account}~${userName}`} />
    </div>
  ));
}
