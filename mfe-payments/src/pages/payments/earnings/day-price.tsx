import { ALGORITHMS, SATS_PER_BTC, type Earning } from '@pool/shared';
import { useTranslation } from '@pool/shared/i18n';
import { Btc } from '@pool/shared/ui/core';

/** Price of the day, in bitcoin per PH/s (SHA256) or TH/s (SCRYPT). */
export function DayPrice({ row: { priceBtc, algorithm } }: { row: Pick<Earning, 'priceBtc' | 'algorithm'> }) {
  const { t } = useTranslation();
  return (
    <span title={t('payments.col.price-unit', { unit: ALGORITHMS[algorithm].priceUnit })}>
      <Btc bare sats={Math.round(priceBtc * SATS_PER_BTC)} />
    </span>
  );
}
