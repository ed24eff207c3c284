import type { WorkerGroup, WorkerState } from '@pool/shared';
import { useTranslation } from '@pool/shared/i18n';
import { Link } from '@pool/shared/router';
import { Bell, Button, DASH, Dropdown, StateGlyph, useConfirm, useFormat, useToasts } from '@pool/shared/ui/core';
import { Ellipsis, Pencil, Trash2 } from '@pool/shared/ui/icons';
import { useBulk, useChangeGroup, useDeleteGroup, useMakeGroup } from '../../api/worker-groups';
import { useUndo } from '../workers/controls/use-undo';
import { isLoss, type GroupTotals } from './group-totals';
import styles from './groups-page.module.css';

/** Its name, which leads to its workers, and its limit. */
export function GroupName({ group: { name, group } }: { group: GroupTotals }) {
  const { t } = useTranslation();
  const { percent } = useFormat();
  const limit = group?.limit ?? null;
  return (
    <span className={styles.state}>
      <Link
        to={{ pathname: '../', search: `?${new URLSearchParams({ group: name ?? '' }).toString()}` }}
        className={styles.name}
      >
        {name === null ? <span className={styles.quiet}>{t('workers.group.none')}</span> : <bdi>{name}</bdi>}
      </Link>
      {limit !== null && (
        <small className={group?.isBelow ? styles.below : styles.quiet}>
          {group?.isBelow ? <StateGlyph state="low" /> : <Bell size={12} aria-hidden />}
          <span>{t(`workers.groups.${group?.isBelow ? 'below' : 'limitOf'}`, { limit: percent(limit, 0) })}</span>
        </small>
      )}
    </span>
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

/** What a kWh earns and costs there; a loss is said. */
export function MarginMark({ group }: { group: GroupTotals }) {
  const { t } = useTranslation();
  const { decimal } = useFormat();
  if (group.margin === null) return DASH;
  const { earns, costs } = group.margin;
  return (
    <span className={isLoss(group) ? styles.loss : undefined}>
      {isLoss(group) && <span>{t('workers.groups.atLoss')}</span>}
      <bdi dir="ltr">
        {decimal(earns, 3)} / {decimal(costs, 3)}
      </bdi>
    </span>
  );
}

export type OnChangeGroup = (group: WorkerGroup) => void;

export function GroupMenu({ group, onChange }: { group: GroupTotals; onChange: OnChangeGroup }) {
  const { t } = useTranslation();
  const toasts = useToasts();
  const confirm = useConfirm();
  const remove = useDeleteGroup();
  const make = useMakeGroup();
  const bulk = useBulk();
  const changeGroup = useChangeGroup();
  const undo = useUndo();
  const { group: own } = group;
  if (!own) return null;
  const { name, limit, power } = own;
  const removeIt = async () => {
    const { workers: ids } = await remove.mutateAsync(name);
    const restore = async () => {
      await make.mutateAsync({ name });
      const given = power && { usdPerKwh: power.usdPerKwh, kilowatts: power.kilowatts };
      if (limit ?? given) await changeGroup.mutateAsync({ name, change: { limit, ...(given && { power: given }) } });
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
    <Dropdown
      placement="bottomRight"
      menu={{
        items: [
          { key: 'change', icon: <Pencil />, label: t('workers.groups.change'), onClick: () => onChange(own) },
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
  );
}
