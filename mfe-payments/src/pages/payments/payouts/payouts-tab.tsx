import { useTranslation } from '@pool/shared/i18n';
import { lazyPart, useBalance } from '@pool/shared/remote';
import { shortText, useUrlState } from '@pool/shared/router';
import { Btc, Button, Empty, PayoutSentence } from '@pool/shared/ui/core';
import { SearchBox } from '@pool/shared/ui/form';
import { PagedRows } from '@pool/shared/ui/table';
import common from '@pool/shared/ui/common.module.css';
import { useHistory, type Days } from '../../../api/history';
import { MonthlyBars } from '../earnings/monthly-bars';
import { useEffect } from 'react';
import styles from '../totals.module.css';
import { PayoutsList, PLACE } from './payouts-list';

const PayoutDrawer = lazyPart('payments-payouts', async () => (await import('./payout-drawer')).PayoutDrawer, null);

/** `?search=<id, transaction or address>` beside the payout that is open. */
const TAB_PLACE = { ...PLACE, search: shortText };

export function PayoutsTab({ days, onShowAll }: { days: Days; onShowAll: () => void }) {
  const { t } = useTranslation();
  const [{ payout: linked, search }, set] = useUrlState(TAB_PLACE);
  const payouts = useHistory('payouts', search ? { search } : days);
  const { data: balance } = useBalance();
  const { data, hasNextPage, isFetching, fetchNextPage } = payouts;
  const missing = linked !== null && data && !data.pages.some(({ rows }) => rows.some(({ id }) => id === linked));
  // A link may name an old payout: load pages until its row is found.
  useEffect(() => {
    if (missing && hasNextPage && !isFetching) void fetchNextPage();
  }, [missing, hasNextPage, isFetching, fetchNextPage]);
  const empty = search ? (
    <Empty
      title={t('payments.payouts.not-found')}
      action={<Button onClick={() => set({ search: undefined })}>{t('payments.payouts.show-all')}</Button>}
    >
      {t('payments.payouts.not-found-hint')}
    </Empty>
  ) : days.from ? (
    <Empty title={t('payments.payouts.empty')} action={<Button onClick={onShowAll}>{t('payments.all-time')}</Button>}>
      {t('payments.payouts.empty-hint')}
    </Empty>
  ) : (
    <FirstPayout />
  );
  const explorer = data?.pages[0]?.explorer ?? null;
  return (
    <>
      {balance?.payouts !== 0 && <MonthlyBars of="paid" />}
      <SearchBox
        value={search}
        label={t('payments.payouts.search')}
        onSearch={(text, how) => set({ search: text || undefined }, how)}
      />
      <PagedRows query={payouts}>
        {(rows, loading) => {
          const opened = rows.find(({ id }) => id === linked);
          return (
            <>
              {rows.length > 0 && !search && <NextPayout />}
              <PayoutsList rows={rows} loading={loading} empty={empty} explorer={explorer} />
              {opened && <PayoutDrawer payout={opened} explorer={explorer} onClose={() => set({ payout: null })} />}
            </>
          );
        }}
      </PagedRows>
    </>
  );
}

function NextPayout() {
  const { t } = useTranslation();
  const { data: balance } = useBalance();
  if (!balance || balance.unpaidSat <= 0) return null;
  // Below the threshold it is no payout yet.
  const title = t(balance.nextPayout.reason === 'below_threshold' ? 'payments.unpaid' : 'payments.next');
  return (
    <section className={styles.total} aria-label={title}>
      <h2 className={common.title}>
        {title} · <Btc sats={balance.unpaidSat} />
      </h2>
      <p className={common.quiet}>
        <PayoutSentence balance={balance} />
      </p>
    </section>
  );
}

/** Shown before the first payout: its expected time, or the reason why there is none. */
function FirstPayout() {
  const { t } = useTranslation();
  const { data: balance } = useBalance();
  return <Empty title={t('payments.payouts.first')}>{balance && <PayoutSentence balance={balance} />}</Empty>;
}
