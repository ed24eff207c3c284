import { useAbility } from '@casl/react';
import { useTranslation } from 'react-i18next';
import type { FarmEvent } from '../../api/worker-schemas';
import type { PoolAbility } from '../../contract/ability';
import { PageLink } from '../../react/page-link';
import { lazyPart } from '../../react/lazy-part';
import { useIsOfAll } from '../../react/services';
import { Notice, useFormat, useNow } from '../core';
import type { ActionsProps } from './farm-event-actions';
import styles from './farm-events.module.css';
import { useEventWords, useFarmEvents } from './use-farm-events';

// A form is a hundred kilobytes, and most pages have no event.
const Actions = lazyPart<ActionsProps>('events', async () => (await import('./farm-event-actions')).Actions, null);

/** What ended is said for so long. */
const OVER_S = 3600;
/** More at once are in the list of notifications. */
const MOST = 4;
/** `chosen`: the event whose workers the page shows. */
export type FarmEventsProps = { chosen?: number | null };

export function FarmEvents({ chosen = null }: FarmEventsProps) {
  const { t } = useTranslation();
  const { data = [] } = useFarmEvents();
  const now = useNow();
  const shown = data.filter(({ id, until }) => until === null || now - until < OVER_S || id === chosen).slice(0, MOST);
  if (shown.length === 0) return null;
  return (
    <ul className={styles.list} aria-label={t('events.title')}>
      {shown.map((event) => (
        <li key={event.id}>
          <Event event={event} isChosen={event.id === chosen} />
        </li>
      ))}
    </ul>
  );
}

function Event({ event, isChosen }: { event: FarmEvent; isChosen: boolean }) {
  const { t } = useTranslation();
  const { clock } = useFormat();
  const words = useEventWords();
  const { id, account, until, acknowledged, note, isPart } = event;
  const mayEdit = useAbility<PoolAbility>().can('manage', 'workers');
  const isOfAll = useIsOfAll();
  return (
    <Notice
      tone={until === null ? 'bad' : 'info'}
      state={until === null ? 'offline' : 'online'}
      action={mayEdit && !isPart && until === null && <Actions event={event} />}
    >
      <PageLink
        page="workers.list"
        search={`?${new URLSearchParams({ event: String(id), sort: 'lost', ...(isOfAll ? {} : { account }) })}`}
        keepWords
      >
        {words(event)}
      </PageLink>
      {acknowledged && (
        <span className={styles.more}>
          {acknowledged.until === null
            ? t('events.whole', { name: acknowledged.by })
            : t('events.until', { name: acknowledged.by, until: clock(acknowledged.until) })}
        </span>
      )}
      {note !== null && (
        <span className={styles.more}>
          <bdi>{note}</bdi>
        </span>
      )}
      {isChosen && (
        <PageLink page="workers.list" className={styles.more}>
          {t('events.showAll')}
        </PageLink>
      )}
    </Notice>
  );
}
