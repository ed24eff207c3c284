import { useTranslation } from '@pool/shared/i18n';
import { lazyPart, useSession } from '@pool/shared/remote';
import { dayText, shortText, useUrlState } from '@pool/shared/router';
import { Btc, Facts, Usd, useFormat } from '@pool/shared/ui/core';
import { PagedRows } from '@pool/shared/ui/table';
import { useCallback } from 'react';
import { isAlgorithm } from '@pool/shared';
import common from '@pool/shared/ui/common.module.css';
import { useHistory, useMonthly, type Days, type Sums } from '../../../api/history';
import { EarningsList } from './earnings-list';
import styles from '../totals.module.css';
import { closedOf, daysOf } from './ledger';
import { MonthlyBars } from './monthly-bars';
import type { EarningKey } from '../math/math-drawer';

const MathDrawer = lazyPart('payments-math', async () => (await import('../math/math-drawer')).MathDrawer, null);

const Changes = lazyPart('payments-math', async () => (await import('../math/changes')).Changes, null);
const NoEarnings = lazyPart('payments-empty', async () => (await import('./no-earnings')).NoEarnings, null);

/** The earning whose computation is open: `?math=2026-11-19.SHA256_ASICBOOST.northfield`. */
const PLACE = { math: shortText };
function earningOf(math: string | undefined): EarningKey | null {
  const [day = '', algorithm = '', account = ''] = math?.split('.') ?? [];
  return dayText(day) && isAlgorithm(algorithm) && account ? { day, account, algorithm } : null;
}

export function EarningsTab({ days, onShowAll }: { days: Days; onShowAll: () => void }) {
  const earnings = useHistory('earnings', days);
  const { account } = useSession();
  const { data: months } = useMonthly();
  const [{ math }, set] = useUrlState(PLACE);
  const show = useCallback(
    ({ day, algorithm, account }: EarningKey) => set({ math: [day, algorithm, account].join('.') }),
    [set],
  );
  const shown = earningOf(math);
  const everEarned = months?.some((month) => month.netSat !== 0) ?? true;
  const empty = <NoEarnings ever={everEarned && days.from !== undefined} onShowAll={onShowAll} />;
  return (
    <>
      {everEarned && <MonthlyBars />}
      <PagedRows query={earnings}>
        {(rows, loading) => {
          const ledger = daysOf(rows, !earnings.hasNextPage);
          const newest = closedOf(rows)[0]?.day;
          const sums = earnings.data?.pages[0]?.sums;
          return (
            <>
              {sums && sums.days > 1 && <Total sums={sums} />}
              {newest && <Changes day={newest} account={account} />}
              <EarningsList days={ledger} loading={loading} empty={empty} onMath={show} />
            </>
          );
        }}
      </PagedRows>
      {shown && <MathDrawer earning={shown} onClose={() => set({ math: undefined })} />}
    </>
  );
}

/** Sums of the range's closed days, as the server has them: the rows that are loaded may be fewer. */
function Total({ sums: { days, grossSat, feeSat, referralSat, netSat, netUsd } }: { sums: Sums }) {
  const { t } = useTranslation();
  const { currency } = useFormat();
  return (
    <section className={styles.total} aria-label={t('payments.total', { count: days })}>
      <h2 className={common.title}>{t('payments.total', { count: days })}</h2>
      <Facts
        className={styles.sums}
        rows={[
          { label: t('payments.col.gross'), value: <Btc sats={grossSat} /> },
          { label: t('payments.col.fee'), value: <Btc sats={feeSat} /> },
          referralSat !== 0 && { label: t('payments.col.referral'), value: <Btc sats={referralSat} /> },
          { label: t('payments.total-net'), value: <Btc sats={netSat} /> },
          currency !== 'none' && { label: t('payments.total-usd'), value: <Usd usd={netUsd} /> },
        ]}
      />
    </section>
  );
}
