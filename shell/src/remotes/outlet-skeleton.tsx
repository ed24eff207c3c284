import type { PageShape } from '@pool/shared';
import { useTranslation } from '@pool/shared/i18n';
import { useEffect } from 'react';
import { beginLoad } from '../layout/route-progress';
import styles from './outlet-skeleton.module.css';

/**
 * The shape of a page while its code loads; until the remotes are known, the shape written by the server
 * (boot-inline.ts).
 */
export function OutletSkeleton({ shape = document.documentElement.dataset.shape as PageShape }: { shape?: PageShape }) {
  const { t } = useTranslation();
  useEffect(() => beginLoad(), []);
  return (
    <div className={styles.page} role="status" aria-label={t('shell.loading')} data-skeleton={shape}>
      <div className={styles.title} />
      {shape === 'tabs' && <div className={styles.tabs} />}
      {(shape === 'list' || shape === 'tabs') && <div className={styles.controls} />}
      <div className={styles.first} />
      {shape === 'charts' && (
        <div className={styles.pair}>
          <div className={styles.panel} />
          <div className={styles.panel} />
        </div>
      )}
      {shape === 'figures' && <div className={styles.rest} />}
    </div>
  );
}
