import type { Worker } from '@pool/shared';
import { lazyPart } from '@pool/shared/remote';
import { useTranslation } from '@pool/shared/i18n';
import { Button, Dropdown, Hashrate, useConfirm, useFormat, useToasts } from '@pool/shared/ui/core';
import { ActionBar } from '@pool/shared/ui/table';
import { useQuietChoices } from '@pool/shared/ui/waiting';
import { useState } from 'react';
import { groupsOf } from '../list/group-names';
import { lostOf, totalOf } from '../list/losses';
import { COMPARABLE } from '../use-opened';
import { useCommonGroups } from './use-common-groups';
import { useUndoableBulk } from './use-undo';

type Props = {
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
const NAMED = 6;

/** What can be done with the selected workers at once. Only inactive ones can be deleted. */
export function BulkBar({ workers, satsPerHs, onExport, onCompare, onClear }: Props) {
  const { t } = useTranslation();
  const toasts = useToasts();
  const confirm = useConfirm();
  const { accounts, groups } = useCommonGroups(workers);
  const { bulk, run } = useUndoableBulk();
  const { count: number } = useFormat();
  const [isMaking, setMaking] = useState(false);
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
  const confirmDelete = () =>
    confirm({
      title: t('workers.bulk.deleteTitle', { count: inactive.length }),
      content: t('workers.bulk.deleteWhat'),
      okText: t('workers.bulk.delete'),
      onOk: () => run({ action: 'delete' }, inactive, onClear),
    });
  const move = (groupName: string | null) =>
    ask(
      groupName === null
        ? t('workers.bulk.ungroupTitle', { n: number(workers.length) })
        : t('workers.bulk.moveTitle', { n: number(workers.length), group: groupName }),
      t('workers.bulk.move'),
      () => run({ action: 'group', groupName }, workers, onClear),
    );
  const askTo = (change: { action: 'mute' | 'unmute'; until?: number | null }, some: readonly Worker[]) =>
    ask(t(`workers.bulk.${change.action}Title`, { n: number(some.length) }), t(`workers.bulk.${change.action}`), () =>
      run(change, some, onClear),
    );
  const unmuted = workers.filter(({ muted }) => !muted);
  const quiet = useQuietChoices((until) => askTo({ action: 'mute', until }, unmuted));
  const compare = () =>
    workers.length >= COMPARABLE.least && workers.length <= COMPARABLE.most
      ? onCompare(workers.map(({ id }) => id))
      : toasts.info(t('workers.bulk.comparable', COMPARABLE));
  return (
    <ActionBar
      label={t('workers.bulk')}
      error={bulk.error}
      clear={t('workers.bulk.clear')}
      onClear={onClear}
      sum={
        <>
          <strong>{t('workers.bulk.selected', { count: workers.length })}</strong>
          {(['h1', 'h24'] as const).map((window) => (
            <span key={window}>
              {t(`workers.${window}`)} <Hashrate hs={totalOf(workers, window)} />
            </span>
          ))}
          {satsPerHs !== undefined && (
            <span>
              {t('workers.lostTotal', {
                sats: number(Math.round(workers.reduce((sum, worker) => sum + lostOf(worker), 0) * satsPerHs)),
              })}
            </span>
          )}
        </>
      }
    >
      <Button onClick={compare}>{t('workers.bulk.compare')}</Button>
      <Dropdown
        placement="topLeft"
        menu={{
          items: [
            ...groups.map((name) => ({ key: `group:${name}`, label: name, onClick: () => move(name) })),
            ...(accounts.length > 1
              ? []
              : [{ key: 'new', label: t('workers.bulk.newGroup'), onClick: () => setMaking(true) }]),
            { key: 'none', label: t('workers.bulk.ungroup'), onClick: () => move(null) },
          ],
        }}
      >
        <Button loading={bulk.isPending}>{t('workers.bulk.move')}</Button>
      </Dropdown>
      {unmuted.length === 0 ? (
        <Button disabled={bulk.isPending} onClick={() => askTo({ action: 'unmute' }, workers)}>
          {t('workers.bulk.unmute')}
        </Button>
      ) : (
        <Dropdown
          placement="topLeft"
          menu={{
            items: [
              ...quiet,
              { key: 'mute', label: t('workers.bulk.muteOn'), onClick: () => askTo({ action: 'mute' }, workers) },
            ],
          }}
        >
          <Button disabled={bulk.isPending}>{t('workers.bulk.mute')}</Button>
        </Dropdown>
      )}
      <Button onClick={() => onExport(workers)}>{t('workers.bulk.export')}</Button>
      {inactive.length > 0 && (
        <Button danger disabled={bulk.isPending} onClick={confirmDelete}>
          {t('workers.bulk.deleteInactive', { count: inactive.length })}
        </Button>
      )}
      {isMaking && <GroupDialog subAccountId={accounts[0]} onDone={move} onClose={() => setMaking(false)} />}
    </ActionBar>
  );
}
