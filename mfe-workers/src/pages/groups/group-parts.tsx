import type { WorkerState } from '@pool/shared';
import { useTranslation } from '@pool/shared/i18n';
import { Link } from '@pool/shared/router';
import { Bell, Button, Dropdown, StateGlyph, useConfirm, useFormat, useToasts } from '@pool/shared/ui/core';
import { Ellipsis, Pencil, Trash2 } from '@pool/shared/ui/icons';
import { useWorkerGroups } from '@pool/shared/remote';
import { useState } from 'react';
import { useBulk, useDeleteGroup, useGroupLimit, useSaveGroup } from '../../api/worker-groups';
import { useUndo } from '../workers/controls/use-undo';
import type { GroupTotals } from './group-totals';
import styles from './groups-page.module.css';
import { LimitDialog } from './limit-dialog';

export function GroupLink({ name }: { name: string | null }) {
  const { t } = useTranslation();
  return (
    <Link
      to={{ pathname: '../', search: `?${new URLSearchParams({ group: name ?? '' }).toString()}` }}
      className={styles.name}
    >
      {name === null ? <span className={styles.quiet}>{t('workers.group.none')}</span> : <bdi>{name}</bdi>}
    </Link>
  );
}

/** How many of a group are in a state; nothing is quiet. */
export function StateCount({ state, value }: { state: WorkerState; value: number }) {
  const { t } = useTranslation();
  const { count } = useFormat();
  return (
    <span className={value > 0 ? styles.state : styles.quiet} title={t(`ui.state.${state}`)}>
      {value > 0 && <StateGlyph state={state} />}
      <span>{count(value)}</span>
    </span>
  );
}

export function GroupMenu({ group, onRename }: { group: GroupTotals; onRename(group: { name: string }): void }) {
  const { t } = useTranslation();
  const toasts = useToasts();
  const confirm = useConfirm();
  const remove = useDeleteGroup();
  const save = useSaveGroup();
  const bulk = useBulk();
  const setLimit = useGroupLimit();
  const undo = useUndo();
  const [limiting, setLimiting] = useState(false);
  const { name } = group;
  const limit = useWorkerGroups().data?.find((one) => one.name === name)?.limit ?? null;
  if (name === null) return null;
  const removeIt = async () => {
    const { workers: ids } = await remove.mutateAsync(name);
    const restore = async () => {
      await save.mutateAsync({ name: null, next: name });
      if (limit !== null) await setLimit.mutateAsync({ name, limit });
      if (ids.length > 0) await bulk.mutateAsync({ ids, action: 'group', groupName: name });
      return t('workers.groups.restored', { name });
    };
    toasts.success(t('workers.groups.deleted', { name }), undo(restore));
  };
  const askToDelete = () =>
    confirm({
      title: t('workers.groups.deleteTitle', { name }),
      content: t('workers.groups.deleteWhat', { count: group.total + group.inactive }),
      okText: t('workers.groups.delete'),
      onOk: () => removeIt().catch(() => toasts.error(t('workers.groups.deleteFailed', { name }))),
    });
  return (
    <>
      <Dropdown
        placement="bottomRight"
        menu={{
          items: [
            { key: 'rename', icon: <Pencil />, label: t('workers.groups.rename'), onClick: () => onRename({ name }) },
            { key: 'limit', icon: <Bell />, label: t('workers.groups.limit'), onClick: () => setLimiting(true) },
            { key: 'delete', icon: <Trash2 />, label: t('workers.groups.deleteMore'), onClick: askToDelete },
          ],
        }}
      >
        <Button
          type="text"
          size="small"
          icon={<Ellipsis />}
          loading={remove.isPending}
          aria-label={t('workers.groups.menu', { name })}
        />
      </Dropdown>
      {limiting && <LimitDialog name={name} limit={limit} onClose={() => setLimiting(false)} />}
    </>
  );
}
