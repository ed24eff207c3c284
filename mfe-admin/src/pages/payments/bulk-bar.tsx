import { useTranslation } from '@pool/shared/i18n';
import { Btc, Button, Download } from '@pool/shared/ui/core';
import common from '@pool/shared/ui/common.module.css';
import type { AdminPayment } from '../../api/payments';
import { ActionBar } from '../../parts/action-bar';
import { Worth } from './columns';
import parts from '../../parts/parts.module.css';
import { addressesOf, movesFrom, totalOf, type Move } from './moves';

/** Takes money back or away: outlined in red, after the others. */
const DANGEROUS: readonly Move[] = ['fail', 'cancel'];

type Props = {
  payments: readonly AdminPayment[];
  price: number | undefined;
  onMove(move: Move): void;
  onExport(): void;
  onClear(): void;
};

export function BulkBar({ payments, price, onMove, onExport, onClear }: Props) {
  const { t } = useTranslation();
  const moves = movesFrom(payments[0]?.status ?? 'cancelled');
  const n = payments.length;
  const button = (move: Move, index?: number) => (
    <Button
      key={move}
      type={index === 0 ? 'primary' : 'default'}
      danger={DANGEROUS.includes(move)}
      onClick={() => onMove(move)}
    >
      {t(`admin.payments.do.${move}`)}
    </Button>
  );
  return (
    <ActionBar
      label={t('admin.payments.bulk')}
      clear={t('admin.payments.unselect')}
      onClear={onClear}
      sum={
        <>
          <strong>{t('admin.payments.selected', { count: n })}</strong>
          <strong className={parts.total}>
            <Btc sats={totalOf(payments)} />
          </strong>
          <span className={common.quiet}>
            <Worth of={payments} price={price} /> {t('admin.payments.addresses', { count: addressesOf(payments) })}
          </span>
        </>
      }
    >
      {moves.filter((move) => !DANGEROUS.includes(move)).map(button)}
      <Button icon={<Download />} onClick={onExport}>
        {t('admin.payments.export')}
      </Button>
      {moves.filter((move) => DANGEROUS.includes(move)).map((move) => button(move))}
    </ActionBar>
  );
}
