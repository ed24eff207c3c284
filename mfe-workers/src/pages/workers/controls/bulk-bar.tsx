import type { Worker } from '@pool/shared';
import { useTranslation } from '@pool/shared/i18n';
import { useWorkerGroups } from '@pool/shared/remote';
import { App, Button, Dropdown, ErrorPanel, X } from '@pool/shared/ui/core';
import { useBulk } from '../../../api/worker-groups';
import styles from './bulk-bar.module.css';

export type BulkBarProps = {
  /** The selected workers. */
  workers: readonly Worker[];
  onClear(): void;
};

/** What can be done with the selected workers at once. Only inactive ones can be deleted. */
export function BulkBar({ workers, onClear }: BulkBarProps) {
  const { t } = useTranslation();
  const { modal, message } = App.useApp();
  const groups = useWorkerGroups();
  const bulk = useBulk();
  const run = (change: Omit<Parameters<typeof bulk.mutate>[0], 'ids'>, of: readonly Worker[] = workers) =>
    bulk.mutate(
      { ids: of.map(({ id }) => id), ...change },
      {
        onSuccess: (count) => {
          message.success(t('workers.bulk.done', { count }));
          onClear();
        },
      },
    );
  const inactive = workers.filter(({ state }) => state === 'inactive');
  const isMuted = workers.every(({ muted }) => muted);
  const confirmDelete = () =>
    modal.confirm({
      title: t('workers.bulk.deleteTitle', { count: inactive.length }),
      content: t('workers.bulk.deleteWhat'),
      okText: t('workers.bulk.delete'),
      cancelText: t('workers.bulk.cancel'),
      onOk: () => run({ action: 'delete' }, inactive),
    });
  const move = (groupName: string | null) => run({ action: 'group', groupName });
  return (
    <section className={styles.bar} aria-label={t('workers.bulk')}>
      {bulk.error && <ErrorPanel error={bulk.error} />}
      <div className={styles.line}>
        <strong role="status">{t('workers.bulk.selected', { count: workers.length })}</strong>
        <Dropdown
          placement="topLeft"
          menu={{
            items: [
              ...(groups.data ?? []).map(({ id, name }) => ({
                key: id,
                label: <bdi>{name}</bdi>,
                onClick: () => move(name),
              })),
              { key: 'none', label: t('workers.bulk.ungroup'), onClick: () => move(null) },
            ],
          }}
        >
          <Button loading={bulk.isPending}>{t('workers.bulk.move')}</Button>
        </Dropdown>
        <Button disabled={bulk.isPending} onClick={() => run({ action: isMuted ? 'unmute' : 'mute' })}>
          {t(isMuted ? 'workers.bulk.unmute' : 'workers.bulk.mute')}
        </Button>
        {inactive.length > 0 && (
          <Button danger disabled={bulk.isPending} onClick={confirmDelete}>
            {t('workers.bulk.deleteInactive', { count: inactive.length })}
          </Button>
        )}
        <Button
          type="text"
          aria-label={t('workers.bulk.clear')}
          title={t('workers.bulk.clear')}
          icon={<X size={16} strokeWidth={1.75} aria-hidden="true" />}
          onClick={onClear}
        />
      </div>
    </section>
  );
}
