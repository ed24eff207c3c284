import { useFormat } from '../format/context';
import { useNow } from '../use-now';
import s from './time-ago.module.css';

/** The age of a time (Unix seconds), the exact one in the title. Amber after `lateAfter` seconds. */
export function TimeAgo({
  at,
  lateAfter,
  bare = false,
}: {
  at: number | null;
  lateAfter?: number;
  /** `34 s` without "ago", when a heading explains it. */
  bare?: boolean;
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
