import type { Scope } from '@pool/shared';
import { useTranslation } from '@pool/shared/i18n';
import { useMutation, useQueryClient } from '@pool/shared/query';
import { useApi } from '@pool/shared/remote';
import { Button, useFormat } from '@pool/shared/ui/core';
import { Checkbox, Field, Input, Select, useProblemText } from '@pool/shared/ui/form';
import { useId, useState } from 'react';
import styles from '../form.module.css';
import { expiryAfter, LIFETIMES, SCOPES, type MadeToken, type TokenKind } from './kinds';

const NEVER = 'never';

export function NewTokenForm({ kind, onMade }: { kind: TokenKind; onMade(made: MadeToken): void }) {
  const { t } = useTranslation();
  const { duration } = useFormat();
  const api = useApi();
  const queryClient = useQueryClient();
  const say = useProblemText();
  const scopesId = useId();
  const [name, setName] = useState('');
  const [scopes, setScopes] = useState<Scope[]>(['hashrate']);
  const [days, setDays] = useState<number | null>(90);
  const make = useMutation({
    mutationFn: () =>
      kind.make(api, { name: name.trim(), scopes, expiresAt: expiryAfter(days, Math.floor(Date.now() / 1000)) }),
    onSuccess: async (made) => {
      onMade(made);
      await queryClient.invalidateQueries({ queryKey: [kind.name] });
    },
  });
  return (
    <form
      className={styles.form}
      onSubmit={(event) => {
        event.preventDefault();
        make.mutate();
      }}
    >
      <p className={styles.hint}>{t(`account.${kind.name}.what`)}</p>
      <Field label={t('account.token.name')} hint={t('account.token.nameHint')} error={say(make.error)}>
        {(wiring) => (
          <Input
            {...wiring}
            autoComplete="off"
            maxLength={64}
            value={name}
            onChange={(event) => {
              setName(event.target.value);
              make.reset();
            }}
          />
        )}
      </Field>
      <div className={styles.field} role="group" aria-labelledby={scopesId}>
        <span id={scopesId} className={styles.label}>
          {t('account.token.scopes')}
        </span>
        <div className={styles.row}>
          {SCOPES.map((scope) => (
            <Checkbox
              key={scope}
              checked={scopes.includes(scope)}
              onChange={({ target }) =>
                setScopes(SCOPES.filter((each) => (each === scope ? target.checked : scopes.includes(each))))
              }
            >
              {t(`account.scope.${scope}`)}
            </Checkbox>
          ))}
        </div>
      </div>
      <Field label={t('account.token.expires')}>
        {({ id }) => (
          <Select
            id={id}
            value={days ?? NEVER}
            onChange={(value) => setDays(value === NEVER ? null : Number(value))}
            options={LIFETIMES.map((each) => ({
              value: each ?? NEVER,
              label: each === null ? t('account.token.never') : duration(each * 86_400),
            }))}
          />
        )}
      </Field>
      <div className={styles.actions}>
        <Button
          type="primary"
          htmlType="submit"
          loading={make.isPending}
          disabled={!name.trim() || scopes.length === 0}
        >
          {t(`account.${kind.name}.make`)}
        </Button>
      </div>
    </form>
  );
}
