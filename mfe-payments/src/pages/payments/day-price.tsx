import { ALGORITHMS, type Earning } from '@pool/shared';
import { useTranslation } from '@pool/shared/i18n';
import styles from './table.module.css';

/** Price of the day in BTC per PH/s (SHA256) or TH/s (SCRYPT), five to eight decimals, leading zeros less prominent. */
export function DayPrice({ row: { priceBtc, algorithm } }: { row: Pick<Earning, 'priceBtc' | 'algorithm'> }) {
  const { t } = useTranslation();
  const text = priceBtc.toFixed(8).replace(/0{1,3}$/, '');
  const zeros = /^0\.0*/.exec(text)?.[0] ?? '';
  return (
    <bdi dir="ltr" title={t('payments.col.price-unit', { unit: ALGORITHMS[algorithm].priceUnit })}>
      <span className={styles.zeros}>{zeros}</span>
      {text.slice(zeros.length)}
    </bdi>
  );
}
