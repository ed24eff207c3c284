import { useTranslation } from '@pool/shared/i18n';
import { lazyPart, useAbility } from '@pool/shared/remote';
import {
  Loading,
  PageHeader,
  Panel,
  Skeleton,
  SkeletonRows,
  useFormat,
  WidgetBoundary,
  Btc,
  QueryError,
  Figure,
  Strip,
} from '@pool/shared/ui/core';
import common from '@pool/shared/ui/common.module.css';
import { Suspense, type ReactNode } from 'react';
import { useAccruals, useCode, useReferred, useStats } from '../../api/lists';
import { InvitePanel } from './invite-panel';
import styles from './referral-page.module.css';

/** Eight decimals, because shares of fees are small; zero is short. */
const Amount = ({ sats }: { sats: number }) => <Btc short={sats === 0} sats={sats} />;

/** Referral totals: amounts and number of users. Words are there before the numbers, so that nothing moves. */
function StatsStrip() {
  const { t } = useTranslation();
  const { count } = useFormat();
  const stats = useStats();
  const { data, error } = stats;
  const figure = (name: string, value: ReactNode, hint = false, size?: 'key') => (
    <Figure
      size={size}
      label={t(`referral.${name}`)}
      value={data ? value : <Skeleton width={120} height="1lh" />}
      sub={hint && t(`referral.${name}-hint`)}
    />
  );
  const strip = (
    <Strip label={data && t('referral.stats')} className={`${common.five} ${styles.narrow}`}>
      {figure('available', data && <Amount sats={data.availableSat} />, true, 'key')}
      {figure('accrued', data && <Amount sats={data.accruedSat} />, true)}
      {figure('paid', data && <Amount sats={data.paidSat} />)}
      {figure('referred', data && count(data.referred))}
      {figure('active', data && count(data.active), true)}
    </Strip>
  );
  return (
    <div className={common.frame}>
      <QueryError query={stats} />
      {data ? strip : !error && <Loading>{strip}</Loading>}
    </div>
  );
}

// Loaded later: they need UI parts for which the figures and the link should not wait.
const ActivateForm = lazyPart('referral-more', async () => (await import('./activate-form')).ActivateForm);
const IncomePanel = lazyPart('referral-more', async () => (await import('./income-panel')).IncomePanel);
const ReferredList = lazyPart('referral-more', async () => (await import('./referred-list')).ReferredList);

const MoneySection = lazyPart('referral-money', async () => (await import('./money/money-section')).MoneySection);

const USUAL_TERMS = { ratePercent: 10, months: 12 };

export function ReferralPage() {
  const { t } = useTranslation();
  const { percent } = useFormat();
  const { data: code, error } = useCode();
  const mayEdit = useAbility().can('manage', 'referral');
  const termsOf = ({ ratePercent, months }: { ratePercent: number; months: number }) =>
    t('referral.terms', { rate: percent(ratePercent / 100, Number.isInteger(ratePercent) ? 0 : 2), count: months });
  // The place is as high as the usual terms while they are not known.
  const bones = error ? undefined : <span style={{ visibility: 'hidden' }}>{termsOf(USUAL_TERMS)}</span>;
  return (
    <div className={common.page}>
      <PageHeader title={t('referral.nav')} sub={code ? termsOf(code) : bones} />
      <WidgetBoundary>
        <StatsStrip />
      </WidgetBoundary>
      <div className={mayEdit ? styles.two : undefined}>
        <WidgetBoundary>
          <InvitePanel />
        </WidgetBoundary>
        {mayEdit && (
          <Suspense
            fallback={
              <Panel title={t('referral.activate')}>
                <Loading>
                  <Skeleton height={106} />
                </Loading>
              </Panel>
            }
          >
            <WidgetBoundary>
              <ActivateForm />
            </WidgetBoundary>
          </Suspense>
        )}
      </div>
      <Suspense fallback={<Waiting />}>
        <Below />
      </Suspense>
    </div>
  );
}

const Waiting = () => (
  <Panel padded={false}>
    <SkeletonRows rows={8} />
  </Panel>
);

/** Its length depends on answers: it comes once they, or their errors, are there, so that nothing moves. */
function Below() {
  const { t } = useTranslation();
  const code = useCode();
  const waits = [code, useAccruals(), useReferred()].some(({ isFetched }) => !isFetched);
  if (waits) return <Waiting />;
  return (
    <>
      <section className={styles.list} aria-labelledby="referral-list">
        <h2 id="referral-list" className={common.title}>
          {t('referral.list')}
        </h2>
        <WidgetBoundary>
          <IncomePanel />
        </WidgetBoundary>
        <WidgetBoundary>
          <ReferredList hasCode={code.data ? code.data.code !== null : true} />
        </WidgetBoundary>
      </section>
      <WidgetBoundary>
        <MoneySection />
      </WidgetBoundary>
    </>
  );
}
