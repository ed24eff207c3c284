import type { ApiClient, CountOfCall, NavEntry } from '@pool/shared';
import { useTranslation } from '@pool/shared/i18n';
import { useServiceQuery, useWorkerCount } from '@pool/shared/remote';
import styles from './nav-badge.module.css';

/** A call that fails concerns nobody but the badge: its key is not one of those that say how fresh the page is. */
const COUNT_INTERVAL_MS = 60_000;

const useOfflineWorkers = () => useWorkerCount().data?.offline;

const useCountOfCall = ({ call, query = {}, field }: CountOfCall) =>
  useServiceQuery(({ api, session: { account, algorithm } }) => {
    const values: Record<string, string> = { '{account}': account, '{algorithm}': algorithm };
    const asked = Object.fromEntries(Object.entries(query).map(([name, value]) => [name, values[value] ?? value]));
    return {
      queryKey: ['badge', call, asked],
      // The build has compared it with the contract.
      queryFn: ({ signal }) => (api as (...of: unknown[]) => ReturnType<ApiClient>)(call, { query: asked, signal }),
      refetchInterval: COUNT_INTERVAL_MS,
      select: (answer: unknown) => field.split('.').reduce((value, name) => Object(value)[name] as unknown, answer),
    };
  }).data;

const COLORS = { error: '--bad-g', warning: '--warn-g', success: '--ok-g', info: '--blue' };

/** A count beside a remote's link. Renders nothing while it is zero or unknown. */
export function NavBadge({ count, label, color = 'error' }: NonNullable<NavEntry['badge']>) {
  const { t } = useTranslation();
  const useCount = (typeof count === 'string' ? useOfflineWorkers : useCountOfCall) as (of: typeof count) => unknown;
  const number = useCount(count);
  if (typeof number !== 'number' || !number) return null;
  const words = t(label, { count: number });
  return (
    <span className={styles.badge} title={words}>
      <svg style={{ color: `var(${COLORS[color]})` }} width="9" height="9" viewBox="0 0 10 10" aria-hidden>
        <path d="m1.500 1.500 7 7m0-7-7 7" stroke="currentColor" strokeWidth="2" strokeLinecap="round" />
      </svg>
      <span className={styles.count} aria-label={words}>
        {number}
      </span>
    </span>
  );
}
