import { useTranslation } from '@pool/shared/i18n';
import { useSession } from '@pool/shared/remote';
import { useLocation } from '@pool/shared/router';
import { Button, PageHeader, Panel } from '@pool/shared/ui/core';
import { Problem, useFormMutation } from '@pool/shared/ui/form';
import { useActIn } from '../../auth/use-act-in';
import styles from '../account/form.module.css';

/** `/invitation?token=…`: lets the signed-in person into an organization. */
export default function InvitationPage() {
  const { t } = useTranslation();
  const { userName } = useSession();
  const token = new URLSearchParams(useLocation().search).get('token') ?? '';
  const actIn = useActIn();
  const join = useFormMutation({
    send: (api) => api('POST /organization/join', { body: { token } }),
    onDone: ({ id }) => actIn(id),
  });
  return (
    <>
      <PageHeader title={t('account.org.joinTitle')} />
      <Panel title={t('account.org.joinAs', { name: userName })}>
        <div className={styles.form}>
          <p className={styles.hint}>{t('account.org.joinWhat')}</p>
          <Problem error={join.error} />
          <div className={styles.actions}>
            <Button type="primary" loading={join.isPending || join.isSuccess} onClick={() => join.mutate()}>
              {t('account.org.join')}
            </Button>
          </div>
        </div>
      </Panel>
    </>
  );
}
