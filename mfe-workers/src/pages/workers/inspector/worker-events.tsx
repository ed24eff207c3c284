import type { WorkerEvent } from '@pool/shared';
import { useTranslation } from '@pool/shared/i18n';
import { QueryState, Skeleton, StateGlyph, useFormat, type StateName } from '@pool/shared/ui/core';
import { Newest } from '@pool/shared/ui/table';
import { useWorkerEvents } from '../../../api/worker-history';
import styles from './inspector.module.css';

const GLYPHS: Record<WorkerEvent['kind'], StateName> = {
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

/** What happened to a worker, the newest first. */
export function WorkerEvents({ id }: { id: number }) {
  const { t } = useTranslation();
  const { moment } = useFormat();
  const events = useWorkerEvents(id);
  return (
    <>
      <QueryState query={events}>
        <Skeleton height={48} />
      </QueryState>
      {events.data?.length === 0 && <p className={styles.quiet}>{t('workers.more.noEvents')}</p>}
      <ol className={styles.events}>
        {events.data?.map(({ at, kind, value }, index) => (
          <li key={`${at} ${kind} ${index}`}>
            <StateGlyph state={GLYPHS[kind]} />
            <Sentence kind={kind} value={value} />
            <time dateTime={new Date(at * 1000).toISOString()}>{moment(at)}</time>
          </li>
        ))}
      </ol>
      <Newest of="workerEvents" rows={events.data} />
    </>
  );
}

function Sentence({ kind, value }: Pick<WorkerEvent, 'kind' | 'value'>) {
  const { t } = useTranslation();
  const { percent } = useFormat();
  if (kind === 'group' && value === null) return <span>{t('workers.event.ungroup')}</span>;
  const shown = typeof value === 'number' ? percent(value, 0) : value;
  return <span>{t(`workers.event.${kind}`, { value: shown })}</span>;
}
