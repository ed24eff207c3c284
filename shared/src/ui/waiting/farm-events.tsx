import { useAbility } from '@casl/react';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import type { FarmEvent } from '../../api/worker-schemas';
import type { PoolAbility } from '../../contract/ability';
import { PageLink } from '../../react/page-link';
import { useIsOfAll, useServices } from '../../react/services';
import common from '../common.module.css';
import { Button, Dropdown, Notice, useFormat, useNow } from '../core';
import { Form, Problem, TextField, useFormMutation } from '../form';
import styles from './farm-events.module.css';
import { FARM_EVENTS, useEventWords, useFarmEvents } from './use-farm-events';
import { useQuietChoices } from './use-quiet-choices';

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

function Actions({ event: { id, acknowledged, note } }: { event: FarmEvent }) {
  const { t } = useTranslation();
  const { account, algorithm } = useServices().session;
  const isOfAll = useIsOfAll();
  const [text, setText] = useState<string | null>(null);
  type Change = { acknowledged?: { until: number | null } | null; note?: string | null };
  const save = useFormMutation({
    send: (api, body: Change) =>
      api('PUT /farmEvents/{id}', {
        params: { id },
        query: { ...(!isOfAll && { userName: account }), algorithm },
        body,
      }),
    reads: [FARM_EVENTS],
    onDone: () => setText(null),
  });
  const quiet = useQuietChoices((until) => save.mutate({ acknowledged: { until } }));
  if (text !== null)
    return (
      <Form className={common.buttons} change={save} onSubmit={() => save.mutate({ note: text.trim() || null })}>
        <TextField
          label={t('events.note')}
          hint={t('events.noteHint')}
          value={text}
          maxLength={64}
          autoFocus
          onChange={setText}
        />
        <Button htmlType="submit" loading={save.isPending}>
          {t('events.save')}
        </Button>
        <Button type="text" onClick={() => setText(null)}>
          {t('events.cancel')}
        </Button>
        <Problem error={save.error} />
      </Form>
    );
  const tell = { key: 'tell', label: t('events.tell'), onClick: () => save.mutate({ acknowledged: null }) };
  return (
    <>
      <Dropdown
        placement="bottomRight"
        menu={{
          items: [
            ...quiet,
            ...(acknowledged ? [tell] : []),
            { type: 'divider' },
            { key: 'note', label: t('events.note'), onClick: () => setText(note ?? '') },
          ],
        }}
      >
        <Button size="small" loading={save.isPending}>
          {t('events.lookAfter')}
        </Button>
      </Dropdown>
      <Problem error={save.error} />
    </>
  );
}
