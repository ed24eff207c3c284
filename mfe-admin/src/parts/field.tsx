import { useId, type ReactNode } from 'react';
import styles from './parts.module.css';

/** A control with its label, and help below it. */
export function Field({
  label,
  help,
  children,
}: {
  label: ReactNode;
  help?: ReactNode;
  children: (props: { id: string; 'aria-describedby'?: string }) => ReactNode;
}) {
  const id = useId();
  const helpId = `${id}-help`;
  return (
    <div className={styles.field}>
      <label htmlFor={id}>{label}</label>
      {children({ id, ...(help === undefined ? {} : { 'aria-describedby': helpId }) })}
      {help !== undefined && (
        <span id={helpId} className={styles.quiet}>
          {help}
        </span>
      )}
    </div>
  );
}
