import { serverTime, type Scope } from '@pool/shared';
import { useTranslation } from '@pool/shared/i18n';
import { useFormat } from '@pool/shared/ui/core';
import { SelectField, TextField, useFormMutation } from '@pool/shared/ui/form';
import { FormDialog } from '@pool/shared/ui/overlay';
import { useState } from 'react';
import common from '@pool/shared/ui/common.module.css';
import { Ticks } from '../parts';
import { expiryAfter, LIFETIMES, SCOPES, type MadeToken, type TokenKind } from './kinds';

const NEVER = 'never';

type Props = { kind: TokenKind; onMade(made: MadeToken): void; onClose(): void };

export function NewTokenDialog({ kind, onMade, onClose }: Props) {
  const { t } = useTranslation();
  const { duration } = useFormat();
  const [name, setName] = useState('');
  const [scopes, setScopes] = useState<Scope[]>(['hashrate']);
  const [days, setDays] = useState<number | null>(90);
  const make = useFormMutation({
    send: (api) =>
      kind.make(api, { name: name.trim(), scopes, expiresAt: expiryAfter(days, Math.floor(serverTime() / 1000)) }),
    reads: [[kind.name]],
    onDone: onMade,
  });
  return (
    <FormDialog
      title={t(`account.${kind.name}.new`)}
      okText={t(`account.${kind.name}.make`)}
      ready={name.trim() !== '' && scopes.length > 0}
      change={make}
      onSubmit={() => make.mutate()}
      onCancel={onClose}
    >
      <p className={common.hint}>{t(`account.${kind.name}.what`)}</p>
      <TextField
        label={t('account.token.name')}
        hint={t('account.token.nameHint')}
        autoComplete="off"
        maxLength={64}
        value={name}
        onChange={setName}
      />
      <Ticks
        label={t('account.token.scopes')}
        options={SCOPES}
        chosen={scopes}
        nameOf={(scope) => t(`account.scope.${scope}`)}
        onChange={setScopes}
      />
      <SelectField
        label={t('account.token.expires')}
        value={days ?? NEVER}
        onChange={(value) => setDays(value === NEVER ? null : Number(value))}
        options={LIFETIMES.map((each) => ({
          value: each ?? NEVER,
          label: each === null ? t('account.token.never') : duration(each * 86_400),
        }))}
      />
    </FormDialog>
  );
}
