import type { PoolAbility } from '@pool/shared';
import { useTranslation } from '@pool/shared/i18n';
import { useMutation, useQuery, useQueryClient } from '@pool/shared/query';
import { useAbility, useApi } from '@pool/shared/remote';
import { Link, useNavigate } from '@pool/shared/router';
import { accountPath } from '@pool/shared/shell-pages';
import {
  Button,
  CheckCheck,
  Loading,
  QueryError,
  Skeleton,
  StateGlyph,
  TimeAgo,
  useErrorText,
  useFormat,
  useNow,
  useToasts,
  VisuallyHidden,
} from '@pool/shared/ui/core';
import common from '@pool/shared/ui/common.module.css';
import { useEffect, useRef } from 'react';
import styles from './inbox.module.css';
import { byDay, canUndo, grouped, stateOf, type Group } from './items';
import { notificationsQuery } from './query';

/** Notifications by day, newest first, those of a worker as one. Opening one leads to its page and marks it as read. */
export function Inbox({ onClose }: { onClose(): void }) {
  const { t } = useTranslation();
  const api = useApi();
  const queryClient = useQueryClient();
  // An admin who looks at a user's pages leaves no trace in them.
  const mayEdit = useAbility<PoolAbility>().can('manage', 'person');
  const heading = useRef<HTMLHeadingElement>(null);
  const query = useQuery(notificationsQuery(api));
  const { data, error } = query;
  const read = useMutation({
    mutationFn: (ids: number[] | undefined) => api('POST /notifications/read', { body: { ids } }),
    onSettled: () => queryClient.invalidateQueries({ queryKey: ['notifications'] }),
  });
  const dayOf = useDayName();
  useEffect(() => heading.current?.focus(), []);
  return (
    <section className={styles.panel} role="dialog" aria-labelledby="inbox-title">
      <header className={styles.head}>
        <h2 ref={heading} id="inbox-title" tabIndex={-1} className={common.title}>
          {t('notifications.title')}
        </h2>
        {mayEdit && data && data.unread > 0 && (
          <Button
            type="text"
            size="small"
            icon={<CheckCheck size={14} />}
            loading={read.isPending}
            onClick={() => read.mutate(undefined)}
          >
            {t('notifications.readAll')}
          </Button>
        )}
      </header>
      {error && !data && <QueryError query={query} className={styles.state} />}
      {!data && !error && (
        <Loading className={styles.state}>
          <Skeleton height={96} />
        </Loading>
      )}
      {data?.notifications.length === 0 && (
        <p className={styles.state}>
          <strong>{t('notifications.empty')}</strong>
          <br />
          {t('notifications.emptyHint')}
        </p>
      )}
      <div className={styles.list}>
        {byDay(grouped(data?.notifications ?? []), dayOf).map(([day, groups]) => (
          <section key={day} aria-label={day}>
            <h3 className={styles.day}>{day}</h3>
            <ul>
              {groups.map((group) => (
                <li key={group.newest.id}>
                  <Item
                    mayEdit={mayEdit}
                    group={group}
                    onOpen={() => {
                      if (mayEdit && group.unread > 0) read.mutate(group.ids);
                    }}
                    onClose={onClose}
                  />
                </li>
              ))}
            </ul>
          </section>
        ))}
      </div>
      {mayEdit && (
        <footer className={styles.foot}>
          <Link to={accountPath('alerts')} onClick={onClose}>
            {t('notifications.settings')}
          </Link>
        </footer>
      )}
    </section>
  );
}

/** Names the day of a time: today and yesterday in words. */
function useDayName() {
  const { language, day } = useFormat();
  const now = useNow();
  const words = new Intl.RelativeTimeFormat(language, { numeric: 'auto' });
  const named = new Map([0, -1].map((days) => [day(now + days * 86_400, true), words.format(days, 'day')]));
  return (at: string) => named.get(day(at, true)) ?? day(at, true);
}

/** Takes back a change of the pools an account mines for, then leads to the account's security. */
function UndoButton({ id, onClose }: { id: number; onClose(): void }) {
  const { t } = useTranslation();
  const api = useApi();
  const queryClient = useQueryClient();
  const navigate = useNavigate();
  const toasts = useToasts();
  const undo = useMutation({
    mutationFn: () => api('POST /subAccountPoolConfigs/undo', { body: { notification: id } }),
    onSuccess: () => {
      toasts.success(t('inbox.undone'));
      onClose();
      void navigate(accountPath('security'));
    },
    onSettled: () => queryClient.invalidateQueries(),
  });
  const problem = useErrorText(undo.error);
  return (
    <>
      <Button size="small" danger className={styles.undo} loading={undo.isPending} onClick={() => undo.mutate()}>
        {t('inbox.undo')}
      </Button>
      {problem && (
        <p role="alert" className={styles.problem}>
          {problem}
        </p>
      )}
    </>
  );
}

type ItemProps = { group: Group; mayEdit: boolean; onOpen(): void; onClose(): void };

function Item({ group: { newest, ids, unread }, mayEdit, onOpen, onClose }: ItemProps) {
  const { t } = useTranslation();
  const { local, moment } = useFormat();
  const now = useNow();
  const { kind, values, path, createdAt } = newest;
  const [amount, hashrate] = [values.amount, values.hashrate].map((value) => value && local(String(value)));
  const [until, since] = [values.until, values.since].map((value) => value && moment(String(value)));
  const place = values.by && t(`place.${values.by}`, { place: values.place });
  const content = (
    <>
      <StateGlyph state={stateOf(kind)} />
      <span className={styles.words}>
        {t(`notification.${kind}`, {
          ...values,
          amount,
          hashrate,
          until,
          since,
          ...(place && { place }),
          defaultValue: kind.replaceAll('_', ' '),
        })}
        {unread > 0 && <VisuallyHidden> ({t('notifications.unread')})</VisuallyHidden>}
        <span className={styles.time}>
          <TimeAgo at={Date.parse(createdAt) / 1000} />
          {values.undone !== undefined && <span> · {t('inbox.wasUndone')}</span>}
          {ids.length > 1 && <span> · {t('notifications.earlier', { count: ids.length - 1 })}</span>}
        </span>
      </span>
    </>
  );
  // A server older than this page names none.
  if (!path)
    return (
      <button type="button" className={styles.item} data-unread={unread > 0} onClick={onOpen}>
        {content}
      </button>
    );
  return (
    <>
      <Link
        to={path}
        className={styles.item}
        data-unread={unread > 0}
        onClick={() => {
          onOpen();
          onClose();
        }}
      >
        {content}
      </Link>
      {mayEdit && canUndo(newest, now) && <UndoButton id={newest.id} onClose={onClose} />}
    </>
  );
}
