import type { RemoteManifest } from '@pool/shared';
import { useTexts, useTranslation } from '@pool/shared/i18n';
import { Button } from '@pool/shared/ui/core';
import { useEffect, useState } from 'react';
import styles from './new-version.module.css';
import { whenQuiet } from '../session/when-quiet';

/** Whether a newer shell (as the service worker tells) or remote (as the list does) is deployed. */
function useNewVersion(remotes: readonly Pick<RemoteManifest, 'name' | 'version'>[]): {
  isNew: boolean;
  dismiss(): void;
} {
  const [build, setBuild] = useState('');
  const versions = remotes.map(({ name, version }) => `${name}/${version}`).join(' ');
  const deployed = versions && `${build} ${versions}`;
  const [known, setKnown] = useState(deployed);
  // The page of another user has no list of its own.
  if (known === '' && deployed !== '') setKnown(deployed);
  useEffect(
    () =>
      whenQuiet(() => {
        // A page that gets no worker (private window, full disk) is only slower.
        import(/* webpackChunkName: "idle" */ './register')
          .then(({ register }) => register(setBuild))
          .catch(() => undefined);
      }),
    [],
  );
  return { isNew: known !== '' && deployed !== known, dismiss: () => setKnown(deployed) };
}

/** One quiet line when a newer version is deployed; nothing is reloaded before the user wants it. */
export function NewVersion({ remotes }: { remotes: readonly Pick<RemoteManifest, 'name' | 'version'>[] }) {
  const { t } = useTranslation();
  const { isNew, dismiss } = useNewVersion(remotes);
  const come = useTexts('version', isNew);
  if (!isNew || !come) return null;
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
