import { useId, type ReactNode } from 'react';
import common from '../common.module.css';
import styles from './field.module.css';

type Wiring = {
  id: string;
  'aria-invalid': boolean;
  'aria-describedby': string | undefined;
  status: 'error' | undefined;
};

export type Labelled = { label: ReactNode; hint?: ReactNode; error?: string | null | false };

/** A labelled field with its hint and error. `children` gets the properties of the control. */
export function Field({ label, hint, error, children }: Labelled & { children: (wiring: Wiring) => ReactNode }) {
  const [id, hintId, errorId] = [useId(), useId(), useId()];
  const describedBy = [hint !== undefined && hintId, error && errorId].filter(Boolean).join(' ') || undefined;
  return (
    <div className={styles.field}>
      <label htmlFor={id} className={common.label}>
        {label}
      </label>
      {children({
        id,
        'aria-invalid': Boolean(error),
        'aria-describedby': describedBy,
        status: error ? 'error' : undefined,
      })}
      {hint !== undefined && (
        <p id={hintId} className={common.hint}>
          {hint}
        </p>
      )}
      {error && (
        <p id={errorId} role="alert" className={styles.error}>
          {error}
        </p>
      )}
    </div>
  );
}

/** Several controls below one label, such as checkboxes. */
export function FieldGroup({ label, children }: { label: ReactNode; children: ReactNode }) {
  const id = useId();
  return (
    <div className={styles.field} role="group" aria-labelledby={id}>
      <span id={id} className={common.label}>
        {label}
      </span>
      {children}
    </div>
  );
}
