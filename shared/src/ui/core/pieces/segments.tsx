import { WORKER_STATES, type WorkerState } from '../../../domain';
import s from './segments.module.css';

/** How workers divide into states, as one bar. Inactive ones are left out of it, as of the headline. The words stand beside it. */
export function Segments({ counts, label }: { counts: Record<WorkerState, number>; label: string }) {
  const shown = WORKER_STATES.filter((state) => state !== 'inactive' && counts[state] > 0);
  return (
    <div className={s.bar} role="img" aria-label={label}>
      {shown.map((state) => (
        <span key={state} className={s[state]} style={{ flexGrow: counts[state] }} />
      ))}
    </div>
  );
}

/** How far a balance is on its way, 0..1. */
export function Meter({ value, label }: { value: number; label: string }) {
  const percent = Math.round(Math.min(1, Math.max(0, value)) * 100);
  return (
    <div
      className={s.meter}
      role="progressbar"
      aria-label={label}
      aria-valuemin={0}
      aria-valuemax={100}
      aria-valuenow={percent}
    >
      <span style={{ inlineSize: `${percent}%` }} />
    </div>
  );
}
