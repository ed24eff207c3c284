import { ApiError } from '@pool/shared';
import { useTranslation } from '@pool/shared/i18n';
import { useSearchParams } from '@pool/shared/router';
import { Button, Notice, Panel, useNarrow } from '@pool/shared/ui/core';
import { Input } from '@pool/shared/ui/form';
import { useId, useState } from 'react';
import { useActivate } from '../../api/activate';
import styles from './activate-form.module.css';

const CODE = /^[A-Za-z0-9_-]{4,32}$/;
const MAX_LENGTH = 32;

/** Activates the code of another user, once. The input keeps its text after an error. */
export function ActivateForm() {
  const { t, i18n } = useTranslation();
  // An invitation's link contains its code.
  const [params] = useSearchParams();
  const [typed, setTyped] = useState(params.get('code')?.slice(0, MAX_LENGTH) ?? '');
  const [malformed, setMalformed] = useState(false);
  const { mutate, isPending, error, isSuccess, variables, reset } = useActivate();
  const [inputId, hintId, errorId] = [useId(), useId(), useId()];
  const code = typed.trim();
  const size = useNarrow() ? 'large' : 'middle';

  const reason = (): string | null => {
    if (malformed) return t('referral.error.malformed');
    if (!error) return null;
    const key = error instanceof ApiError ? `referral.error.${error.code}` : '';
    return i18n.exists(key) ? t(key) : t('referral.error.other');
  };
  const problem = reason();
  const submit = () => {
    setMalformed(!CODE.test(code));
    if (CODE.test(code)) mutate(code);
  };

  if (isSuccess) {
    return (
      <Panel title={t('referral.activate')}>
        <div role="status">
          <Notice tone="info" state="final">
            {t('referral.activated', { code: variables })}
          </Notice>
        </div>
      </Panel>
    );
  }
  return (
    <Panel title={t('referral.activate')}>
      <form
        className={styles.form}
        onSubmit={(event) => {
          event.preventDefault();
          submit();
        }}
      >
        <p id={hintId} className={styles.hint}>
          {t('referral.activate-hint')}
        </p>
        <label htmlFor={inputId} className={styles.label}>
          {t('referral.activate-label')}
        </label>
        <div className={styles.line}>
          <Input
            id={inputId}
            size={size}
            dir="ltr"
            autoComplete="off"
            spellCheck={false}
            maxLength={MAX_LENGTH}
            value={typed}
            status={problem ? 'error' : undefined}
            aria-invalid={problem !== null}
            aria-describedby={problem ? `${hintId} ${errorId}` : hintId}
            onChange={(event) => {
              setTyped(event.target.value);
              setMalformed(false);
              reset();
            }}
          />
          <Button size={size} htmlType="submit" loading={isPending}>
            {t('referral.activate-button')}
          </Button>
        </div>
        {problem && (
          <p id={errorId} role="alert" className={styles.error}>
            {problem}
          </p>
        )}
      </form>
    </Panel>
  );
}
