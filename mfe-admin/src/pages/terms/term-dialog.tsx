import type { Answer } from '@pool/shared';
import { useTranslation } from '@pool/shared/i18n';
import { Btc, Facts, formatDays, Notice, QueryState, Skeleton, useFormat } from '@pool/shared/ui/core';
import { Checkbox, NumberField, useFormMutation } from '@pool/shared/ui/form';
import { FormDialog } from '@pool/shared/ui/overlay';
import common from '@pool/shared/ui/common.module.css';
import { useState } from 'react';
import { useRead } from '../../api/reads';

export type Term = Answer<'GET /admin/terms'>['terms'][number];

/** The call that sets each term, and the values that it takes. */
const TERMS = {
  pool_fee: { call: 'PUT /poolFee', min: 0, max: 100, step: 0.1 },
  newbee_cost: { call: 'PUT /newbeeCost/', min: 0, max: 0.049, step: 0.00001 },
  newbee_adjust: { call: 'PUT /newbeeAdjust/', min: -100, max: 100, step: 1 },
} as const satisfies Record<Term['name'], object>;

/** Two steps: the value, then what it would have meant for the last month, which has to be confirmed. */
export function TermDialog({ term: { name, value: now }, onClose }: { term: Term; onClose(): void }) {
  const { t } = useTranslation();
  const [value, setValue] = useState<number | null>(now);
  const [reviewed, setReviewed] = useState<number | null>(null);
  const [sure, setSure] = useState(false);
  const { call, ...bounds } = TERMS[name];
  const change = useFormMutation({
    send: (api, chosen: number) => api(call, { body: { value: chosen } }),
    reads: [['admin']],
    said: () => t('admin.terms.saved'),
    onDone: onClose,
  });
  return (
    <FormDialog
      title={t(`admin.terms.${name}`)}
      okText={t(reviewed === null ? 'admin.terms.review' : 'admin.terms.save')}
      ready={reviewed === null ? value !== null && value !== now : sure}
      change={change}
      onSubmit={() => (reviewed === null ? setReviewed(value) : change.mutate(reviewed))}
      onCancel={() => {
        if (reviewed === null) onClose();
        setReviewed(null);
        setSure(false);
      }}
    >
      <p className={common.quiet}>{t(`admin.terms.about.${name}`)}</p>
      <NumberField
        label={t('admin.terms.value')}
        hint={t('admin.terms.tomorrow')}
        {...bounds}
        disabled={reviewed !== null}
        suffix={name === 'newbee_cost' ? 'BTC/PH' : '%'}
        value={value}
        onChange={setValue}
      />
      {reviewed !== null && (
        <>
          <Meaning name={name} value={reviewed} />
          <Checkbox checked={sure} onChange={(event) => setSure(event.target.checked)}>
            {t('admin.terms.sure')}
          </Checkbox>
        </>
      )}
    </FormDialog>
  );
}

/** Computed by the functions that close a day. */
function Meaning({ name, value }: { name: Term['name']; value: number }) {
  const { t } = useTranslation();
  const { arrow, language, count } = useFormat();
  const preview = useRead(['admin', 'terms', 'preview', name, value], (api, signal) =>
    api('GET /admin/terms/preview', { query: { name, value }, signal }),
  );
  const { data } = preview;
  if (!data)
    return (
      <QueryState query={preview}>
        <Skeleton height={120} />
      </QueryState>
    );
  const row = (key: 'grossSat' | 'feeSat' | 'netSat') => ({
    label: t(`admin.terms.${key}`),
    value: (
      <>
        <Btc bare sats={data.before[key]} /> {arrow} <Btc bare sats={data.after[key]} />
      </>
    ),
  });
  return (
    <Notice tone="info">
      {data.from && data.to
        ? t('admin.terms.meant', { days: formatDays(language, data.from, data.to) })
        : t('admin.terms.no-days')}
      <Facts
        rows={[
          row('grossSat'),
          row('feeSat'),
          row('netSat'),
          { label: t('admin.terms.users'), value: count(data.users) },
        ]}
      />
    </Notice>
  );
}
