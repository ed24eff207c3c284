import type { Answer, PoolAbility, WorkerCounts } from '@pool/shared';
import { useTranslation } from '@pool/shared/i18n';
import type { UseQueryResult } from '@pool/shared/query';
import { useAbility } from '@pool/shared/remote';
import { QueryError, Figure, Hashrate, Panel, Skeleton, useMinedSince } from '@pool/shared/ui/core';
import { HashrateChart } from './hashrate-chart';
import styles from './hashrate-panel.module.css';
import { Explain } from '../explain/explain';
import { WorkersColumn } from '../workers-column';

type Live = Answer<'GET /proxyLiveHashchart/'>;

type Props = { live: UseQueryResult<Live>; counts: UseQueryResult<WorkerCounts>; group: string | undefined };

export function HashratePanel({ live, counts, group }: Props) {
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
      {mayRead && <WorkersColumn counts={counts} quality={data?.quality24h} failed={error !== null} group={group} />}
    </Panel>
  );
}

function Figures({ live, failed }: { live: Live | undefined; failed: boolean }) {
  const { t } = useTranslation();
  const sinceOf = useMinedSince();
  const number = (window: 'm5' | 'h1' | 'h24', width: number) =>
    live ? (
      <Explain what={window} live={live}>
        {/* Marked while it is measured for less than its window. */}
        {window === 'm5' && live.current.measuring !== undefined && <span className={styles.about}>≈ </span>}
        <Hashrate hs={live.current[window]} />
      </Explain>
    ) : failed ? (
      <Hashrate hs={null} />
    ) : (
      <Skeleton width={width} height="1lh" />
    );
  const named = (window: 'h1' | 'h24') => {
    const name = t(window === 'h1' ? 'dashboard.hour' : 'dashboard.day');
    const since = live && sinceOf(live.current.minedSince, window, live.at);
    return since ? `${name} · ${since}` : name;
  };
  return (
    <div className={styles.figures}>
      <Figure
        className={styles.hero}
        size="hero"
        label={t('dashboard.hashrate5m')}
        value={
          <bdi dir="ltr" data-testid="hashrate-5m">
            {number('m5', 126)}
          </bdi>
        }
      />
      <Figure label={named('h1')} value={number('h1', 70)} />
      <Figure label={named('h24')} value={number('h24', 70)} />
    </div>
  );
}
