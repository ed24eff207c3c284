import type { Worker } from '@pool/shared';
import { useTranslation } from '@pool/shared/i18n';
import { BellOff, ChevronRight, Sparkline, StateMark, useFormat } from '@pool/shared/ui/core';
import { endingOf, LastShare } from './columns';
import styles from './list.module.css';
import { lostOf } from './losses';
import { WorkerHashrate } from '../inspector/worker-hashrate';
import { WorkerLink } from './worker-link';

/** A row of the list where there is no room for columns. `satsPerHs`: what an H/s earns a day, if known. */
export function WorkerCard({ worker, satsPerHs }: { worker: Worker; satsPerHs: number | undefined }) {
  const { t } = useTranslation();
  const { clock, count } = useFormat();
  const lost = satsPerHs === undefined ? 0 : Math.round(lostOf(worker) * satsPerHs);
  return (
    <div className={styles.card}>
      <div className={styles.cardHead}>
        <span className={styles.cardName}>
          <WorkerLink worker={worker} />
          {worker.account !== undefined && <small className={styles.account}>{worker.account}</small>}
        </span>
        {worker.disconnectedAt === undefined ? (
          <StateMark state={worker.state} />
        ) : (
          <StateMark state="low">{t('workers.disconnected')}</StateMark>
        )}
        {worker.muted && <BellOff size={14} role="img" aria-label={t('workers.muted')} />}
        <ChevronRight className={styles.cardChevron} data-mirrored />
      </div>
      <dl className={styles.cardFacts}>
        {(['m5', 'h1', 'h24'] as const).map((window) => (
          <div key={window}>
            <dt>{t(`workers.${window}`)}</dt>
            <dd>
              <WorkerHashrate worker={worker} window={window} />
            </dd>
          </div>
        ))}
      </dl>
      <span className={styles.cardSpark}>
        <Sparkline points={worker.spark} ending={endingOf(worker)} />
        {worker.backSince !== undefined && <small>{t('workers.backSince', { time: clock(worker.backSince) })}</small>}
        {lost > 0 && <small className={styles.warn}>{t('workers.lostTotal', { sats: count(lost) })}</small>}
        <small title={t('workers.lastShare')}>
          <LastShare worker={worker} />
        </small>
      </span>
    </div>
  );
}
