import { ALGORITHMS, type AlgorithmName, type Answer } from '@pool/shared';
import { useTranslation } from '@pool/shared/i18n';
import { Slot, useBtcPrice } from '@pool/shared/remote';
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
  VisuallyHidden,
} from '@pool/shared/ui/core';
import { WaitingChanges } from '@pool/shared/ui/waiting';
import common from '@pool/shared/ui/common.module.css';
import { INTERVAL_MS, useRead } from '../../api/reads';
import { Page } from '../../parts/page';
import parts from '../../parts/parts.module.css';
import { DaysPanels } from './days-panels';
import styles from './setup-panel.module.css';

type Overview = Answer<'GET /admin/overview'>;
type Item = Overview['setup'][number]['item'];
/** Where an admin does it, the setting or command of the operator that does it, or both. */
const WAYS: Record<Item, { to?: string; command?: string }> = {
  upstream: { command: 'UPSTREAM_SHA256' },
  price: { to: '/admin/terms', command: 'PRICE_URL' },
  fee: { to: '/admin/terms', command: 'POOL_FEE_PERCENT' },
  host: { command: 'PUBLIC_HOST' },
  tls: { command: 'TRUSTED_PROXIES' },
  mail: { command: 'SMTP_URL' },
  database: { command: 'DATABASE_URL' },
  backup: { command: 'npm run backup' },
  key: { command: 'SECRETS_KEY_FILE' },
};

/** What the pool lacks before strangers mine at it for real money. Nothing once it lacks nothing. */
function SetupPanel({ items }: { items: Overview['setup'] }) {
  const { t } = useTranslation();
  const open = items.filter(({ done }) => !done).length;
  if (open === 0) return null;
  return (
    <Panel
      title={t('admin.setup')}
      extra={<span className={common.quiet}>{t('admin.setup.open', { count: open })}</span>}
    >
      <ul className={styles.list}>
        {items.map(({ item, done }) => {
          const { to, command } = WAYS[item];
          return (
            <li key={item}>
              <StateGlyph state={done ? 'confirmed' : 'review'} />
              <div>
                <span className={done ? common.quiet : common.strong}>{t(`admin.setup.${item}`)}</span>
                {done && <VisuallyHidden> ({t('admin.setup.done')})</VisuallyHidden>}
                {!done && <p className={common.quiet}>{t(`admin.setup.${item}.without`)}</p>}
              </div>
              {!done && (
                <div className={styles.way}>
                  {to && <Link to={to}>{t('admin.setup.terms')}</Link>}
                  {command && <code dir="ltr">{command}</code>}
                </div>
              )}
            </li>
          );
        })}
      </ul>
      <p className={common.quiet}>{t('admin.setup.how')}</p>
    </Panel>
  );
}

type Task = Overview['tasks'][number]['task'] | 'work_withheld';
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
  work_withheld: { to: '/admin/payments/corrections', state: 'review' },
  late_work: { to: '/admin/payments/corrections', state: 'review' },
  bonus_new: { to: '/admin/payments/bonus', state: 'pending' },
  price_stale: { to: '/admin/terms', state: 'low' },
};

const isAlgorithm = (entry: string): entry is AlgorithmName => entry in ALGORITHMS;

/** The pool today, and first of all what needs a person now. */
export function OverviewPage() {
  const { t } = useTranslation();
  const query = useRead(['admin', 'overview'], (api, signal) => api('GET /admin/overview', { signal }), {
    refetchInterval: INTERVAL_MS,
  });
  const { count } = useFormat();
  const price = useBtcPrice().data?.price;
  const { data } = query;
  const tasks: { task: Task; count: number }[] = [
    ...(data?.tasks ?? []),
    ...(data?.withheld ? [{ task: 'work_withheld' as const, count: data.withheld }] : []),
  ];
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
          <WaitingChanges />
          <SetupPanel items={data.setup} />
          <Panel title={t('admin.overview.tasks')} padded={false}>
            {tasks.length + data.unread.length === 0 ? (
              <Empty title={t('admin.overview.nothing')}>{t('admin.overview.nothing-hint')}</Empty>
            ) : (
              <ul className={parts.tasks}>
                {tasks.map(({ task, count: n }) => (
                  <li key={task}>
                    <Link to={TASKS[task].to}>
                      <StateGlyph state={TASKS[task].state} />
                      <span>{t(`admin.task.${task}`)}</span>
                      {task === 'payments_pending' && data.oldestPendingAt && (
                        <span className={common.quiet}>
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
                      <span className={common.quiet}>
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
      <Slot place="admin" />
    </Page>
  );
}
