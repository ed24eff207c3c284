import type { Worker } from '@pool/shared';
import { lazyPart, useWorkerGroups } from '@pool/shared/remote';
import { useTranslation } from '@pool/shared/i18n';
import {
  Button,
  Dropdown,
  ErrorPanel,
  Hashrate,
  useConfirm,
  useFormat,
  useNow,
  useToasts,
  X,
} from '@pool/shared/ui/core';
import { useState } from 'react';
import { useBulk } from '../../../api/worker-groups';
import { lostOf, totalOf } from '../list/losses';
import { COMPARABLE } from '../use-opened';
import styles from './bulk-bar.module.css';

type Props = {
  /** The selected workers. */
  workers: readonly Worker[];
  /** What an H/s earns a day; undefined: not known. */
  satsPerHs: number | undefined;
  onExport(workers: readonly Worker[]): void;
  onCompare(ids: readonly number[]): void;
  onClear(): void;
};

const GroupDialog = lazyPart(
  'workers-groups',
  async () => (await import('../../groups/group-dialog')).GroupDialog,
  null,
);

/** What can be done with the selected workers at once. Only inactive ones can be deleted. */
export function BulkBar({ workers, satsPerHs, onExport, onCompare, onClear }: Props) {
  const { t } = useTranslation();
  const toasts = useToasts();
  const confirm = useConfirm();
  const groups = useWorkerGroups();
  const bulk = useBulk();
  const { count: number } = useFormat();
  const now = useNow();
  const [isMaking, setMaking] = useState(false);
  const run = (change: Omit<Parameters<typeof bulk.mutate>[0], 'ids'>, of: readonly Worker[] = workers) =>
    bulk.mutate(
      { ids: of.map(({ id }) => id), ...change },
      {
        onSuccess: (count) => {
          toasts.success(t('workers.bulk.done', { count }));
          onClear();
        },
      },
    );
  const inactive = workers.filter(({ state }) => state === 'inactive');
  const isMuted = workers.every(({ muted }) => muted);
  const confirmDelete = () =>
    confirm({
      title: t('workers.bulk.deleteTitle', { count: inactive.length }),
      content: t('workers.bulk.deleteWhat'),
      okText: t('workers.bulk.delete'),
      onOk: () => run({ action: 'delete' }, inactive),
    });
  const move = (groupName: string | null) => run({ action: 'group', groupName });
  const canCompare = workers.length >= COMPARABLE.least && workers.length <= COMPARABLE.most;
  return (
    <section className={styles.bar} aria-label={t('workers.bulk')}>
      {bulk.error && <ErrorPanel error={bulk.error} />}
      <div className={styles.line}>
        <span role="status" className={styles.sum}>
          <strong>{t('workers.bulk.selected', { count: workers.length })}</strong>
          {(['h1', 'h24'] as const).map((window) => (
            <span key={window}>
              {t(`workers.${window}`)} <Hashrate hs={totalOf(workers, window, now)} />
            </span>
          ))}
          {satsPerHs !== undefined && (
            <span>
              {t('workers.lostTotal', {
                sats: number(Math.round(workers.reduce((sum, worker) => sum + lostOf(worker), 0) * satsPerHs)),
              })}
            </span>
          )}
        </span>
        {canCompare && (
          <Button onClick={() => onCompare(workers.map(({ id }) => id))}>{t('workers.bulk.compare')}</Button>
        )}
        <Dropdown
          placement="topLeft"
          menu={{
            items: [
              ...(groups.data ?? []).map(({ id, name }) => ({
                key: id,
                label: <bdi>{name}</bdi>,
                onClick: () => move(name),
              })),
              { key: 'new', label: t('workers.bulk.newGroup'), onClick: () => setMaking(true) },
              { key: 'none', label: t('workers.bulk.ungroup'), onClick: () => move(null) },
            ],
          }}
        >
          <Button loading={bulk.isPending}>{t('workers.bulk.move')}</Button>
        </Dropdown>
        <Button disabled={bulk.isPending} onClick={() => run({ action: isMuted ? 'unmute' : 'mute' })}>
          {t(isMuted ? 'workers.bulk.unmute' : 'workers.bulk.mute')}
        </Button>
        <Button onClick={() => onExport(workers)}>{t('workers.bulk.export')}</Button>
        {inactive.length > 0 && (
          <Button danger disabled={bulk.isPending} onClick={confirmDelete}>
            {t('workers.bulk.deleteInactive', { count: inactive.length })}
          </Button>
        )}
        <Button
          type="text"
          aria-label={t('workers.bulk.clear')}
          title={t('workers.bulk.clear')}
          icon={<X />}
          onClick={onClear}
        />
      </div>
      {isMaking && <GroupDialog name={null} onDone={move} onClose={() => setMaking(false)} />}
    </section>
  );
}
