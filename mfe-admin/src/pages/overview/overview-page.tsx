import { ALGORITHMS, type AlgorithmName } from '@pool/shared';
import { useTranslation } from '@pool/shared/i18n';
import { useBtcPrice } from '@pool/shared/remote';
import { Link } from '@pool/shared/router';
import {
  Btc,
  Empty,
  Figure,
  Hashrate,
  Panel,
  QueryState,
  Skeleton,
  StateGlyph,
  type StateName,
  Strip,
  TimeAgo,
  Usd,
  useFormat,
} from '@pool/shared/ui/core';
import { useOverview, type Overview } from '../../api/system';
import { Page } from '../../parts/page';
import parts from '../../parts/parts.module.css';
import { DaysPanels } from './days-panels';
import { SetupPanel } from './setup-panel';

type Task = Overview['tasks'][number]['task'];
/** Where each task is done, and how urgent it is. */
const TASKS: Record<Task, { to: string; state: StateName }> = {
  balances_wrong: { to: '/admin/system', state: 'failed' },
  day_waiting: { to: '/admin/payments/closing', state: 'review' },
  upstream_down: { to: '/admin/system', state: 'down' },
  clocks_disagree: { to: '/admin/system', state: 'failed' },
  job_failed: { to: '/admin/system', state: 'failed' },
  payments_unknown: { to: '/admin/payments?status=unknown', state: 'unknown' },
  payments_failed: { to: '/admin/payments?status=failed', state: 'failed' },
  payments_pending: { to: '/admin/payments', state: 'review' },
  shares_refused: { to: '/admin/system', state: 'review' },
  late_work: { to: '/admin/payments/corrections', state: 'review' },
  bonus_new: { to: '/admin/payments/bonus', state: 'pending' },
  price_stale: { to: '/admin/terms', state: 'low' },
};

const isAlgorithm = (entry: string): entry is AlgorithmName => entry in ALGORITHMS;

/** The pool today, and first of all what needs a person now. */
export function OverviewPage() {
  const { t } = useTranslation();
  const query = useOverview();
  const { count } = useFormat();
  const price = useBtcPrice().data?.price;
  const { data } = query;
  const sumOf = (status: string) => data?.payments.find((sum) => sum.status === status);
  return (
    <Page error={query.error} title={t('admin.nav.overview')} sub={t('admin.overview.what')}>
      <QueryState query={query}>
        <Skeleton height={96} radius={8} />
        <p />
        <Skeleton height={240} radius={8} />
      </QueryState>
      {data && (
        <>
          <SetupPanel items={data.setup} />
          <Panel title={t('admin.overview.tasks')} padded={false}>
            {data.tasks.length + data.unread.length === 0 ? (
              <Empty title={t('admin.overview.nothing')}>{t('admin.overview.nothing-hint')}</Empty>
            ) : (
              <ul className={parts.tasks}>
                {data.tasks.map(({ task, count: n }) => (
                  <li key={task}>
                    <Link to={TASKS[task].to}>
                      <StateGlyph state={TASKS[task].state} />
                      <span>{t(`admin.task.${task}`)}</span>
                      {task === 'payments_pending' && data.oldestPendingAt && (
                        <span className={parts.quiet}>
                          {t('admin.overview.oldest')} <TimeAgo at={Date.parse(data.oldestPendingAt) / 1000} bare />
                        </span>
                      )}
                      <strong>{count(n)}</strong>
                    </Link>
                  </li>
                ))}
                {data.unread.map(({ entry, since }) => (
                  <li key={entry}>
                    <Link to="/admin/terms">
                      <StateGlyph state="low" />
                      <span>
                        {isAlgorithm(entry)
                          ? t('admin.unread.price', { algorithm: ALGORITHMS[entry].label })
                          : t(`admin.unread.${entry}`)}
                      </span>
                      <span className={parts.quiet}>
                        {t('admin.unread.since')} <TimeAgo at={Date.parse(since) / 1000} />
                      </span>
                    </Link>
                  </li>
                ))}
              </ul>
            )}
          </Panel>
          <Strip label={t('admin.overview.today')}>
            {data.algorithms.map(({ algorithm, hashrate, workersOnline, minersOnline }) => (
              <Figure
                key={algorithm}
                label={ALGORITHMS[algorithm].label}
                value={<Hashrate hs={hashrate} />}
                sub={t('admin.overview.online', { count: minersOnline, workers: workersOnline })}
              />
            ))}
            <Figure
              label={t('admin.overview.unpaid')}
              value={<Btc short sats={data.unpaidSat} />}
              sub={<Usd sats={data.unpaidSat} price={price} />}
            />
            <Figure
              label={t('admin.overview.waiting')}
              value={count(sumOf('pending')?.count ?? 0)}
              sub={<Btc sats={sumOf('pending')?.totalSat ?? 0} />}
            />
            <Figure
              label={t('admin.overview.queued')}
              value={count(sumOf('queued')?.count ?? 0)}
              sub={<Btc sats={sumOf('queued')?.totalSat ?? 0} />}
            />
            <Figure label={t('admin.overview.users')} value={count(data.users)} />
          </Strip>
        </>
      )}
      <DaysPanels />
    </Page>
  );
}
