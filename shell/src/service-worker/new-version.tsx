import type { RemoteManifest } from '@pool/shared';
import { useTranslation } from '@pool/shared/i18n';
import { Button } from '@pool/shared/ui/core';
import { useEffect, useState } from 'react';
import styles from './new-version.module.css';
import { useNewVersion } from './use-new-version';

/** One quiet line when a newer version is deployed; nothing is reloaded before the user wants it. */
export function NewVersion({ remotes }: { remotes: readonly Pick<RemoteManifest, 'name' | 'version'>[] }) {
  const { t, i18n } = useTranslation();
  const { isNew, dismiss } = useNewVersion(remotes);
  const [ready, setReady] = useState(false);
  useEffect(() => {
    if (isNew) void i18n.loadNamespaces('version').then(() => setReady(true));
  }, [isNew, i18n]);
  if (!isNew || !ready) return null;
  return (
    <div className={styles.line} role="status">
      <span>{t('version.ready')}</span>
      <Button size="small" type="primary" onClick={() => location.reload()}>
        {t('version.reload')}
      </Button>
      <Button size="small" type="text" onClick={dismiss}>
        {t('version.later')}
      </Button>
    </div>
  );
}
