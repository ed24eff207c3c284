import { useTranslation } from '@pool/shared/i18n';
import { Btc, Facts, formatDays, Loading, Notice, QueryError, Skeleton, useFormat } from '@pool/shared/ui/core';
import { Checkbox, NumberField } from '@pool/shared/ui/form';
import { FormDialog } from '@pool/shared/ui/overlay';
import common from '@pool/shared/ui/common.module.css';
import { useState } from 'react';
import { useSetTerm, useTermPreview, type Term } from '../../api/terms';

const BOUNDS: Record<Term['name'], { min: number; max: number; step: number }> = {
  pool_fee: { min: 0, max: 100, step: 0.1 },
  newbee_cost: { min: 0, max: 0.049, step: 0.00001 },
  newbee_adjust: { min: -100, max: 100, step: 1 },
};

/** Two steps: the value, then what it would have meant for the last month, which has to be confirmed. */
export function TermDialog({ term: { name, value: now }, onClose }: { term: Term; onClose(): void }) {
  const { t } = useTranslation();
  const [value, setValue] = useState<number | null>(now);
  const [reviewed, setReviewed] = useState<number | null>(null);
  const [sure, setSure] = useState(false);
  const change = useSetTerm(name, { said: () => t('admin.terms.saved'), onDone: onClose });
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
        {...BOUNDS[name]}
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
  const { language, count } = useFormat();
  const preview = useTermPreview(name, value);
  const { data } = preview;
  if (preview.isPending)
    return (
      <Loading>
        <Skeleton height={120} />
      </Loading>
    );
  if (!data) return <QueryError query={preview} />;
  const row = (key: 'grossSat' | 'feeSat' | 'netSat') => ({
    label: t(`admin.terms.${key}`),
    value: (
      <>
        <Btc bare sats={data.before[key]} /> → <Btc bare sats={data.after[key]} />
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
