/** What sub-accounts do now: of one, or of all together by the same computation. */
import { useTranslation } from 'react-i18next';
import type { SubAccountFacts } from '../../../api/schemas';
import type { WorkerCounts } from '../../../api/worker-schemas';
import { ALGORITHM_NAMES, ALGORITHMS } from '../../../domain';
import { useFormat } from '../format/context';
import { useNow } from '../use-now';
import { Btc, Hashrate } from './number';
import { StateMark } from './state-mark';

const BELOW = { display: 'block', lineHeight: 1.2 } as const;
const ROW = { display: 'inline-flex', flexWrap: 'wrap', alignItems: 'center', gap: '4px 16px' } as const;

/** One line for each algorithm that is mined. */
export function AccountRates({ hashrates }: Pick<SubAccountFacts, 'hashrates'>) {
  const mined = ALGORITHM_NAMES.filter((name) => hashrates[name] !== undefined);
  if (mined.length === 0) return <Hashrate hs={0} />;
  return mined.map((name) => (
    <span key={name} title={ALGORITHMS[name].label} style={{ display: 'block' }}>
      <Hashrate hs={hashrates[name]} />
    </span>
  ));
}

/** `3 disconnected 3 min ago`, the last of them; nothing when none did. */
export function Disconnected({ disconnected = 0, disconnectedAt }: Partial<WorkerCounts>) {
  const { t } = useTranslation();
  const { ago } = useFormat();
  const now = useNow();
  if (disconnected === 0) return null;
  return [t('ui.disconnected', { count: disconnected }), disconnectedAt !== undefined && ago(disconnectedAt, now)]
    .filter(Boolean)
    .join(' ');
}

/** How many workers run, and how many of them have disconnected. */
export function RunningWorkers(of: { workersOnline: number; workersDisconnected?: number | undefined }) {
  const { count } = useFormat();
  return (
    <span>
      {count(of.workersOnline)}
      {Boolean(of.workersDisconnected) && (
        <small style={BELOW}>
          <Disconnected disconnected={of.workersDisconnected} />
        </small>
      )}
    </span>
  );
}

/** `brief`: in one line of a table, shapes stand for the words. */
export function AccountWorkers({
  workersOnline,
  workersLow,
  workersOffline,
  workersDisconnected,
  brief = false,
}: Pick<SubAccountFacts, 'workersOnline' | 'workersLow' | 'workersOffline' | 'workersDisconnected'> & {
  brief?: boolean;
}) {
  const { count } = useFormat();
  const mark = (state: 'online' | 'low' | 'offline', workers: number) => (
    <StateMark state={state} brief={brief}>
      {count(workers)}
    </StateMark>
  );
  return (
    <>
      <span style={ROW}>
        {mark('online', workersOnline)}
        {workersLow > 0 && mark('low', workersLow)}
        {workersOffline > 0 && mark('offline', workersOffline)}
      </span>
      {Boolean(workersDisconnected) && (
        <small style={brief ? BELOW : undefined}>
          <Disconnected disconnected={workersDisconnected} />
        </small>
      )}
    </>
  );
}

/** Hashrates, workers and balance of all sub-accounts together. */
export function AllAccounts({ facts }: { facts: readonly SubAccountFacts[] }) {
  const sum = (of: (one: SubAccountFacts) => number | undefined) =>
    facts.reduce((total, one) => total + (of(one) ?? 0), 0);
  const hashrates = ALGORITHM_NAMES.map((name) => [name, sum((one) => one.hashrates[name])] as const);
  return (
    <span style={ROW}>
      <AccountRates hashrates={Object.fromEntries(hashrates.filter(([, hs]) => hs > 0))} />
      <AccountWorkers
        workersOnline={sum((one) => one.workersOnline)}
        workersLow={sum((one) => one.workersLow)}
        workersOffline={sum((one) => one.workersOffline)}
        workersDisconnected={sum((one) => one.workersDisconnected)}
      />
      {facts.some((one) => one.unpaidSat !== undefined) && <Btc sats={sum((one) => one.unpaidSat)} />}
    </span>
  );
}
