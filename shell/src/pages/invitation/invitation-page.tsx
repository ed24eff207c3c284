import { useTranslation } from '@pool/shared/i18n';
import { useQuery } from '@pool/shared/query';
import { useApi, userInfoQuery, useSession } from '@pool/shared/remote';
import { useLocation } from '@pool/shared/router';
import { Button, PageHeader, Panel, QueryState, SkeletonRows } from '@pool/shared/ui/core';
import { Problem, useFormMutation } from '@pool/shared/ui/form';
import { useMemo } from 'react';
import { useActIn } from '../../auth/use-act-in';
import { personOf } from '../../session/place';
import common from '@pool/shared/ui/common.module.css';
import styles from '../account/form.module.css';
import { takenInvitation, usedInvitation } from './secret';
import { GrantText } from '../account/organization/grant-text';

/** `/invitation#…`: lets the signed-in person into an organization. */
export default function InvitationPage() {
  const { t } = useTranslation();
  const api = useApi();
  const info = useQuery(userInfoQuery(api, useSession().userId));
  const { hash } = useLocation();
  const token = useMemo(() => takenInvitation(hash), [hash]);
  const invitation = useQuery({
    queryKey: ['organization', 'invitation', token],
    queryFn: ({ signal }) => api('POST /organization/invitation', { body: { token }, signal }),
  });
  const actIn = useActIn();
  const join = useFormMutation({
    send: () => api('POST /organization/join', { body: { token } }),
    onDone: ({ id }) => {
      usedInvitation();
      actIn(id);
    },
  });
  return (
    <>
      <PageHeader title={t('account.org.joinTitle')} />
      <Panel title={invitation.data?.organization ?? t('account.org.joinTitle')}>
        <QueryState query={invitation}>
          <SkeletonRows rows={3} height={24} />
        </QueryState>
        {invitation.data && (
          <div className={styles.form}>
            <p className={common.strong}>
              <GrantText grant={{ ...invitation.data, accounts: null }} />
            </p>
            <p className={common.hint}>{t('account.org.joinWhat')}</p>
            <Problem error={join.error} />
            <div className={common.buttons}>
              <Button type="primary" loading={join.isPending || join.isSuccess} onClick={() => join.mutate()}>
                {t('account.org.joinAs', { name: info.data && personOf(info.data).userName })}
              </Button>
            </div>
          </div>
        )}
      </Panel>
    </>
  );
}
