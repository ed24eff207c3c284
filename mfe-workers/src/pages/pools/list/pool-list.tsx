import { ALGORITHMS, type AlgorithmName, type SubAccountPoolConfig, type Upstream } from '@pool/shared';
import { useTranslation } from '@pool/shared/i18n';
import { Button, Empty, Panel, Hashrate, Skeleton, StateGlyph } from '@pool/shared/ui/core';
import { Problem, useMayEdit } from '@pool/shared/ui/form';
import {
  closestCenter,
  DndContext,
  KeyboardSensor,
  PointerSensor,
  useSensor,
  useSensors,
  type Announcements,
  type UniqueIdentifier,
} from '@dnd-kit/core';
import { SortableContext, sortableKeyboardCoordinates, verticalListSortingStrategy } from '@dnd-kit/sortable';
import { useState } from 'react';
import { useServiceQuery, useUpstreams } from '@pool/shared/remote';
import { useReorder } from '../../../api/pool-lists';
import { arranged, moved } from './order';
import type { Subject } from '../pool-dialog';
import styles from './pool-list.module.css';
import { PoolRow } from './pool-row';

/** What a screen reader is told while a pool is moved. */
function useAnnouncements(pools: readonly SubAccountPoolConfig[]): Announcements {
  const { t } = useTranslation();
  const name = (id: UniqueIdentifier) => pools.find((pool) => pool.id === Number(id))?.name ?? '';
  const place = (id: UniqueIdentifier | undefined) => pools.findIndex((pool) => pool.id === Number(id)) + 1;
  const say = (key: string, id: UniqueIdentifier, at: UniqueIdentifier | undefined) =>
    t(key, { name: name(id), place: place(at ?? id), of: pools.length });
  return {
    onDragStart: ({ active }) => say('workers.pools.lifted', active.id, active.id),
    onDragOver: ({ active, over }) => say('workers.pools.over', active.id, over?.id),
    onDragEnd: ({ active, over }) => say('workers.pools.dropped', active.id, over?.id),
    onDragCancel: ({ active }) => say('workers.pools.cancelled', active.id, active.id),
  };
}

function Flow({ algorithm }: { algorithm: AlgorithmName }) {
  const { t } = useTranslation();
  const { data } = useUpstreams();
  const hashrates = useServiceQuery(({ api, session: { account } }) => ({
    queryKey: ['hashrate', 'now', { account, algorithm }],
    queryFn: ({ signal }) => api('GET /getLiveHashrates/', { query: { subAccountName: account, algorithm }, signal }),
  })).data;
  if (!data) return <Skeleton width={220} height={20} />;
  const { miners, target } = flowOf(data, algorithm);
  const flows = target !== null && miners > 0;
  return (
    <p
      className={styles.flow}
      data-flows={flows || undefined}
      aria-label={t('workers.pools.flow', { algorithm: ALGORITHMS[algorithm].label })}
      role="group"
    >
      <span>{t('workers.pools.miners', { count: miners })}</span>
      <i className={styles.line} aria-hidden="true" />
      <span className={styles.proxy}>{t('workers.pools.proxy')}</span>
      <i className={`${styles.line} ${styles.second}`} aria-hidden="true" />
      {target ? (
        <bdi className={styles.target}>{target.name}</bdi>
      ) : (
        <span className={styles.none}>
          <StateGlyph state="down" /> {t('workers.pools.nowhere')}
        </span>
      )}
      {flows && hashrates && (
        <span className={styles.hashrate}>
          <Hashrate hs={hashrates.m5} />
        </span>
      )}
    </p>
  );
}

/** `target`: the upstream in use, else the first that may work; null when none of the list does. */
function flowOf(upstreams: readonly Upstream[], algorithm: AlgorithmName) {
  const list = upstreams.filter((upstream) => upstream.algorithm === algorithm);
  return {
    miners: list.reduce((sum, { connections }) => sum + connections, 0),
    target: list.find(({ state }) => state === 'active') ?? list.find(({ state }) => state === 'standby') ?? null,
  };
}

type Props = {
  algorithm: AlgorithmName;
  pools: readonly SubAccountPoolConfig[];
  onOpen(subject: Subject): void;
};

/** The list of one algorithm. A pool is moved by pointer, by keyboard or from its menu. */
export function PoolList({ algorithm, pools, onOpen }: Props) {
  const { t } = useTranslation();
  const mayEdit = useMayEdit('pools');
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
            accessibility={{ announcements, screenReaderInstructions: { draggable: t('workers.pools.instructions') } }}
            onDragStart={() => setOrder(ids)}
            onDragCancel={() => setOrder(null)}
            onDragEnd={({ active, over }) => {
              const [from, to] = [ids.indexOf(Number(active.id)), ids.indexOf(Number(over?.id ?? active.id))];
              if (from === to) setOrder(null);
              else move(from, to);
            }}
          >
            <SortableContext items={ids} strategy={verticalListSortingStrategy} disabled={!mayEdit}>
              <ol aria-label={t('workers.pools.list', { algorithm: label })}>
                {shown.map((pool, index) => (
                  <PoolRow key={pool.id} pool={pool} index={index} count={shown.length} onMove={move} onOpen={onOpen} />
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
