import { ALGORITHM_NAMES, ALGORITHMS, DEFAULT_ALGORITHM, type AlgorithmName } from '@pool/shared';
import { useTranslation } from '@pool/shared/i18n';
import { SeriesChart, useFormat } from '@pool/shared/ui/core';
import { useState } from 'react';
import { useAnswer, type LandingData } from './data';
import styles from './hashrate-panel.module.css';

const HEIGHT = { narrow: 160, wide: 186 };

export function HashratePanel({ data }: { data: LandingData }) {
  const { t } = useTranslation();
  const [algorithm, setAlgorithm] = useState<AlgorithmName>(DEFAULT_ALGORITHM);
  return (
    <section className={styles.panel} aria-label={t('landing.chart')}>
      <div className={styles.head}>
        <div>
          <h2 className={styles.label}>{t('landing.chart')}</h2>
          <Now statistics={data.statistics} algorithm={algorithm} />
        </div>
        <div className={styles.choice} role="group" aria-label={t('algorithm.choose')}>
          {ALGORITHM_NAMES.map((name) => (
            <button key={name} type="button" aria-pressed={name === algorithm} onClick={() => setAlgorithm(name)}>
              {ALGORITHMS[name].label}
            </button>
          ))}
        </div>
      </div>
      <div className={styles.chart}>
        <Chart history={data.history(algorithm)} />
      </div>
    </section>
  );
}

function Now({ statistics, algorithm }: Pick<LandingData, 'statistics'> & { algorithm: AlgorithmName }) {
  const format = useFormat();
  const rows = useAnswer(statistics);
  if (rows === undefined) return <p className={styles.value}>&nbsp;</p>;
  const row = rows?.find(({ algo }) => algo === algorithm);
  if (!row) return <p className={styles.value}>–</p>;
  const { value, unit } = format.hashrate(row.hashrate);
  return (
    <p className={styles.value}>
      <bdi dir="ltr">
        {value} <span className={styles.unit}>{unit}</span>
      </bdi>
    </p>
  );
}

function Chart({ history }: { history: ReturnType<LandingData['history']> }) {
  const { t } = useTranslation();
  const shown = useAnswer(history);
  if (shown === undefined) return null;
  if (shown === null) return <p className={styles.nothing}>{t('landing.failed')}</p>;
  const { series, algorithm } = shown;
  if (series.accepted.every((point) => point === null))
    return <p className={styles.nothing}>{t('landing.chartEmpty')}</p>;
  return (
    <SeriesChart series={series} height={HEIGHT} label={`${t('landing.chart')}, ${ALGORITHMS[algorithm].label}`} />
  );
}
