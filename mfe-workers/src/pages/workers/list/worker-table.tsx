import type { Worker } from '@pool/shared';
import { useTranslation } from '@pool/shared/i18n';
import { lazyPart } from '@pool/shared/remote';
import { DataTable, idOf, type Sort, type TableHandle } from '@pool/shared/ui/table';
import { useCallback, useMemo, type ComponentProps, type RefObject } from 'react';
import type { useLiveWorkers } from '../../../api/live-workers';
import { useColumns } from './columns';
import type { useList } from './use-list';
import { rowHeightOf, type useView } from './view';
import { WorkerCard } from './worker-card';

const NoMatch = lazyPart('workers-more', async () => (await import('../no-workers')).NoMatch, null);

const NONE: readonly Worker[] = [];
const ORDERS = { asc: 'ascend', desc: 'descend' } as const;

type WorkerTableProps = {
  handle: RefObject<TableHandle | null>;
  list: ReturnType<typeof useList>;
  data: ReturnType<typeof useLiveWorkers>['data'];
  view: ReturnType<typeof useView>['view'];
  /** Id of the worker whose details are open. */
  openId: number | null;
  selection: ComponentProps<typeof DataTable<Worker>>['selection'];
  onSort(sort: Sort | undefined): void;
};

/** Rows, which stand still while the pointer is over them. */
export function WorkerTable({ handle, list, data, view, openId, selection, onSort }: WorkerTableProps) {
  const { t } = useTranslation();
  const { place, typed, setTyped, shown, hold, ready, unit, change } = list;
  const { sort: key, direction } = place;
  const sort = useMemo(() => ({ key, order: ORDERS[direction] }), [key, direction]);
  const satsPerHs = data?.satsPerHs;
  const columns = useColumns(data?.workers ?? NONE, unit, view, satsPerHs);
  const cardOf = useCallback((worker: Worker) => <WorkerCard worker={worker} satsPerHs={satsPerHs} />, [satsPerHs]);
  return (
    <div onPointerEnter={({ pointerType }) => pointerType !== 'touch' && hold(true)} onPointerLeave={() => hold(false)}>
      <DataTable
        ref={handle}
        label={t('workers.list')}
        columns={columns}
        rowHeight={rowHeightOf(view)}
        cardHeight={120}
        above={290}
        rows={shown}
        rowKey={idOf}
        card={cardOf}
        activeKey={openId ?? undefined}
        selection={selection}
        sort={sort}
        onSort={onSort}
        loading={!ready}
        empty={
          shown.length === 0 && (
            <NoMatch
              tab={place.tab}
              group={place.group}
              search={typed}
              onReset={() => {
                setTyped('');
                change({ tab: 'all', group: null, event: null, search: '' });
              }}
              onInactive={() => change({ tab: 'inactive' })}
            />
          )
        }
      />
    </div>
  );
}
