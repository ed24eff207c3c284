import { useTranslation } from 'react-i18next';
import { useFormat } from '../format/context';
import { useNow } from '../use-now';
import { StateGlyph } from './state-mark';
import s from './updated.module.css';

/** A time as its age, the exact time in the title. `at` is Unix seconds. `lateAfter` seconds turns it amber. */
export function TimeAgo({
  at,
  lateAfter,
  bare = false,
}: {
  at: number | null;
  lateAfter?: number;
  /** `34 s` where a heading says "last share". */ bare?: boolean;
}) {
  const { ago, duration, moment } = useFormat();
  const now = useNow();
  if (at === null) return <span className={s.unknown}>—</span>;
  const late = lateAfter !== undefined && now - at > lateAfter;
  return (
    <time className={late ? s.late : s.time} dateTime={new Date(at * 1000).toISOString()} title={moment(at)}>
      {bare ? duration(now - at) : ago(at, now)}
    </time>
  );
}

/**
 * "14:32 UTC · Updated 4 s ago", and a stale badge once two refreshes were missed.
 * `at` is when the data came, Unix seconds; `every` is the usual time between refreshes, seconds.
 */
export function Updated({ at, every }: { at: number | null; every: number }) {
  const { t } = useTranslation();
  const { clock, zone, duration } = useFormat();
  const now = useNow();
  if (at === null) return null;
  if (now - at > 2 * every) return <StaleBadge at={at} />;
  return (
    <span className={s.updated}>
      <bdi>
        {clock(now)} {zone(now)}
      </bdi>{' '}
      · {t('ui.updated', { age: duration(now - at) })}
    </span>
  );
}

/** Says that what is shown is old, and how old. */
export function StaleBadge({ at }: { at: number }) {
  const { t } = useTranslation();
  const { duration, moment } = useFormat();
  const now = useNow();
  return (
    <span className={s.stale} title={moment(at)} role="status">
      <StateGlyph state="review" />
      {t('ui.stale', { age: duration(now - at) })}
    </span>
  );
}
