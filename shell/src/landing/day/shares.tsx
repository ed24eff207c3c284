import { ALGORITHMS, serverTime, type Answer } from '@pool/shared';
import { useTranslation } from '@pool/shared/i18n';
import { useFormat } from '@pool/shared/ui/core';
import { useEffect, useState } from 'react';
import type { LandingData } from '../data';
import styles from './shares.module.css';

type Shares = Answer<'GET /poolShares'>;

const ASK_MS = 4000;
/** Seconds that are shown, and how long ago they end: shares are counted and asked for every few seconds. */
const SPAN_S = 60;
const DELAY_S = 12;
const WIDTH = 600;
const HEIGHT = 48;

function useShares(read: LandingData['shares']) {
  const [answer, setAnswer] = useState<{ rows: Shares; at: number }>();
  useEffect(() => {
    let ended = false;
    let timer: ReturnType<typeof setTimeout>;
    const ask = async () => {
      const rows = document.hidden ? null : await read();
      if (ended) return;
      if (rows) setAnswer({ rows, at: serverTime() / 1000 });
      timer = setTimeout(() => void ask(), ASK_MS);
    };
    void ask();
    return () => {
      ended = true;
      clearTimeout(timer);
    };
  }, [read]);
  return answer;
}

/** The shares of the pool as they arrive: the newest at the right, those of a higher difficulty above. */
export default function Shares({ data }: { data: LandingData }) {
  const { t } = useTranslation();
  const { count } = useFormat();
  const answer = useShares(data.shares);
  if (!answer) return null;
  const { rows, at } = answer;
  const sizes = rows.flatMap(({ shares }) => shares.map(({ difficulty }) => Math.log2(difficulty)));
  const [least, most] = [Math.min(...sizes), Math.max(...sizes)];
  const pathOf = ({ shares }: Shares[number]) =>
    shares
      .map((share) => {
        const x = ((share.at - at + DELAY_S) / SPAN_S + 1) * WIDTH;
        const height = most > least ? (Math.log2(share.difficulty) - least) / (most - least) : 0.5;
        return `M${x.toFixed(1)} ${(HEIGHT - 4 - height * (HEIGHT - 8)).toFixed(1)}h0`;
      })
      .join('');
  return (
    <section className={styles.shares} aria-labelledby="shares">
      <h2 id="shares">{t('landing.shares.title')}</h2>
      {sizes.length === 0 ? (
        <p>{t('landing.shares.none')}</p>
      ) : (
        <ul>
          {rows.map((row) => (
            <li key={row.algorithm} data-algorithm={row.algorithm}>
              {ALGORITHMS[row.algorithm].label} <b>{count(row.count)}</b>
            </li>
          ))}
        </ul>
      )}
      <svg viewBox={`0 0 ${WIDTH} ${HEIGHT}`} preserveAspectRatio="none" aria-hidden>
        {/* Another answer begins another drift, from where the points are by then. */}
        <g key={at}>
          {rows.map((row) => (
            <path key={row.algorithm} data-algorithm={row.algorithm} d={pathOf(row)} />
          ))}
        </g>
      </svg>
    </section>
  );
}
