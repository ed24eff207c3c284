import { ALGORITHMS, type Worker } from '@pool/shared';
import { useTranslation } from '@pool/shared/i18n';
import { lazyPart, Slot, useAbility, useAccountName, useServices } from '@pool/shared/remote';
import {
  Button,
  ChevronDown,
  ChevronUp,
  Empty,
  Skeleton,
  StateMark,
  WidgetBoundary,
  Notice,
  useFormat,
  useNow,
} from '@pool/shared/ui/core';
import { useTimeline } from '@pool/shared/ui/timeline';
import { Joins } from '../joins/later';
import styles from './inspector.module.css';
import { InspectorChart } from './inspector-chart';
import { InspectorFacts, InspectorNumbers, ShareQuality } from './inspector-facts';
import { IconButton, Side } from './side';
import { verdictOf } from '../verdict';

const TONES = { online: 'info', low: 'warn', offline: 'bad', inactive: 'info' } as const;

/** The verdict on a worker in two sentences: its condition, then the reason. */
function VerdictNotice({ worker }: { worker: Worker }) {
  const { t } = useTranslation();
  const { ago, percent, clock, zone, duration, moment } = useFormat();
  const now = useNow();
  const { entries } = useTimeline({ worker: worker.id });
  const verdict = verdictOf(
    worker,
    entries?.filter((entry) => entry.kind === 'worker'),
  );
  const { key } = verdict;
  const state = key === 'disconnected' ? 'low' : worker.state;
  const since = 'since' in verdict ? verdict.since : null;
  const values = {
    ...(key === 'disconnected' && { ago: ago(verdict.at, now) }),
    ...(key === 'silent' && {
      duration: duration(now - verdict.lastShareAt, 2),
      moment: moment(verdict.lastShareAt),
    }),
    ...('fraction' in verdict && { percent: percent(verdict.fraction, 1), limit: percent(verdict.limit, 0) }),
    ...(since !== null && { time: `${clock(since)} ${zone(since)}` }),
  };
  const why = key === 'low' && since !== null ? 'Since' : 'More';
  return (
    <Notice tone={TONES[state]} state={state}>
      <strong>{t(`workers.verdict.${key}`, values)}</strong> {t(`workers.verdict.${key}${why}`, values)}
    </Notice>
  );
}

const InspectorMore = lazyPart(
  'workers-more',
  async () => (await import('./inspector-more')).InspectorMore,
  <Skeleton height={160} />,
);

type Props = {
  /** Null when the URL has the id of a worker that the account does not have. */
  worker: Worker | null;
  onWalk(step: 1 | -1): void;
  onClose(): void;
};

/** One worker beside the list; arrow keys go to the next one. */
export function Inspector({ worker, onWalk, onClose }: Props) {
  const { t } = useTranslation();
  const account = useAccountName();
  const { algorithm } = useServices().session;
  const mayEdit = useAbility().can('manage', 'workers');
  const gone = t('workers.gone.title');
  return (
    <Side
      label={worker ? t('workers.inspector', { name: worker.name }) : gone}
      title={worker ? <bdi>{worker.name}</bdi> : gone}
      sub={
        worker && (
          <p className={styles.quiet}>
            <StateMark state={worker.state} />
          </p>
        )
      }
      buttons={
        <>
          <IconButton name={t('workers.previous')} onClick={() => onWalk(-1)}>
            <ChevronUp />
          </IconButton>
          <IconButton name={t('workers.next')} onClick={() => onWalk(1)}>
            <ChevronDown />
          </IconButton>
        </>
      }
      onClose={onClose}
    >
      {worker ? (
        <>
          <VerdictNotice worker={worker} />
          {mayEdit && <Joins worker={worker.id} />}
          <InspectorNumbers worker={worker} />
          <WidgetBoundary>
            <InspectorChart worker={worker} />
          </WidgetBoundary>
          <ShareQuality worker={worker} />
          <InspectorFacts worker={worker} />
          <WidgetBoundary>
            <InspectorMore key={worker.id} worker={worker} />
          </WidgetBoundary>
          <Slot key={worker.id} place="worker" id={worker.id} />
        </>
      ) : (
        <Empty title={gone} action={<Button onClick={onClose}>{t('workers.gone.back')}</Button>}>
          {t('workers.gone.what', { account, algorithm: ALGORITHMS[algorithm].label })}
        </Empty>
      )}
    </Side>
  );
}
