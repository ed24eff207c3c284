import { hashrateError, type Answer, type PoolAbility, type WorkerCounts } from '@pool/shared';
import { useTranslation } from '@pool/shared/i18n';
import type { UseQueryResult } from '@pool/shared/query';
import { useAbility } from '@pool/shared/remote';
import { QueryError, Figure, Hashrate, Hint, Measuring, Panel, Skeleton, useFormat } from '@pool/shared/ui/core';
import { HashrateChart } from './hashrate-chart';
import styles from './hashrate-panel.module.css';
import { WorkersColumn } from '../workers-column';

type Live = Answer<'GET /proxyLiveHashchart/'>;

/** The hashrate, its chart, and the worker states beside it. */
export function HashratePanel({ live, counts }: { live: UseQueryResult<Live>; counts: UseQueryResult<WorkerCounts> }) {
  const { t } = useTranslation();
  const mayRead = useAbility<PoolAbility>().can('read', 'workers');
  const { data, error } = live;
  return (
    <Panel padded={false} className={mayRead ? `${styles.panel} ${styles.withWorkers}` : styles.panel}>
      <section className={styles.hashrate} aria-label={t('dashboard.hashrate')}>
        <QueryError query={live} className={styles.error} />
        <HashrateChart
          live={data}
          liveFailed={error !== null}
          figures={<Figures live={data} failed={error !== null} />}
        />
      </section>
      {mayRead && <WorkersColumn counts={counts} quality={data?.quality24h} failed={error !== null} />}
    </Panel>
  );
}

function Figures({ live, failed }: { live: Live | undefined; failed: boolean }) {
  const { t } = useTranslation();
  const number = (window: 'm5' | 'h1' | 'h24', width: number) =>
    live ? (
      <Hashrate hs={live.current[window]} />
    ) : failed ? (
      <Hashrate hs={null} />
    ) : (
      <Skeleton width={width} height="1lh" />
    );
  return (
    <div className={styles.figures}>
      <Figure
        className={styles.hero}
        size="hero"
        label={t('dashboard.hashrate5m')}
        value={<span data-testid="hashrate-5m">{number('m5', 150)}</span>}
        sub={live?.current.measuring !== undefined && <Measuring error={live.current.measuring} />}
      />
      <Figure label={t('dashboard.hour')} value={number('h1', 80)} />
      <Figure
        label={t('dashboard.day')}
        value={live ? <Hint text={<ErrorBand live={live} />}>{number('h24', 80)}</Hint> : number('h24', 80)}
      />
    </div>
  );
}

/** Statistical error of the 24 h hashrate: about 1/sqrt(shares). */
function ErrorBand({ live: { current, quality24h } }: { live: Live }) {
  const { t } = useTranslation();
  const { percent, count, hashrateText } = useFormat();
  const relative = hashrateError(quality24h.shares);
  if (relative === null) return t('dashboard.errorUnknown');
  return t('dashboard.errorBand', {
    error: hashrateText(current.h24 * relative),
    percent: percent(relative),
    shares: count(quality24h.shares),
  });
}
