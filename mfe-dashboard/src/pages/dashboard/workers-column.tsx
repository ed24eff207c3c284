import { ratesKnown, WORKER_STATES, type Answer, type PoolAbility, type WorkerCounts } from '@pool/shared';
import { useTranslation } from '@pool/shared/i18n';
import type { UseQueryResult } from '@pool/shared/query';
import { lazyPart, useAbility } from '@pool/shared/remote';
import {
  ChevronRight,
  DASH,
  QueryError,
  Facts,
  Loading,
  Percent,
  Segments,
  Skeleton,
  StateGlyph,
  useFormat,
} from '@pool/shared/ui/core';
import { Explain } from './explain/explain';
import { loadLater } from './load-later';
import styles from './workers-column.module.css';
import { WorkersLink } from './workers-link';

// Not in the first view. Its place is.
const TroubleMenu = lazyPart(['dashboard-later', 'events'], async () => (await loadLater()).TroubleMenu, null);
const TROUBLE: readonly string[] = ['low', 'offline'];

type Quality = Answer<'GET /proxyLiveHashchart/'>['quality24h'];

export function WorkersColumn({
  counts,
  quality,
  failed,
  group,
}: {
  counts: UseQueryResult<WorkerCounts>;
  quality: Quality | undefined;
  failed: boolean;
  group: string | undefined;
}) {
  const { t } = useTranslation();
  const { count } = useFormat();
  const { data, error } = counts;
  const mayEdit = useAbility<PoolAbility>().can('manage', 'workers');
  return (
    <div className={styles.column}>
      <section className={styles.workers} aria-label={t('dashboard.workers')}>
        <div className={styles.head}>
          <h2>{t('dashboard.workers')}</h2>
          <strong>
            {data ? (
              <Explain what="workers">{count(data.online + data.low + data.offline)}</Explain>
            ) : error ? (
              DASH
            ) : (
              <Skeleton width={56} height="1lh" />
            )}
          </strong>
        </div>
        {data ? <Segments counts={data} label={t('dashboard.workersBar')} /> : <Skeleton height={8} />}
        <QueryError query={counts} className={styles.error} />
        {(data || !error) && (
          <ul className={styles.states} data-menus={mayEdit}>
            {WORKER_STATES.map((state) => (
              <li key={state}>
                <WorkersLink state={state} group={group}>
                  <StateGlyph state={state} />
                  <span className={styles.word}>{t(`ui.state.${state}`)}</span>
                  <bdi>{data ? count(data[state]) : <Skeleton width={24} />}</bdi>
                  <ChevronRight className={styles.chevron} data-mirrored />
                </WorkersLink>
                {mayEdit && data && data[state] > 0 && TROUBLE.includes(state) && (
                  <TroubleMenu state={state} group={group} />
                )}
              </li>
            ))}
          </ul>
        )}
      </section>
      <section className={styles.quality} aria-label={t('dashboard.quality')}>
        <h3>{t('dashboard.quality')}</h3>
        {quality || failed ? (
          <ShareQuality quality={quality} />
        ) : (
          <Loading>
            <Skeleton height={78} />
          </Loading>
        )}
      </section>
    </div>
  );
}

type Props = { quality: Quality | undefined };

/** Accepted, stale and rejected parts of the work of 24 h; dashes when unknown. */
function ShareQuality({
  quality: { accepted, stale, rejected, shares } = { accepted: 0, stale: 0, rejected: 0, shares: 0 },
}: Props) {
  const { t } = useTranslation();
  const work = accepted + stale + rejected;
  const rate = (part: number) => <Percent rate={work > 0 && ratesKnown(shares) ? part / work : null} />;
  return (
    <Facts
      rows={[
        { label: t('dashboard.accepted'), value: <Explain what="quality">{rate(accepted)}</Explain> },
        { label: t('dashboard.stale'), value: rate(stale) },
        { label: t('dashboard.rejected'), value: rate(rejected) },
      ]}
    />
  );
}
