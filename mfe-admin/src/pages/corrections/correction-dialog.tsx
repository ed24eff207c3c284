import { ACCOUNT_NAME, ApiError, DEFAULT_ALGORITHM, type AlgorithmName, type CallOptions } from '@pool/shared';
import { useTranslation } from '@pool/shared/i18n';
import { Btc, Facts, Hashrate, Notice, Percent, QueryError } from '@pool/shared/ui/core';
import { AlgorithmField, DayField, NumberField, TextField, useFormMutation } from '@pool/shared/ui/form';
import { FormDialog } from '@pool/shared/ui/overlay';
import { useState } from 'react';
import { useRead } from '../../api/reads';
import type { Start } from './corrections-page';

type Correction = CallOptions<'PUT /earnings/{day}'>['body'];

const DAY = /^\d{4}-\d\d-\d\d$/;

/** Corrects one earning: finds it, shows how it was computed, and says what changes before it is booked. */
export function CorrectionDialog({ start, onClose }: { start: Start; onClose(): void }) {
  const { t } = useTranslation();
  const [account, setAccount] = useState(start.earning?.account ?? '');
  const [algorithm, setAlgorithm] = useState<AlgorithmName>(start.earning?.algorithm ?? DEFAULT_ALGORITHM);
  const [day, setDay] = useState(start.earning?.day ?? '');
  // Undefined: the field still has the booked amount. Null: the field was emptied.
  const [given, setGiven] = useState<number | null | undefined>(start.grossSat);
  const [note, setNote] = useState('');
  const named = ACCOUNT_NAME.test(account) && DAY.test(day);
  const earning = useRead(
    ['admin', 'corrections', 'earning', { account, algorithm, day }],
    (api, signal) =>
      api('GET /earnings/{day}/math', { params: { day }, query: { accountName: account, algorithm }, signal }),
    { enabled: named },
  );
  const change = useFormMutation({
    send: (api, body: Correction) => api('PUT /earnings/{day}', { params: { day }, body }),
    reads: [['admin']],
    said: () => t('admin.corrections.done'),
    onDone: onClose,
  });
  const math = earning.data;
  /** All work of the day came after it was closed: the correction makes the earning. */
  const isNew = start.paidWork !== undefined && earning.error instanceof ApiError && earning.error.status === 404;
  const now = isNew ? 0 : math?.grossSat;
  const grossSat = given === undefined ? (now ?? null) : given;
  const changes = now !== undefined && grossSat !== null && grossSat !== now;
  const submit = () => {
    if (now === undefined || grossSat === null) return;
    change.mutate({
      account,
      algorithm,
      grossSat,
      expectedGrossSat: now,
      paidWork: start.paidWork,
      note: note.trim(),
    });
  };
  const fixed = start.earning !== null;
  return (
    <FormDialog
      title={t(start.reversal ? 'admin.corrections.reverse-title' : 'admin.corrections.new')}
      okText={t(start.reversal ? 'admin.corrections.reverse' : 'admin.corrections.book')}
      ready={changes && note.trim() !== ''}
      change={change}
      onSubmit={submit}
      onCancel={onClose}
    >
      <TextField
        isCode
        label={t('admin.corrections.account')}
        disabled={fixed}
        maxLength={32}
        value={account}
        onChange={(text) => setAccount(text.trim())}
      />
      <AlgorithmField
        label={t('admin.corrections.algorithm')}
        disabled={fixed}
        value={algorithm}
        onChange={setAlgorithm}
      />
      <DayField label={t('admin.corrections.day')} disabled={fixed} value={day} onChange={setDay} />
      {named && !isNew && <QueryError query={earning} />}
      {math && (
        <Facts
          rows={[
            { label: t('admin.corrections.hashrate'), value: <Hashrate hs={math.meanHashrate} /> },
            { label: t('admin.corrections.computed'), value: <Btc sats={math.computedGrossSat} /> },
            { label: t('admin.corrections.now'), value: <Btc sats={math.grossSat} /> },
            { label: t('admin.corrections.fee'), value: <Percent rate={math.feePercent / 100} /> },
          ]}
        />
      )}
      {isNew && <p>{t('admin.corrections.first')}</p>}
      {now !== undefined && (
        <>
          <NumberField
            isWhole
            label={t('admin.corrections.gross')}
            min={0}
            suffix="sat"
            value={grossSat}
            onChange={setGiven}
          />
          <TextField label={t('admin.note.needed')} maxLength={300} value={note} onChange={setNote} />
          {changes && (
            <Notice tone="info">
              {t(grossSat > now ? 'admin.corrections.more' : 'admin.corrections.less')}{' '}
              <Btc sats={Math.abs(grossSat - now)} />. {t('admin.corrections.means')}
            </Notice>
          )}
        </>
      )}
    </FormDialog>
  );
}
