import { WORKER_STATES, type WorkerState } from '../../../domain';
import s from './segments.module.css';
import { STATES } from './state-mark';

/** A bar with the parts of workers in each state, without inactive ones. The text must be beside it. */
export function Segments({ counts, label }: { counts: Record<WorkerState, number>; label: string }) {
  const shown = WORKER_STATES.filter((state) => state !== 'inactive' && counts[state] > 0);
  return (
    <div className={s.bar} role="img" aria-label={label}>
      {shown.map((state) => (
        <span key={state} style={{ flexGrow: counts[state], background: `var(${STATES[state][1]})` }} />
      ))}
    </div>
  );
}

/** A progress bar, `value` from 0 to 1. */
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
