import type { Payment } from '@pool/shared';
import { useTranslation } from '@pool/shared/i18n';
import { useBalance } from '@pool/shared/remote';
import { Btc, CopyField, formatDay, PayoutSentence, useFormat } from '@pool/shared/ui/core';
import { Drawer } from '@pool/shared/ui/overlay';
import common from '@pool/shared/ui/common.module.css';
import { CourseLine } from './course-line';
import styles from './payout-drawer.module.css';
import { explorerUrl } from './payouts-list';
import { PayoutSum } from './payout-sum';

type Props = { payout: Payment; explorer: string | null; onClose: () => void };

export function PayoutDrawer({ payout, explorer, onClose }: Props) {
  const { t } = useTranslation();
  const { language } = useFormat();
  const { address, txid } = payout;
  return (
    <Drawer
      open
      title={t('payments.payout.title', { day: formatDay(language, 'utc', payout.createdAt, true) })}
      onClose={onClose}
    >
      <p className={common.figure}>
        <Btc sats={payout.amountSat} />
      </p>
      <h3 className={styles.why}>{t('payments.col.course')}</h3>
      <CourseLine payout={payout} />
      <Waits payout={payout} />
      <PayoutSum payout={payout} />
      <div className={styles.long}>
        {address !== null && <CopyField showLabel label={t('payments.col.address')} value={address} />}
        {txid !== null && (
          <>
            <CopyField showLabel label={t('payments.col.txid')} value={txid} />
            {explorer && (
              <a href={explorerUrl(explorer, txid)} target="_blank" rel="noreferrer">
                {t('payments.payout.explorer')}
              </a>
            )}
          </>
        )}
      </div>
    </Drawer>
  );
}

/** What a payout of mining that is not sent waits for, and where that is changed. */
function Waits({ payout: { status, trigger } }: Pick<Props, 'payout'>) {
  const { data: balance } = useBalance();
  if (!balance || trigger === 'referral' || (status !== 'pending' && status !== 'queued')) return null;
  return (
    <p className={styles.waits}>
      <PayoutSentence balance={balance} />
    </p>
  );
}
