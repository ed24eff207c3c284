import { ALGORITHM_NAMES, ALGORITHMS, DEFAULT_ALGORITHM, type AlgorithmName } from '@pool/shared';
import { useTranslation } from '@pool/shared/i18n';
import { Figure, Hashrate, Segmented, SeriesChart } from '@pool/shared/ui/core';
import { Suspense, use, useState, useTransition } from 'react';
import type { LandingData } from './data';
import styles from './hashrate-panel.module.css';

const HEIGHT = { narrow: 160, wide: 186 };

export function HashratePanel({ data }: { data: LandingData }) {
  const { t } = useTranslation();
  const [algorithm, setAlgorithm] = useState<AlgorithmName>(DEFAULT_ALGORITHM);
  const [, startTransition] = useTransition();
  return (
    <section className={styles.panel} aria-label={t('landing.chart')}>
      <div className={styles.head}>
        <Figure
          size="key"
          label={<h2>{t('landing.chart')}</h2>}
          value={
            <Suspense fallback={<span>&nbsp;</span>}>
              <Now statistics={data.statistics} algorithm={algorithm} />
            </Suspense>
          }
        />
        <Segmented
          aria-label={t('algorithm.choose')}
          value={algorithm}
          onChange={(name) => startTransition(() => setAlgorithm(name))}
          options={ALGORITHM_NAMES.map((value) => ({ value, label: ALGORITHMS[value].label }))}
        />
      </div>
      <div className={styles.chart}>
        <Suspense fallback={null}>
          <Chart history={data.history(algorithm)} algorithm={algorithm} />
        </Suspense>
      </div>
    </section>
  );
}

const Now = ({ statistics, algorithm }: Pick<LandingData, 'statistics'> & { algorithm: AlgorithmName }) => (
  <Hashrate hs={use(statistics)?.find(({ algo }) => algo === algorithm)?.hashrate} />
);

function Chart({ history, algorithm }: { history: ReturnType<LandingData['history']>; algorithm: AlgorithmName }) {
  const { t } = useTranslation();
  const series = use(history);
  if (!series) return <p className={styles.nothing}>{t('landing.failed')}</p>;
  if (series.accepted.every((point) => point === null))
    return <p className={styles.nothing}>{t('landing.chartEmpty')}</p>;
  return (
    <SeriesChart series={series} height={HEIGHT} label={`${t('landing.chart')}, ${ALGORITHMS[algorithm].label}`} />
  );
}
