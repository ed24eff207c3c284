import type { Worker, WorkerCounts } from '@pool/shared';
import { useTranslation } from '@pool/shared/i18n';
import { Button, Disconnected, Dot, Dotted, Hashrate, PoolAway, Skeleton, useFormat } from '@pool/shared/ui/core';
import { memo } from 'react';
import { wholeOf, type LiveWorkers } from '../../api/live-workers';
import { lostOf, totalOf } from './list/losses';
import styles from './workers-page.module.css';

type SummaryProps = {
  data: LiveWorkers | undefined;
  /** Workers of the group that the search finds. */
  workers: readonly Worker[];
  counts: WorkerCounts;
  /** Absent where there is no room. */
  onWorst: (() => void) | undefined;
};

/** Number of workers with problems, the total hashrate of active workers, and what they lose: opens the worst first. */
export const Summary = memo(function Summary({ data, workers, counts, onWorst }: SummaryProps) {
  const { t } = useTranslation();
  const { count } = useFormat();
  if (!data) return <Skeleton width={180} height={22} />;
  const all = wholeOf(data);
  const { online, low, offline } = counts;
  const trouble = low + offline;
  const verdict =
    trouble > 0
      ? t('workers.attention', { count: trouble })
      : counts.disconnected
        ? ''
        : t(online > 0 ? 'workers.allWell' : 'workers.allOff');
  const running = workers.filter(({ state }) => state !== 'inactive');
  const lost = Math.round(workers.reduce((sum, worker) => sum + lostOf(worker), 0) * (data.satsPerHs ?? 0));
  return (
    <Dotted>
      {verdict && <span>{verdict}</span>}
      {Boolean(counts.disconnected) && (
        <span>
          {verdict && <Dot />}
          <Disconnected {...counts} />
        </span>
      )}
      {all && (
        <span>
          <Dot />
          {t('workers.h1')} <Hashrate hs={totalOf(running, 'h1')} />
        </span>
      )}
      {all && lost > 0 && onWorst && (
        <span>
          <Dot />
          <Button type="link" className={styles.worst} onClick={onWorst}>
            {t('workers.lostTotal', { sats: count(lost) })}
          </Button>
        </span>
      )}
      {data.absences && (
        <span>
          <Dot />
          <PoolAway absences={data.absences} />
        </span>
      )}
    </Dotted>
  );
});
