import { useTranslation } from '@pool/shared/i18n';
import { useFormat } from '@pool/shared/ui/core';
import { roleKey } from '../../../session/role-name';
import common from '@pool/shared/ui/common.module.css';
import styles from '../form.module.css';
import type { Grant } from './queries';

/** A role in words, with the sub-accounts that it is limited to. */
export function GrantText({ grant }: { grant: Grant }) {
  const { accounts } = grant;
  const { t } = useTranslation();
  const { language } = useFormat();
  return (
    <>
      <span>{t(roleKey(grant))}</span>
      {accounts && (
        <bdi className={`${styles.block} ${common.quiet}`}>
          {t('account.org.only', { accounts: new Intl.ListFormat(language).format(accounts) })}
        </bdi>
      )}
    </>
  );
}
