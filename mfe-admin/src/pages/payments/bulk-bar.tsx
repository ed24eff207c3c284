import { useTranslation } from '@pool/shared/i18n';
import { Btc, Button, Download } from '@pool/shared/ui/core';
import common from '@pool/shared/ui/common.module.css';
import type { AdminPayment } from '../../api/payments';
import { ActionBar } from '../../parts/action-bar';
import { Worth } from './columns';
import styles from './payments.module.css';
import { addressesOf, movesFrom, totalOf, type Move } from './moves';

/** Takes money back or away: outlined in red, after the others. */
const DANGEROUS: readonly Move[] = ['fail', 'cancel'];

/** What can be done with the selected payments at once; each button leads to a dialog that asks again. */
export function BulkBar({
  payments,
  price,
  onMove,
  onExport,
  onClear,
}: {
  payments: readonly AdminPayment[];
  price: number | undefined;
  onMove(move: Move): void;
  onExport(): void;
  onClear(): void;
}) {
  const { t } = useTranslation();
  const moves = movesFrom(payments[0]?.status ?? 'cancelled');
  const n = payments.length;
  const total = totalOf(payments);
  return (
    <ActionBar
      label={t('admin.payments.bulk')}
      clear={t('admin.payments.unselect')}
      onClear={onClear}
      sum={
        <>
          <strong>{t('admin.payments.selected', { count: n })}</strong>
          <strong className={styles.total}>
            <Btc sats={total} />
          </strong>
          <span className={common.quiet}>
            <Worth of={payments} price={price} /> {t('admin.payments.addresses', { count: addressesOf(payments) })}
          </span>
        </>
      }
    >
      {moves
        .filter((move) => !DANGEROUS.includes(move))
        .map((move, index) => (
          <Button key={move} type={index === 0 ? 'primary' : 'default'} onClick={() => onMove(move)}>
            {t(`admin.payments.do.${move}`)}
          </Button>
        ))}
      <Button icon={<Download />} onClick={onExport}>
        {t('admin.payments.export')}
      </Button>
      {moves
        .filter((move) => DANGEROUS.includes(move))
        .map((move) => (
          <Button key={move} danger onClick={() => onMove(move)}>
            {t(`admin.payments.do.${move}`)}
          </Button>
        ))}
    </ActionBar>
  );
}
