import { useTranslation } from '@pool/shared/i18n';
import type { LiveState } from '../live/use-live-events';
import styles from './live-badge.module.css';

/** Whether the page follows the pool: shape, word and colour. On a phone only trouble is worth the room. */
export function LiveBadge({ state, short }: { state: LiveState; short: boolean }) {
  const { t } = useTranslation();
  if (short && state === 'live') return null;
  return (
    <span className={styles.badge} data-live={state} role="status" title={t(`live.${state}.title`)}>
      <svg width="16" height="16" viewBox="0 0 16 16" aria-hidden className={styles.shape}>
        {state === 'live' && (
          <>
            <circle cx="8" cy="8" r="8" opacity="0.22" />
            <circle cx="8" cy="8" r="4" />
          </>
        )}
        {state === 'stale' && <path d="M2.5 4h11L8 13.5z" />}
        {state === 'offline' && (
          <path d="m4 5.2 1.2-1.2L8 6.8 10.800 4 12 5.200 9.200 8 12 10.800 10.800 12 8 9.200 5.200 12 4 10.800 6.800 8z" />
        )}
      </svg>
      {t(`live.${state}`)}
    </span>
  );
}
