import { useTranslation } from '@pool/shared/i18n';
import { useFormat } from '@pool/shared/ui/core';
import styles from '../form.module.css';
import type { Grant } from './queries';

/** A role in words, with the sub-accounts that it is limited to. */
export function GrantText({ grant: { role, money, accounts } }: { grant: Grant }) {
  const { t } = useTranslation();
  const { language } = useFormat();
  return (
    <>
      <span>{t(role === 'viewer' && money ? 'account.org.role.viewerMoney' : `account.org.role.${role}`)}</span>
      {accounts && (
        <bdi className={`${styles.block} ${styles.quiet}`}>
          {t('account.org.only', { accounts: new Intl.ListFormat(language).format(accounts) })}
        </bdi>
      )}
    </>
  );
}
