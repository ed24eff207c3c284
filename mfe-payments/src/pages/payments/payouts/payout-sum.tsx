import type { Payment } from '@pool/shared';
import { useTranslation } from '@pool/shared/i18n';
import { PageLink } from '@pool/shared/remote';
import { changeParams, Link, useSearchParams } from '@pool/shared/router';
import { Btc, Facts, formatDays, Loading, QueryError, Skeleton, Usd, useFormat } from '@pool/shared/ui/core';
import { useDaysOf } from '../../../api/history';
import { sumOf } from '../earnings/ledger';
import styles from './payout-drawer.module.css';

/** Why a payout has its amount: its days, their gross and fee, what else was owed, and what the network took. */
export function PayoutSum({ payout }: { payout: Payment }) {
  const { t } = useTranslation();
  const { language } = useFormat();
  const { periodFrom: from, periodTo: to, amountSat } = payout;
  const ofReferral = payout.trigger === 'referral';
  const query = useDaysOf(payout, !ofReferral);
  const [params] = useSearchParams();
  const days = query.data;
  const sum = days && sumOf(days);
  const other = sum ? amountSat - sum.netSat : 0;
  const period = <bdi>{formatDays(language, from, to)}</bdi>;
  const count = new Set(days?.map(({ day }) => day)).size;
  // Earnings of the same account in these days.
  const search = String(changeParams(params, { tab: null, range: null, payout: null, from, to }));
  return (
    <section aria-label={t('payments.payout.why')}>
      <h3 className={styles.why}>{t('payments.payout.why')}</h3>
      <QueryError query={query} />
      {query.isLoading && (
        <Loading>
          <Skeleton height={120} />
        </Loading>
      )}
      <Facts
        rows={[
          ofReferral
            ? {
                label: (
                  <PageLink page="referral.overview" keepWords>
                    {t('payments.payout.referral')}
                  </PageLink>
                ),
                value: period,
              }
            : {
                label: count > 0 ? t('payments.payout.days', { count }) : t('payments.col.period'),
                value: <Link to={{ search }}>{period}</Link>,
              },
          sum && { label: t('payments.col.gross'), value: <Btc sats={sum.grossSat} /> },
          sum && { label: <Link to="/pages/faq#fee">{t('payments.col.fee')}</Link>, value: <Btc sats={-sum.feeSat} /> },
          other !== 0 && { label: t('payments.payout.other'), value: <Btc sats={other} /> },
          {
            label: <span className={styles.strong}>{t('payments.payout.amount')}</span>,
            value: (
              <b className={styles.strong}>
                <Btc sats={amountSat} />
              </b>
            ),
          },
          payout.usdAtSend !== null && {
            label: t('payments.payout.usd'),
            value: <Usd sats={amountSat} price={payout.usdAtSend} />,
          },
          payout.sentAt !== null && {
            label: t('payments.payout.network-fee'),
            value: <Btc sats={payout.networkFeeSat} />,
          },
        ]}
      />
    </section>
  );
}
