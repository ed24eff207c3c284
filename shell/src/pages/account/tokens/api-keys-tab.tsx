import { useTranslation } from '@pool/shared/i18n';
import { CopyField } from '@pool/shared/ui/core';
import styles from '../form.module.css';
import { API_KEYS, curlOf, type MadeToken } from './kinds';
import { Tokens } from './tokens';

export default function ApiKeysTab() {
  return <Tokens kind={API_KEYS} shown={(made) => <Key made={made} />} />;
}

function Key({ made: { token, scopes } }: { made: MadeToken }) {
  const { t } = useTranslation();
  return (
    <div className={styles.stack}>
      <CopyField showLabel size="large" label={t('account.apiKeys.key')} value={token} />
      <CopyField showLabel label={t('account.apiKeys.example')} value={curlOf(location.origin, token, scopes)} />
      <p className={styles.hint}>
        <a href="/api/docs">{t('account.apiKeys.docs')}</a>
      </p>
    </div>
  );
}
