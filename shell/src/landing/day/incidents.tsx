import { ALGORITHM_NAMES, ALGORITHMS } from '@pool/shared';
import { useTranslation } from '@pool/shared/i18n';
import { StateGlyph, useFormat } from '@pool/shared/ui/core';
import { use, useState } from 'react';
import type { LandingData } from '../data';
import styles from './day.module.css';

type Incident = NonNullable<Awaited<ReturnType<LandingData['incidents']>>>[number];
/** Incidents shown before somebody asks for all. */
const FIRST = 5;

/** When the pool itself was out in the last 90 days: it says so by itself. */
export default function Incidents({ data }: { data: LandingData }) {
  const { t } = useTranslation();
  const all = use(data.incidents());
  const [isWhole, setWhole] = useState(false);
  if (!all) return null;
  return (
    <section className={styles.day} aria-labelledby="incidents">
      <h2 id="incidents" className={styles.title}>
        {t('landing.incidents.title')}
      </h2>
      {all.length === 0 && (
        <p className={styles.text}>
          <StateGlyph state="confirmed" /> {t('landing.incidents.none')}
        </p>
      )}
      <ul className={styles.incidents}>
        {(isWhole ? all : all.slice(0, FIRST)).map((incident) => (
          <Row key={`${incident.at} ${incident.why}`} incident={incident} />
        ))}
      </ul>
      {!isWhole && all.length > FIRST && (
        <button type="button" className={styles.more} onClick={() => setWhole(true)}>
          {t('landing.incidents.all', { n: all.length })}
        </button>
      )}
    </section>
  );
}

function Row({ incident: { at, until, why, algorithms } }: { incident: Incident }) {
  const { t } = useTranslation();
  const { moment, duration } = useFormat();
  const names = algorithms.length < ALGORITHM_NAMES.length ? algorithms.map((name) => ALGORITHMS[name].label) : [];
  return (
    <li className={styles.line}>
      <span>
        <time dateTime={new Date(at * 1000).toISOString()}>{moment(at)}</time>{' '}
        <span className={styles.how}>{[t(`landing.incidents.${why}`), ...names].join(' · ')}</span>
      </span>
      <span>{until === null ? t('landing.incidents.now') : duration(until - at, 2)}</span>
    </li>
  );
}
