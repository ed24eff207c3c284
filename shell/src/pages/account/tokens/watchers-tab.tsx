import { useTranslation } from '@pool/shared/i18n';
import { CopyField, QrCode } from '@pool/shared/ui/core';
import styles from '../form.module.css';
import { WATCHERS, watchLink, type MadeToken } from './kinds';
import { Tokens } from './tokens';

/** Links with which somebody without an account may look on. */
export default function WatchersTab() {
  return <Tokens kind={WATCHERS} shown={(made) => <Link made={made} />} />;
}

function Link({ made }: { made: MadeToken }) {
  const { t } = useTranslation();
  const url = watchLink(location.origin, made.token);
  return (
    <div className={styles.withQr}>
      <CopyField size="large" label={t('account.watchers.link')} value={url} />
      <QrCode value={url} label={t('account.watchers.qr')} />
    </div>
  );
}
