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
import { type Bulk, useBulk } from '../../../api/worker-groups';
import { groupsOf } from '../list/list-rows';
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

/** Up to so many workers are changed without a question. */
const MANY = 50;
/** Groups named in the question. */
const NAMED = 6;

/** The changes that make the workers as they are now again; of a deletion there are none. */
function undoOf({ action }: Pick<Bulk, 'action'>, workers: readonly Worker[]): Bulk[] {
  const idsOf = (some: readonly Worker[]) => some.map(({ id }) => id);
  if (action === 'mute' || action === 'unmute') {
    const others = workers.filter(({ muted }) => muted === (action === 'unmute'));
    return others.length > 0 ? [{ action: action === 'mute' ? 'unmute' : 'mute', ids: idsOf(others) }] : [];
  }
  if (action !== 'group') return [];
  return [...new Set(workers.map(({ group }) => group))].map((groupName) => ({
    action,
    groupName,
    ids: idsOf(workers.filter(({ group }) => group === groupName)),
  }));
}

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
  const run = (change: Omit<Bulk, 'ids'>, of: readonly Worker[] = workers) => {
    const changes = undoOf(change, of);
    const undo = async () => {
      let count = 0;
      for (const back of changes) count += await bulk.mutateAsync(back);
      toasts.success(t('workers.bulk.undone', { n: number(count) }));
    };
    const action = {
      label: t('workers.undo'),
      onClick: () => void undo().catch(() => toasts.error(t('workers.undoFailed'))),
    };
    bulk.mutate(
      { ids: of.map(({ id }) => id), ...change },
      {
        onSuccess: (count) => {
          toasts.success(t('workers.bulk.done', { count }), changes.length > 0 ? action : undefined);
          onClear();
        },
      },
    );
  };
  /** Many at once are changed after a question that says how many and of which groups. */
  const ask = (title: string, okText: string, act: () => void) => {
    if (workers.length <= MANY) return act();
    const groups = groupsOf(workers);
    const ungrouped = workers.some(({ group }) => group === null);
    const names = [...groups, ...(ungrouped ? [t('workers.group.none')] : [])];
    const shown = names.slice(0, NAMED).join(', ');
    confirm({
      title,
      content:
        names.length > NAMED
          ? t('workers.bulk.ofMoreGroups', { groups: shown, n: number(names.length - NAMED) })
          : t('workers.bulk.ofGroups', { groups: shown }),
      okText,
      onOk: act,
    });
  };
  const inactive = workers.filter(({ state }) => state === 'inactive');
  const isMuted = workers.every(({ muted }) => muted);
  const confirmDelete = () =>
    confirm({
      title: t('workers.bulk.deleteTitle', { count: inactive.length }),
      content: t('workers.bulk.deleteWhat'),
      okText: t('workers.bulk.delete'),
      onOk: () => run({ action: 'delete' }, inactive),
    });
  const move = (groupName: string | null) =>
    ask(
      groupName === null
        ? t('workers.bulk.ungroupTitle', { n: number(workers.length) })
        : t('workers.bulk.moveTitle', { n: number(workers.length), group: groupName }),
      t('workers.bulk.move'),
      () => run({ action: 'group', groupName }),
    );
  const switchAlerts = () => {
    const action = isMuted ? 'unmute' : 'mute';
    ask(t(`workers.bulk.${action}Title`, { n: number(workers.length) }), t(`workers.bulk.${action}`), () =>
      run({ action }),
    );
  };
  const compare = () =>
    workers.length >= COMPARABLE.least && workers.length <= COMPARABLE.most
      ? onCompare(workers.map(({ id }) => id))
      : toasts.info(t('workers.bulk.comparable', COMPARABLE));
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
        <Button onClick={compare}>{t('workers.bulk.compare')}</Button>
        <Dropdown
          placement="topLeft"
          menu={{
            items: [
              ...(groups.data ?? []).map(({ id, name }) => ({
                key: id,
                label: name,
                onClick: () => move(name),
              })),
              { key: 'new', label: t('workers.bulk.newGroup'), onClick: () => setMaking(true) },
              { key: 'none', label: t('workers.bulk.ungroup'), onClick: () => move(null) },
            ],
          }}
        >
          <Button loading={bulk.isPending}>{t('workers.bulk.move')}</Button>
        </Dropdown>
        <Button disabled={bulk.isPending} onClick={switchAlerts}>
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
