import { useTranslation } from '@pool/shared/i18n';
import { useQuery } from '@pool/shared/query';
import { useApi, useSession } from '@pool/shared/remote';
import { Chip, Facts, Panel, QueryState, SkeletonRows, useFormat } from '@pool/shared/ui/core';
import { IfMayEdit } from '@pool/shared/ui/form';
import { userInfoQuery } from '@pool/shared/remote';
import { useAuthContext } from '../../../auth/auth-provider';
import styles from '../form.module.css';
import { DeleteAccount } from './delete-account';
import { EmailState } from './email-state';
import { Picture } from './picture';

export default function ProfileTab() {
  return (
    <>
      <Profile />
      <IfMayEdit of="person">
        <DeleteAccount />
      </IfMayEdit>
    </>
  );
}

function Profile() {
  const { t } = useTranslation();
  const { day } = useFormat();
  const { sendsMail } = useAuthContext().config;
  const info = useQuery(userInfoQuery(useApi(), useSession().userId));
  const user = info.data?.user;
  return (
    <Panel title={t('account.profile')}>
      <QueryState query={info}>
        <SkeletonRows rows={4} height={26} />
      </QueryState>
      {user && (
        <div className={styles.form}>
          <IfMayEdit of="person">
            <Picture userName={user.userName} />
          </IfMayEdit>
          <Facts
            rows={[
              {
                label: t('account.userName'),
                value: (
                  <>
                    <bdi>{user.userName}</bdi> {user.isLegacyUser && <Chip>{t('account.legacy')}</Chip>}
                  </>
                ),
              },
              {
                label: t('account.email'),
                value: !user.email ? (
                  t('account.none')
                ) : sendsMail ? (
                  <EmailState known={user.email} />
                ) : (
                  <bdi>{user.email}</bdi>
                ),
              },
              { label: t('account.role'), value: t(`account.role.${user.role}`) },
              {
                label: t('account.since'),
                value: <time dateTime={user.createdAt}>{day(user.createdAt, true)}</time>,
              },
            ]}
          />
        </div>
      )}
    </Panel>
  );
}
