import { useTranslation } from '@pool/shared/i18n';
import { Btc, Button, Download } from '@pool/shared/ui/core';
import { ActionBar } from '@pool/shared/ui/table';
import common from '@pool/shared/ui/common.module.css';
import type { AdminPayment } from '../../api/payments';
import { MoveButtons, Worth } from './columns';
import parts from '../../parts/parts.module.css';
import { addressesOf, totalOf, type Move } from './moves';

type Props = {
  payments: readonly AdminPayment[];
  price: number | undefined;
  onMove(move: Move): void;
  onExport(): void;
  onClear(): void;
};

export function BulkBar({ payments, price, onMove, onExport, onClear }: Props) {
  const { t } = useTranslation();
  const moves = { status: payments[0]?.status ?? 'cancelled', onMove };
  return (
    <ActionBar
      label={t('admin.payments.bulk')}
      clear={t('admin.payments.unselect')}
      onClear={onClear}
      sum={
        <>
          <strong>{t('admin.payments.selected', { count: payments.length })}</strong>
          <strong className={parts.total}>
            <Btc sats={totalOf(payments)} />
          </strong>
          <span className={common.quiet}>
            <Worth of={payments} price={price} /> {t('admin.payments.addresses', { count: addressesOf(payments) })}
          </span>
        </>
      }
    >
      <MoveButtons {...moves} />
      <Button icon={<Download />} onClick={onExport}>
        {t('admin.payments.export')}
      </Button>
      <MoveButtons {...moves} dangerous />
    </ActionBar>
  );
}
