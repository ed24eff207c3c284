import { useTranslation } from '@pool/shared/i18n';
import { Button } from '@pool/shared/ui/core';
import { DayField, Form } from '@pool/shared/ui/form';
import { useState } from 'react';
import styles from './days-picker.module.css';
import type { Range } from './range';

type Props = { range: Range; today: string; onChoose: (days: { from: string; to: string }) => void };

/** Two days, both included; neither is after `today`, and the second is not before the first. */
export function CustomDays({ range, today, onChoose }: Props) {
  const { t } = useTranslation();
  const [from, setFrom] = useState(range.from ?? '');
  const [to, setTo] = useState(range.to ?? today);
  return (
    <Form className={styles.days} onSubmit={() => from && to && onChoose({ from, to })}>
      <DayField label={t('payments.range.from')} value={from} max={to || today} onChange={setFrom} />
      <DayField label={t('payments.range.to')} value={to} min={from || undefined} max={today} onChange={setTo} />
      <Button htmlType="submit" className={styles.show} disabled={!from || !to}>
        {t('payments.range.apply')}
      </Button>
    </Form>
  );
}
