import { useTranslation } from '@pool/shared/i18n';
import { Btc, Facts, Notice, QueryError, useFormat } from '@pool/shared/ui/core';
import { Field, Input } from '@pool/shared/ui/form';
import { FormDialog } from '@pool/shared/ui/overlay';
import { useMemo, useState } from 'react';
import { useMovePayments, useSendable } from '../../api/payments';
import parts from '../../parts/parts.module.css';
import { readTxids } from './exports';
import { changesOf, sortOut, totalOf, type Mover } from './moves';

const MOST = 500;
const NAMED = 6;

/** Marks payments as sent from a list of transaction ids: says what each line means before anything is changed. */
export function ImportDialog({ mover, onClose }: { mover: Mover; onClose(): void }) {
  const { t } = useTranslation();
  const { btc } = useFormat();
  const sendable = useSendable();
  const change = useMovePayments({
    said: ({ changed, totalSat }) => t('admin.payments.done', { count: changed, amount: btc(totalSat) }),
    onDone: onClose,
  });
  const [text, setText] = useState('');
  const { matched, faults } = useMemo(() => readTxids(text, sendable.data ?? []), [text, sendable.data]);
  const { moving, left } = sortOut(
    matched.map(({ payment }) => payment),
    'send',
    mover,
  );
  const txidOf = new Map(matched.map(({ payment, txid }) => [payment.id, txid]));
  const complete = moving.length > 0 && moving.length <= MOST && faults.length === 0 && left.length === 0;
  const submit = () =>
    change.mutate(moving.flatMap((payment) => changesOf([payment], 'send', { txid: txidOf.get(payment.id) })));
  return (
    <FormDialog
      title={t('admin.payments.import')}
      okText={t('admin.payments.ok.send', { n: moving.length })}
      ready={complete}
      change={change}
      nameOf={(row) => String(change.variables?.[row]?.id ?? row + 1)}
      onSubmit={submit}
      onCancel={onClose}
    >
      <QueryError query={sendable} />
      <Field label={t('admin.payments.import-label')} hint={t('admin.payments.import-help')}>
        {(props) => (
          <Input.TextArea
            {...props}
            dir="ltr"
            rows={8}
            spellCheck={false}
            className={parts.code}
            value={text}
            onChange={(event) => setText(event.target.value)}
          />
        )}
      </Field>
      {text.trim() !== '' && sendable.data && (
        <Facts
          rows={[
            { label: t('admin.payments.number'), value: moving.length },
            { label: t('admin.payments.total'), value: <Btc sats={totalOf(moving)} /> },
          ]}
        />
      )}
      {moving.length > MOST && <Notice tone="bad">{t('admin.payments.too-many', { n: MOST })}</Notice>}
      {(faults.length > 0 || left.length > 0) && sendable.data && (
        <Notice tone="bad" state="failed">
          {t('admin.payments.import-faults', { n: faults.length + left.length })}
          <ul className={parts.notes}>
            {faults.slice(0, NAMED).map(({ line, text: words, why }) => (
              <li key={line}>
                {t('admin.payments.line', { n: line })}: <bdi dir="ltr">{words.slice(0, 40)}</bdi> ·{' '}
                {t(`admin.payments.fault.${why}`)}
              </li>
            ))}
            {left.slice(0, NAMED).map(({ payment, why }) => (
              <li key={payment.id}>
                <bdi>{payment.account}</bdi>: {t(`admin.payments.reason.${why}`)}
              </li>
            ))}
          </ul>
        </Notice>
      )}
    </FormDialog>
  );
}
