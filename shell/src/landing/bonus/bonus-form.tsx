import { ApiError } from '@pool/shared';
import { useTranslation } from '@pool/shared/i18n';
import { useId, useState, type FormEvent } from 'react';
import { publicApi } from '../../public/api';
import styles from './bonus-form.module.css';

type State = 'asks' | 'sends' | 'sent' | 'invalid' | 'limited' | 'failed';
const FAILURES: Record<number, State> = { 400: 'invalid', 429: 'limited' };

/** A visitor asks for the welcome bonus. The answer is the same for an address that has asked before. */
export default function BonusForm() {
  const { t } = useTranslation();
  const id = useId();
  const [email, setEmail] = useState('');
  const [state, setState] = useState<State>('asks');
  const ask = (event: FormEvent) => {
    event.preventDefault();
    setState('sends');
    publicApi('POST /requestBonus', { query: { email: email.trim() } }).then(
      () => setState('sent'),
      (error: unknown) => setState((error instanceof ApiError && FAILURES[error.status]) || 'failed'),
    );
  };
  const failed = state === 'invalid' || state === 'limited' || state === 'failed';
  return (
    <>
      <div>
        <h2 className={styles.title}>{t('landing.bonus.title')}</h2>
        <p className={styles.text}>{t('landing.bonus.text')}</p>
      </div>
      {state === 'sent' ? (
        <p role="status" className={styles.sent}>
          {t('landing.bonus.sent')}
        </p>
      ) : (
        // The server judges the address: it is stricter than the browser.
        <form className={styles.form} onSubmit={ask} noValidate>
          <label htmlFor={id}>{t('landing.bonus.email')}</label>
          <div className={styles.row}>
            <input
              id={id}
              type="email"
              dir="ltr"
              autoComplete="email"
              value={email}
              onChange={({ target }) => setEmail(target.value)}
              aria-invalid={state === 'invalid'}
              aria-describedby={failed ? `${id}-problem` : undefined}
            />
            <button type="submit" disabled={state === 'sends'}>
              {t('landing.bonus.ask')}
            </button>
          </div>
          {failed && (
            <p role="alert" id={`${id}-problem`} className={styles.problem}>
              {t(`landing.bonus.${state}`)}
            </p>
          )}
        </form>
      )}
    </>
  );
}
