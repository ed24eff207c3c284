import type { Worker } from '@pool/shared';
import { useTranslation } from '@pool/shared/i18n';
import { Sparkline, StateMark } from '@pool/shared/ui/core';
import { endingOf, LastShare } from './columns';
import styles from './list.module.css';
import { WorkerHashrate } from './worker-hashrate';
import { WorkerLink } from './worker-link';

/** A row of the list where there is no room for columns: the same facts, restacked. */
export function WorkerCard({ worker }: { worker: Worker }) {
  const { t } = useTranslation();
  return (
    <div className={styles.card}>
      <div className={styles.cardHead}>
        <span className={styles.cardName}>
          <WorkerLink worker={worker} />
        </span>
        <StateMark state={worker.state} />
      </div>
      <dl className={styles.cardFacts}>
        <div>
          <dt>{t('workers.h1')}</dt>
          <dd>
            <WorkerHashrate worker={worker} window="h1" />
          </dd>
        </div>
        <div>
          <dt>{t('workers.h24')}</dt>
          <dd>
            <WorkerHashrate worker={worker} window="h24" />
          </dd>
        </div>
        <div>
          <dt>{t('workers.lastShare')}</dt>
          <dd>
            <LastShare worker={worker} />
          </dd>
        </div>
      </dl>
      <span className={styles.cardSpark}>
        <Sparkline points={worker.spark} ending={endingOf(worker)} />
      </span>
    </div>
  );
}
