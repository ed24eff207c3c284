import { useTranslation } from '@pool/shared/i18n';
import { useSearchParams } from '@pool/shared/router';
import { Button, Notice, Panel, useNarrow } from '@pool/shared/ui/core';
import { Field, Form, Input, useFormMutation } from '@pool/shared/ui/form';
import common from '@pool/shared/ui/common.module.css';
import { useState } from 'react';
import styles from './activate-form.module.css';

const CODE = /^[A-Za-z0-9_-]{4,32}$/;
const MAX_LENGTH = 32;

/** Activates the code of another user, once. The input keeps its text after an error. */
export function ActivateForm() {
  const { t } = useTranslation();
  // An invitation's link contains its code.
  const [params] = useSearchParams();
  const [typed, setTyped] = useState(params.get('code')?.slice(0, MAX_LENGTH) ?? '');
  const [malformed, setMalformed] = useState(false);
  const activate = useFormMutation({
    send: (api, referralCode: string) => api('POST /referral/activate', { body: { referralCode } }),
  });
  const code = typed.trim();
  const size = useNarrow() ? 'large' : 'middle';
  const submit = () => {
    setMalformed(!CODE.test(code));
    if (CODE.test(code)) activate.mutate(code);
  };

  if (activate.isSuccess) {
    return (
      <Panel title={t('referral.activate')}>
        <div role="status">
          <Notice tone="info" state="final">
            {t('referral.activated', { code: activate.variables })}
          </Notice>
        </div>
      </Panel>
    );
  }
  return (
    <Panel title={t('referral.activate')}>
      <Form className={styles.form} change={activate} onSubmit={submit}>
        <p className={common.quiet}>{t('referral.activate-hint')}</p>
        <Field label={t('referral.activate-label')} error={malformed ? t('referral.code-malformed') : activate.text}>
          {(wiring) => (
            <div className={styles.line}>
              <Input
                {...wiring}
                size={size}
                dir="ltr"
                autoComplete="off"
                spellCheck={false}
                maxLength={MAX_LENGTH}
                value={typed}
                onChange={(event) => {
                  setTyped(event.target.value);
                  setMalformed(false);
                }}
              />
              <Button size={size} htmlType="submit" loading={activate.isPending}>
                {t('referral.activate-button')}
              </Button>
            </div>
          )}
        </Field>
      </Form>
    </Panel>
  );
}
