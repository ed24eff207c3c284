import type { PageShape } from '@pool/shared';
import { useTranslation } from '@pool/shared/i18n';
import { useEffect } from 'react';
import { beginLoad } from '../layout/route-progress';
import styles from './outlet-skeleton.module.css';
import type { SlowLine } from './silence';

const shapeOfPage = () => document.documentElement.dataset.shape as PageShape;

/** The shape of a page while its code loads; by default the one written by the server (boot-inline.ts). */
export function OutletSkeleton({ shape = shapeOfPage(), line }: { shape?: PageShape; line?: SlowLine }) {
  const { t } = useTranslation();
  useEffect(() => beginLoad(), []);
  return (
    <div className={styles.page} role="status" aria-label={t('shell.loading')} data-skeleton={shape}>
      {line && <p>{t('remote.slow', { here: line.here, asked: line.asked })}</p>}
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
