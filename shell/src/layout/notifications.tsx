import { useTranslation } from '@pool/shared/i18n';
import { useMutation, useQuery, useQueryClient } from '@pool/shared/query';
import { useApi } from '@pool/shared/remote';
import { Badge, Bell, Button, CheckCheck, Dropdown, useFormat } from '@pool/shared/ui/core';
import { useState } from 'react';
import bar from './app-bar.module.css';
import styles from './notifications.module.css';

const QUERY_KEY = ['notifications'] as const;

/** The bell: what happened, newest first. The list itself is asked for again by the `notification` event. */
export function Notifications() {
  const { t } = useTranslation();
  const api = useApi();
  const [open, setOpen] = useState(false);
  const { data, isError, refetch } = useQuery({
    queryKey: QUERY_KEY,
    queryFn: ({ signal }) => api('GET /notifications', { signal }),
  });
  const unread = data?.unread ?? 0;
  return (
    <Dropdown
      trigger={['click']}
      placement="bottomRight"
      open={open}
      onOpenChange={setOpen}
      popupRender={() => (
        <Panel
          failed={isError && !data}
          onRetry={() => void refetch()}
          rows={data?.notifications ?? []}
          unread={unread}
        />
      )}
    >
      <button
        type="button"
        className={bar.button}
        aria-haspopup="dialog"
        aria-expanded={open}
        aria-label={t('notifications.bell', { count: unread })}
      >
        <Badge count={unread} size="small" overflowCount={99} offset={[2, -2]}>
          <Bell size={18} strokeWidth={1.75} aria-hidden className={styles.bell} />
        </Badge>
      </button>
    </Dropdown>
  );
}

type Row = {
  id: number;
  kind: string;
  values: Record<string, string | number>;
  createdAt: string;
  readAt: string | null;
};

function Panel({
  rows,
  unread,
  failed,
  onRetry,
}: {
  rows: readonly Row[];
  unread: number;
  failed: boolean;
  onRetry(): void;
}) {
  const { t } = useTranslation();
  const api = useApi();
  const queryClient = useQueryClient();
  const read = useMutation({
    mutationFn: (ids: number[] | undefined) => api('POST /notifications/read', { body: { ids } }),
    onSettled: () => queryClient.invalidateQueries({ queryKey: QUERY_KEY }),
  });
  return (
    <section className={styles.panel} role="dialog" aria-label={t('notifications.title')}>
      <header className={styles.head}>
        <h2 className={styles.title}>{t('notifications.title')}</h2>
        {unread > 0 && (
          <Button
            type="text"
            size="small"
            icon={<CheckCheck size={14} strokeWidth={1.75} aria-hidden />}
            loading={read.isPending}
            onClick={() => read.mutate(undefined)}
          >
            {t('notifications.readAll')}
          </Button>
        )}
      </header>
      {failed && (
        <p className={styles.empty}>
          {t('notifications.failed')}{' '}
          <Button size="small" onClick={onRetry}>
            {t('remote.retry')}
          </Button>
        </p>
      )}
      {!failed && rows.length === 0 && (
        <p className={styles.empty}>
          <strong>{t('notifications.empty')}</strong>
          <br />
          {t('notifications.emptyHint')}
        </p>
      )}
      <ul className={styles.list}>
        {rows.map((row) => (
          <li key={row.id}>
            <Item row={row} onRead={() => read.mutate([row.id])} />
          </li>
        ))}
      </ul>
    </section>
  );
}

function Item({ row, onRead }: { row: Row; onRead(): void }) {
  const { t } = useTranslation();
  const format = useFormat();
  const text = t(`notification.${row.kind}`, { ...row.values, defaultValue: row.kind.replaceAll('_', ' ') });
  return (
    <button
      type="button"
      className={styles.item}
      data-unread={row.readAt === null}
      disabled={row.readAt !== null}
      onClick={onRead}
    >
      <span>
        {text}
        {row.readAt === null && <span className={styles.hidden}> ({t('notifications.unread')})</span>}
      </span>
      <time dateTime={row.createdAt} className={styles.time}>
        {format.moment(row.createdAt)}
      </time>
    </button>
  );
}
