import { useId, type ReactNode } from 'react';
import { useTranslation } from 'react-i18next';
import { ApiError } from '../../api/client';
import styles from './field.module.css';

type Wiring = {
  id: string;
  'aria-invalid': boolean;
  'aria-describedby': string | undefined;
  status: 'error' | undefined;
};

/** A labelled field with its hint and error. `children` gets the properties of the control. */
export function Field({
  label,
  hint,
  error,
  children,
}: {
  label: string;
  hint?: ReactNode;
  error?: string | null;
  children: (wiring: Wiring) => ReactNode;
}) {
  const [id, hintId, errorId] = [useId(), useId(), useId()];
  const describedBy = [hint !== undefined && hintId, error && errorId].filter(Boolean).join(' ') || undefined;
  return (
    <div className={styles.field}>
      <label htmlFor={id} className={styles.label}>
        {label}
      </label>
      {children({
        id,
        'aria-invalid': Boolean(error),
        'aria-describedby': describedBy,
        status: error ? 'error' : undefined,
      })}
      {hint !== undefined && (
        <p id={hintId} className={styles.hint}>
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

/** Says why a call failed; nothing without an error. */
export function Problem({ error }: { error: unknown }) {
  const text = useProblemText()(error);
  if (text === null) return null;
  return (
    <p role="alert" className={styles.error}>
      {text}
    </p>
  );
}

/** What to say about a failed call: by its code, else that it failed. Null without an error. */
export function useProblemText(): (error: unknown) => string | null {
  const { t, i18n } = useTranslation();
  return (error) => {
    if (!error) return null;
    if (!(error instanceof ApiError)) return t('ui.error.unexpected');
    if (error.status === 0 && !navigator.onLine) return t('ui.error.no_network');
    const key = `ui.error.${error.code}`;
    if (i18n.exists(key)) return t(key);
    return t(error.status === 0 ? 'ui.error.offline' : 'ui.error.server_error');
  };
}
