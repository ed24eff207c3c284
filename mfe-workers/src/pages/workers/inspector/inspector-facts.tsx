import { ratesKnown, type Worker } from '@pool/shared';
import { useTranslation } from '@pool/shared/i18n';
import {
  DASH,
  Facts,
  Figure,
  Measuring,
  Percent,
  TimeAgo,
  useFormat,
  useMinedSince,
  useNow,
} from '@pool/shared/ui/core';
import { entranceOf } from '../list/columns';
import styles from './inspector.module.css';
import { WorkerHashrate } from './worker-hashrate';

export function InspectorNumbers({ worker }: { worker: Worker }) {
  const { t } = useTranslation();
  const sinceOf = useMinedSince();
  const now = useNow();
  return (
    <div className={styles.three}>
      {(['m5', 'h1', 'h24'] as const).map((window) => (
        <Figure
          key={window}
          label={t(`workers.${window}`)}
          value={<WorkerHashrate worker={worker} window={window} />}
          sub={
            window === 'm5'
              ? worker.measuring !== undefined && <Measuring error={worker.measuring} />
              : (sinceOf(worker.minedSince, window, now) ?? undefined)
          }
        />
      ))}
    </div>
  );
}

/** Accepted, stale and rejected parts of the work of 24 h, and the number of shares. */
export function ShareQuality({ worker: { staleRate, rejectRate, shares24h } }: { worker: Worker }) {
  const { t } = useTranslation();
  const rate = (value: number) => <Percent rate={ratesKnown(shares24h) ? value : null} />;
  return (
    <section className={styles.section} aria-label={t('workers.quality')}>
      <div className={styles.sectionHead}>
        <h3>{t('workers.quality')}</h3>
        <span>{t('workers.shares', { count: shares24h })}</span>
      </div>
      <div className={styles.three}>
        <Figure label={t('workers.accepted')} value={rate(1 - staleRate - rejectRate)} />
        {Object.entries({ stale: staleRate, rejected: rejectRate }).map(([name, value]) => (
          <Figure
            key={name}
            label={
              <>
                <i className={styles[name]} />
                {t(`workers.${name}`)}
              </>
            }
            value={rate(value)}
          />
        ))}
      </div>
    </section>
  );
}

type Props = { worker: Worker };

export function InspectorFacts({ worker }: Props) {
  const { software, address, connectedAt, difficulty, lastShareAt } = worker;
  const { t } = useTranslation();
  const format = useFormat();
  return (
    <section className={styles.section}>
      <Facts
        rows={[
          { label: t('workers.software'), value: software ?? DASH },
          Boolean(address) && { label: t('workers.address'), value: address },
          { label: t('workers.port'), value: entranceOf(worker) },
          {
            label: t('workers.connectedAt'),
            value: connectedAt === null ? t('workers.notConnected') : <bdi>{format.moment(connectedAt)}</bdi>,
          },
          {
            label: t('workers.difficulty'),
            value: difficulty === null ? DASH : <bdi>{format.difficulty(difficulty)}</bdi>,
          },
          {
            label: t('workers.lastShare'),
            value: lastShareAt === null ? t('workers.never') : <TimeAgo at={lastShareAt} />,
          },
        ]}
      />
    </section>
  );
}
