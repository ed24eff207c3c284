import { ALGORITHMS, type Worker } from '@pool/shared';
import { useTranslation } from '@pool/shared/i18n';
import { lazyPart, useServices } from '@pool/shared/remote';
import {
  Button,
  ChevronDown,
  ChevronUp,
  Empty,
  Skeleton,
  StateMark,
  WidgetBoundary,
  X,
  Notice,
  useFormat,
  useNow,
} from '@pool/shared/ui/core';
import { useEffect, useRef, type ReactNode } from 'react';
import styles from './inspector.module.css';
import { InspectorChart } from './inspector-chart';
import { InspectorFacts, InspectorNumbers, ShareQuality } from './inspector-facts';
import { useWorkerEvents } from '../../../api/worker-history';
import { verdictOf, type Verdict } from '../verdict';

const TONES = { online: 'info', low: 'warn', offline: 'bad', inactive: 'info' } as const;

/** The verdict on a worker in two sentences: its condition, then the reason. */
function VerdictNotice({ worker }: { worker: Worker }) {
  const { t } = useTranslation();
  const events = useWorkerEvents(worker.id).data;
  const [what, why] = useSentences(verdictOf(worker, useServices().session.algorithm, events));
  const say = ({ key, values = {} }: Sentence) => t(key, values);
  return (
    <Notice tone={TONES[worker.state]} state={worker.state}>
      <strong>{say(what)}</strong> {say(why)}
    </Notice>
  );
}

type Sentence = { key: string; values?: Readonly<Record<string, string>> };

function useSentences(verdict: Verdict): [Sentence, Sentence] {
  const { percent, clock, count, difficulty, zone, duration, moment } = useFormat();
  const now = useNow();
  const key = `workers.verdict.${verdict.key}`;
  switch (verdict.key) {
    case 'tooHard':
      return [
        { key, values: { times: count(Number(verdict.times.toPrecision(2))) } },
        { key: `${key}More`, values: { difficulty: difficulty(verdict.difficulty) } },
      ];
    case 'silent':
      return [
        { key, values: { duration: duration(now - verdict.lastShareAt, 2) } },
        { key: `${key}More`, values: { moment: moment(verdict.lastShareAt) } },
      ];
    case 'back':
      return [{ key, values: { time: `${clock(verdict.since)} ${zone(verdict.since)}` } }, { key: `${key}More` }];
    case 'steady':
    case 'low': {
      const limit = percent(verdict.limit, 0);
      const since = verdict.since;
      const why: Sentence =
        since === null
          ? { key: `${key}More`, values: { limit } }
          : { key: `${key}Since`, values: { limit, time: `${clock(since)} ${zone(since)}` } };
      return [{ key, values: { percent: percent(verdict.fraction, 1) } }, why];
    }
    default:
      return [{ key }, { key: `${key}More` }];
  }
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

/** One worker beside the list. Not modal: the list stays usable, and arrow keys go to the next worker. */
export function Inspector({ worker, onWalk, onClose }: Props) {
  const { t } = useTranslation();
  const { account, algorithm } = useServices().session;
  const heading = useRef<HTMLHeadingElement>(null);

  // The keyboard would have to walk through the rest of the list to get here. Closing returns the focus to the row.
  useEffect(() => heading.current?.focus(), []);

  return (
    <aside
      className={styles.inspector}
      aria-label={worker ? t('workers.inspector', { name: worker.name }) : t('workers.gone.title')}
      data-inspector=""
    >
      <header className={styles.head}>
        <div className={styles.words}>
          <h2 ref={heading} tabIndex={-1} className={styles.name} aria-live="polite">
            {worker ? <bdi>{worker.name}</bdi> : t('workers.gone.title')}
          </h2>
          {worker && (
            <p className={styles.quiet}>
              <StateMark state={worker.state} />
            </p>
          )}
        </div>
        <div className={styles.buttons}>
          <IconButton name={t('workers.previous')} onClick={() => onWalk(-1)}>
            <ChevronUp />
          </IconButton>
          <IconButton name={t('workers.next')} onClick={() => onWalk(1)}>
            <ChevronDown />
          </IconButton>
          <IconButton name={t('workers.close')} onClick={onClose}>
            <X />
          </IconButton>
        </div>
      </header>
      {worker ? (
        <>
          <VerdictNotice worker={worker} />
          <InspectorNumbers worker={worker} />
          <WidgetBoundary>
            <InspectorChart worker={worker} />
          </WidgetBoundary>
          <ShareQuality worker={worker} />
          <InspectorFacts worker={worker} />
          <WidgetBoundary>
            <InspectorMore key={worker.id} worker={worker} />
          </WidgetBoundary>
        </>
      ) : (
        <Empty title={t('workers.gone.title')} action={<Button onClick={onClose}>{t('workers.gone.back')}</Button>}>
          {t('workers.gone.what', { account, algorithm: ALGORITHMS[algorithm].label })}
        </Empty>
      )}
    </aside>
  );
}

export function IconButton({ name, onClick, children }: { name: string; onClick(): void; children: ReactNode }) {
  return (
    <Button
      type="text"
      className={styles.iconButton}
      aria-label={name}
      title={name}
      onClick={onClick}
      icon={children}
    />
  );
}
