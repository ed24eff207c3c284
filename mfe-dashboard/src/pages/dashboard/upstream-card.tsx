import { ALGORITHM_NAMES, ALGORITHMS, serverTime, type Upstream } from '@pool/shared';
import { useTranslation } from '@pool/shared/i18n';
import { PageLink, useUpstreams } from '@pool/shared/remote';
import {
  Empty,
  QueryError,
  Loading,
  Panel,
  PoolName,
  Quantity,
  Skeleton,
  StateMark,
  useFormat,
} from '@pool/shared/ui/core';
import { Explain } from './explain/explain';
import styles from './upstream-card.module.css';

/** The active upstream of each algorithm's list; when none is active, the first. */
const inUse = (list: readonly Upstream[]): Upstream[] =>
  ALGORITHM_NAMES.flatMap((name) => {
    const own = list.filter(({ algorithm }) => algorithm === name);
    return own.find(({ state }) => state === 'active') ?? own[0] ?? [];
  });

export function UpstreamCard() {
  const { t } = useTranslation();
  const upstreams = useUpstreams();
  const { data, error, dataUpdatedAt } = upstreams;
  return (
    <Panel
      className={styles.panel}
      title={t('dashboard.upstream')}
      extra={<PageLink page="workers.pools">{t('dashboard.upstream.manage')}</PageLink>}
    >
      <QueryError query={upstreams} className={styles.error} />
      {data
        ? inUse(data).map((upstream) => (
            <UpstreamRow key={upstream.algorithm} upstream={upstream} now={serverTime(dataUpdatedAt) / 1000} />
          ))
        : !error && (
            <Loading>
              <div className={styles.row}>
                <Skeleton height={40} />
              </div>
              <div className={styles.row}>
                <Skeleton height={40} />
              </div>
            </Loading>
          )}
      {data?.length === 0 && <Empty title={t('dashboard.upstream.empty')} />}
    </Panel>
  );
}

type Props = { upstream: Upstream; now: number };

function UpstreamRow({
  upstream: { algorithm, name, url, state, priority, of, latencyMs, lastSwitchAt, lastSwitchWhy },
  now,
}: Props) {
  const { t } = useTranslation();
  const { clock, day } = useFormat();
  const when = (at: number) => (now - at < 86_400 ? clock(at) : day(at));
  return (
    <div className={styles.row}>
      <span className={styles.algorithm}>{ALGORITHMS[algorithm].label}</span>
      <PoolName className={styles.pool} name={name} url={url.replace(/^stratum\+\w+:\/\//, '')} />
      <span className={styles.state}>
        <StateMark state={state}>{state === 'unreadable' ? t('dashboard.upstream.unreadable') : undefined}</StateMark>
      </span>
      <span className={styles.fact}>
        <small>{t('dashboard.upstream.priority')}</small>
        <bdi dir="ltr">
          {priority} / {of}
        </bdi>
      </span>
      <span className={styles.latency}>
        <small>{t('dashboard.upstream.latency')}</small>
        <Explain what="upstream">
          <Quantity value={latencyMs === null ? null : Math.max(1, Math.round(latencyMs))} unit="ms" />
        </Explain>
      </span>
      <span className={styles.switched}>
        <small>{t('dashboard.upstream.lastSwitch')}</small>
        <bdi>{lastSwitchAt === null ? t('dashboard.upstream.never') : when(lastSwitchAt)}</bdi>
        {lastSwitchWhy && (
          <span>
            {' '}
            · <bdi>{t(`dashboard.upstream.why.${lastSwitchWhy}`)}</bdi>
          </span>
        )}
      </span>
    </div>
  );
}
