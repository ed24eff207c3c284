import { useTranslation } from '@pool/shared/i18n';
import { Panel } from '@pool/shared/ui/core';
import { ClerkForm } from '../../../auth/clerk-form';
import form from '../form.module.css';
import { PasswordForm } from './password-form';
import { PoolHold } from './pool-hold';
import { Sessions } from './sessions';
import styles from './security-tab.module.css';

/** Two-step sign-in with Clerk's own form, the password, the browsers that are signed in, and the hold for changes of upstream pools. */
export default function SecurityTab() {
  const { t } = useTranslation();
  return (
    <>
      <Panel title={t('account.twoStep')}>
        <div className={form.stack}>
          <p className={form.hint}>{t('account.twoStep.what')}</p>
          <ClerkForm form="security" className={styles.slot} />
        </div>
      </Panel>
      <PasswordForm />
      <Sessions />
      <PoolHold />
    </>
  );
}
