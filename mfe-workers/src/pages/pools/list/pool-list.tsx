import { ALGORITHMS, type AlgorithmName, type SubAccountPoolConfig } from '@pool/shared';
import { useTranslation } from '@pool/shared/i18n';
import { Button, Empty, Panel } from '@pool/shared/ui/core';
import { Problem } from '@pool/shared/ui/form';
import { closestCenter, DndContext, KeyboardSensor, PointerSensor, useSensor, useSensors } from '@dnd-kit/core';
import { SortableContext, sortableKeyboardCoordinates, verticalListSortingStrategy } from '@dnd-kit/sortable';
import { useState } from 'react';
import { useReorder } from '../../../api/pool-lists';
import { Flow } from '../flow';
import { arranged, moved } from './order';
import type { Subject } from '../pool-dialog';
import styles from './pool-list.module.css';
import { PoolRow } from './pool-row';
import { useAnnouncements } from './use-announcements';

type Props = {
  algorithm: AlgorithmName;
  /** Best first. */
  pools: readonly SubAccountPoolConfig[];
  mayEdit: boolean;
  onOpen(subject: Subject): void;
};

/** The list of one algorithm. A pool is moved by pointer, by keyboard or from its menu. */
export function PoolList({ algorithm, pools, mayEdit, onOpen }: Props) {
  const { t } = useTranslation();
  const reorder = useReorder();
  // The user's order from the moment a row is lifted until the server has answered: updates do not move rows under the
  // pointer, and an order that is refused is undone by forgetting it.
  const [order, setOrder] = useState<readonly number[] | null>(null);
  const shown = arranged(pools, order);
  const ids = shown.map(({ id }) => id);
  const save = (next: readonly number[]) => {
    setOrder(next);
    reorder.mutate({ algo: algorithm, ids: next }, { onSettled: () => setOrder(null) });
  };
  const move = (from: number, to: number) => save(moved(ids, from, to));
  const sensors = useSensors(
    useSensor(PointerSensor, { activationConstraint: { distance: 4 } }),
    useSensor(KeyboardSensor, { coordinateGetter: sortableKeyboardCoordinates }),
  );
  const announcements = useAnnouncements(shown);
  const { label } = ALGORITHMS[algorithm];
  return (
    <Panel title={label} extra={<Flow algorithm={algorithm} />} padded={false} className={styles.panel}>
      {shown.length === 0 ? (
        <Empty title={t('workers.pools.empty', { algorithm: label })}>{t('workers.pools.emptyWhat')}</Empty>
      ) : (
        <>
          <div className={styles.head} aria-hidden="true">
            <span className={styles.poolHead}>{t('workers.pools.pool')}</span>
            <span>{t('workers.pools.status')}</span>
            <span className={styles.number}>{t('workers.pools.latency')}</span>
            <span className={styles.number}>{t('workers.pools.rejects')}</span>
            <span>{t('workers.pools.on')}</span>
          </div>
          <DndContext
            sensors={sensors}
            collisionDetection={closestCenter}
            accessibility={{
              announcements,
              screenReaderInstructions: { draggable: t('workers.pools.instructions') },
            }}
            onDragStart={() => setOrder(ids)}
            onDragCancel={() => setOrder(null)}
            onDragEnd={({ active, over }) => {
              const [from, to] = [ids.indexOf(Number(active.id)), ids.indexOf(Number(over?.id ?? active.id))];
              if (from === to) setOrder(null);
              else move(from, to);
            }}
          >
            <SortableContext items={ids} strategy={verticalListSortingStrategy} disabled={!mayEdit}>
              <ol className={styles.list} aria-label={t('workers.pools.list', { algorithm: label })}>
                {shown.map((pool, index) => (
                  <PoolRow
                    key={pool.id}
                    pool={pool}
                    index={index}
                    count={shown.length}
                    mayEdit={mayEdit}
                    onMove={move}
                    onOpen={onOpen}
                  />
                ))}
              </ol>
            </SortableContext>
          </DndContext>
          {shown[0] && shown.length === 1 && (
            <div className={styles.backup}>
              <span className={styles.place}>2</span>
              <p>{t('workers.pools.noBackup', { name: shown[0].name })}</p>
              {mayEdit && <Button onClick={() => onOpen({ algorithm })}>{t('workers.pools.backup')}</Button>}
            </div>
          )}
          {reorder.error && (
            <div className={styles.problem}>
              <Problem error={reorder.error} />
            </div>
          )}
          {mayEdit && shown.length > 1 && <p className={styles.help}>{t('workers.pools.help')}</p>}
        </>
      )}
    </Panel>
  );
}
