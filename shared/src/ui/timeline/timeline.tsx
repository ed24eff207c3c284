import { useAbility } from '@casl/react';
import { useTranslation } from 'react-i18next';
import type { TimelineEntry } from '../../api/timeline-schemas';
import type { PoolAbility } from '../../contract/ability';
import { TIMELINE_KINDS, TIMELINE_ORDER, type TimelineKind } from '../../contract/timeline';
import { ALGORITHMS } from '../../domain';
import { useUrlState } from '../../react/url-state';
import common from '../common.module.css';
import { Button, ErrorPanel, Panel, QueryState, Skeleton, StateGlyph, useFormat, type StateName } from '../core';
import { TimelineGlyph } from './glyph';
import { lineId } from './line';
import { EntryLink } from './links';
import styles from './timeline.module.css';
import { useTimeline } from './use-timeline';
import { useTimelineMoney, useTimelineWords } from './words';

/** `kinds`: those that are chosen first; left out: all. `untitled`: what opens it says its title. */
export type TimelineProps = { kinds?: readonly TimelineKind[]; untitled?: boolean };

const isKind = (text: string): text is TimelineKind => text in TIMELINE_KINDS;
/** `?kinds=payout,address` once the user has chosen; a text, so that the place is the same in each rendering. */
const PLACE = { kinds: (text: string | null) => text ?? undefined };

/** What happened to the account, with a filter by kind. */
export function Timeline({ kinds = TIMELINE_ORDER, untitled = false }: TimelineProps) {
  const { t } = useTranslation();
  const ability = useAbility<PoolAbility>();
  const [{ kinds: chosen }, set] = useUrlState(PLACE);
  const offered = TIMELINE_ORDER.filter((kind) => ability.can('read', TIMELINE_KINDS[kind]));
  const wanted = chosen === undefined ? kinds : chosen.split(',').filter(isKind);
  const shown = offered.filter((kind) => wanted.includes(kind));
  /** Shows this kind alone when all are shown, else adds or removes it. Removing the last one shows all again. */
  const choose = (kind: TimelineKind) => {
    const isAll = shown.length === offered.length;
    const next = isAll ? [kind] : offered.filter((each) => shown.includes(each) !== (each === kind));
    set({ kinds: (next.length > 0 ? next : offered).join(',') }, { replace: true });
  };
  return (
    <Panel title={!untitled && t('timeline.title')}>
      <div className={styles.kinds} role="group" aria-label={t('timeline.kinds')}>
        {offered.map((kind) => (
          <button key={kind} type="button" aria-pressed={shown.includes(kind)} onClick={() => choose(kind)}>
            <TimelineGlyph kind={kind} />
            {t(`timeline.kind.${kind}`)}
          </button>
        ))}
      </div>
      <TimelineList kinds={shown} />
    </Panel>
  );
}

const WORKER_STATES: Record<Extract<TimelineEntry, { kind: 'worker' }>['what'], StateName> = {
  offline: 'offline',
  low: 'low',
  rejects: 'low',
  offline_over: 'online',
  low_over: 'online',
  rejects_over: 'online',
  group: 'adjusted',
  mute: 'disabled',
  unmute: 'active',
  alert_limit: 'adjusted',
};

/** `worker`: of this worker alone. `everyAlgorithm`: each line says which one it is about. */
export type TimelineListProps = { kinds?: readonly TimelineKind[]; worker?: number; everyAlgorithm?: boolean };

/** Entries by day, newest first, older ones on request. */
export function TimelineList(props: TimelineListProps) {
  const { t } = useTranslation();
  const { day } = useFormat();
  const { query, entries } = useTimeline(props);
  const more = () => void query.fetchNextPage();
  const days = new Map<string, TimelineEntry[]>();
  for (const entry of entries ?? []) days.set(day(entry.at), [...(days.get(day(entry.at)) ?? []), entry]);
  return (
    <div className={styles.list} data-timeline tabIndex={-1}>
      {!query.isFetchNextPageError && (
        <QueryState query={query}>
          <Skeleton height={240} />
        </QueryState>
      )}
      {entries?.length === 0 && (
        <p className={common.quiet}>{t(props.worker === undefined ? 'timeline.none' : 'timeline.noneOfWorker')}</p>
      )}
      {[...days].map(([name, ofDay]) => (
        <section key={name} aria-label={name}>
          <h3 className={common.label}>{name}</h3>
          <ol className={styles.lines}>
            {ofDay.map((entry) => (
              <Line key={entry.id} entry={entry} isNamed={props.everyAlgorithm} />
            ))}
          </ol>
        </section>
      ))}
      {query.isFetchNextPageError && (
        <ErrorPanel error={query.error} onRetry={more} retrying={query.isFetchingNextPage} />
      )}
      {query.hasNextPage && (
        <Button className={styles.more} onClick={more} loading={query.isFetchingNextPage}>
          {t('timeline.more')}
        </Button>
      )}
    </div>
  );
}

function Line({ entry, isNamed = false }: { entry: TimelineEntry; isNamed?: boolean }) {
  const { clock, moment } = useFormat();
  const words = useTimelineWords()(entry);
  const money = useTimelineMoney()(entry);
  return (
    <li id={lineId(entry.id)} tabIndex={-1} className={styles.line}>
      <time dateTime={new Date(entry.at * 1000).toISOString()} title={moment(entry.at)}>
        {clock(entry.at)}
      </time>
      {entry.kind === 'worker' ? <StateGlyph state={WORKER_STATES[entry.what]} /> : <TimelineGlyph kind={entry.kind} />}
      <EntryLink entry={entry} className={styles.words}>
        {isNamed && 'algorithm' in entry && `${ALGORITHMS[entry.algorithm].label} · `}
        {entry.account !== undefined && (
          <span>
            <bdi>{entry.account}</bdi>
            {' · '}
          </span>
        )}
        {words}
      </EntryLink>
      {money !== null && (
        <span className={styles.money}>
          <bdi dir="ltr" translate="no">
            {money}
          </bdi>
        </span>
      )}
    </li>
  );
}
