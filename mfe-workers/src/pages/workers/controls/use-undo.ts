import type { Worker } from '@pool/shared';
import { useTranslation } from '@pool/shared/i18n';
import { useFormat, useToasts } from '@pool/shared/ui/core';
import { type Bulk, useBulk } from '../../../api/worker-groups';

/** The button of a toast that takes a change back; `undo` answers what is said then. */
export function useUndo() {
  const { t } = useTranslation();
  const toasts = useToasts();
  return (undo: () => Promise<string>) => ({
    label: t('workers.undo'),
    onClick: () =>
      void undo().then(
        (said) => toasts.success(said),
        () => toasts.error(t('workers.undoFailed')),
      ),
  });
}

/** The changes that bring the workers back to their present state; a deletion has no such change. */
function changesBack({ action }: Pick<Bulk, 'action'>, workers: readonly Worker[]): Bulk[] {
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

/** Changes workers, says what was done with how many, and offers to take it back. */
export function useUndoableBulk() {
  const { t } = useTranslation();
  const toasts = useToasts();
  const { count: number } = useFormat();
  const bulk = useBulk();
  const undo = useUndo();
  const run = (change: Omit<Bulk, 'ids'>, workers: readonly Worker[], onDone?: () => void) => {
    const changes = changesBack(change, workers);
    const back = undo(async () => {
      let count = 0;
      for (const each of changes) count += await bulk.mutateAsync(each);
      return t('workers.bulk.undone', { n: number(count) });
    });
    bulk.mutate(
      { ids: workers.map(({ id }) => id), ...change },
      {
        onSuccess: (count) => {
          const values = { workers: t('workers.bulk.done', { count }), group: change.groupName };
          const said = change.groupName === null ? 'ungroup' : change.action;
          toasts.success(t(`workers.bulk.said.${said}`, values), changes.length > 0 ? back : undefined);
          onDone?.();
        },
      },
    );
  };
  return { bulk, run };
}
