import { TIMEFRAMES, type Timeframe } from '@pool/shared';
import { useTranslation } from '@pool/shared/i18n';
import { TIMELINE_ORDER } from '@pool/shared/timeline';
import { Tooltip, useFormat } from '@pool/shared/ui/core';
import {
  showLine,
  TimelineGlyph,
  useTimeline,
  useTimelineMoney,
  useTimelineWords,
  type TimelineEntry,
} from '@pool/shared/ui/timeline';
import { clustersOf, outageBars, type Times } from './clusters';
import styles from './tools.module.css';

type Plot = Omit<Times, 'toEnd'> & { top: number; floor: number };

const TOLD = 6;
const MOST = 500;
/** What is asked for moves on by the hour, not with each point. */
const STEP_S = 3600;

/** A list of what happened, on the time axis. `end`: the last point of the series, Unix seconds. */
export function ChartMarks({ plot, timeframe, end }: { plot: Plot; timeframe: Timeframe; end: number }) {
  const { t } = useTranslation();
  const since = Math.floor((end - TIMEFRAMES[timeframe].span) / STEP_S) * STEP_S;
  const { entries = [] } = useTimeline({ since, limit: MOST });
  const tell = useMarkWords();
  const times = { ...plot, toEnd: plot.to >= end };
  const clusters = clustersOf(entries, times);
  if (clusters.length === 0) return null;
  return (
    <>
      {outageBars(entries, times).map(({ x, width }) => (
        <span key={x} className={styles.out} style={{ left: x, width, top: plot.floor - 1 }} />
      ))}
      <ul className={styles.marks} aria-label={t('dashboard.events')}>
        {clusters.map(({ x, events }) => {
          const kind = TIMELINE_ORDER.find((one) => events.some((event) => event.kind === one));
          const lines = events.slice(0, TOLD).map(tell);
          if (events.length > TOLD) lines.push(t('dashboard.events.more', { count: events.length - TOLD }));
          return (
            <li key={x} style={{ left: x, top: plot.floor }}>
              <Tooltip
                trigger={['hover', 'focus']}
                title={lines.map((line) => (
                  <div key={line}>{line}</div>
                ))}
              >
                <button
                  type="button"
                  className={styles.mark}
                  aria-label={lines.join('. ')}
                  onClick={() => showLine(events.at(-1)?.id ?? '')}
                >
                  <i style={{ blockSize: plot.floor - plot.top }} />
                  <TimelineGlyph kind={kind ?? 'price'} />
                </button>
              </Tooltip>
            </li>
          );
        })}
      </ul>
    </>
  );
}

export function EventKey() {
  const { t } = useTranslation();
  return (
    <span className={styles.key}>
      {TIMELINE_ORDER.map((kind) => (
        <span key={kind}>
          <TimelineGlyph kind={kind} />
          {t(`timeline.kind.${kind}`)}
        </span>
      ))}
    </span>
  );
}

/** When, what, and its money. */
function useMarkWords(): (entry: TimelineEntry) => string {
  const format = useFormat();
  const wordsOf = useTimelineWords();
  const moneyOf = useTimelineMoney();
  return (entry) => {
    const [words, money] = [wordsOf(entry), moneyOf(entry)];
    return `${format.dayClock(entry.at)} ${format.zone(entry.at)}: ${money === null ? words : `${words}, ${money}`}`;
  };
}
