import type { SubAccountPoolConfig } from '@pool/shared';
import { useTranslation } from '@pool/shared/i18n';
import {
  Percent,
  PoolName,
  Quantity,
  StateMark,
  useFormat,
  useMediaQuery,
  useNow,
  VisuallyHidden,
} from '@pool/shared/ui/core';
import { Problem, Switch, useMayEdit } from '@pool/shared/ui/form';
import { GripVertical } from '@pool/shared/ui/icons';
import { useSortable } from '@dnd-kit/sortable';
import { useEnable, useTakeOut } from '../../../api/pool-lists';
import { useTestPool } from '../../../api/saved-pools';
import type { Subject } from '../pool-dialog';
import { PoolMenu } from './pool-menu';
import styles from './pool-row.module.css';
import { TestResult } from '../test-result';

type Props = {
  pool: SubAccountPoolConfig;
  index: number;
  count: number;
  onMove(from: number, to: number): void;
  onOpen(subject: Subject): void;
};

const MOVE = { duration: 160, easing: 'ease-out' };

export function PoolRow({ pool, index, count, onMove, onOpen }: Props) {
  const { t } = useTranslation();
  const mayEdit = useMayEdit('pools');
  const still = useMediaQuery('(prefers-reduced-motion: reduce)');
  const {
    attributes,
    listeners,
    setNodeRef,
    setActivatorNodeRef,
    transform,
    transition,
    isDragging,
    isOver,
    activeIndex,
    newIndex,
  } = useSortable({
    id: pool.id,
    attributes: { roleDescription: t('workers.pools.movable') },
    transition: still ? null : MOVE,
  });
  const enable = useEnable();
  const takeOut = useTakeOut();
  const test = useTestPool();
  const on = enable.isPending ? enable.variables.enabled : pool.enabled;
  const error = enable.error ?? takeOut.error;
  return (
    <li
      ref={setNodeRef}
      className={styles.row}
      data-dragging={isDragging || undefined}
      data-drop={isOver && !isDragging ? (activeIndex < index ? 'after' : 'before') : undefined}
      data-off={!on || undefined}
      style={{
        transform: transform ? `translate3d(0, ${Math.round(transform.y)}px, 0)` : undefined,
        transition,
      }}
    >
      {mayEdit && (
        <button
          type="button"
          className={styles.handle}
          ref={setActivatorNodeRef}
          {...attributes}
          {...listeners}
          aria-label={t('workers.pools.move', { name: pool.name, place: index + 1 })}
        >
          <GripVertical />
        </button>
      )}
      <span className={styles.place}>{(newIndex < 0 ? index : newIndex) + 1}</span>
      <PoolName className={styles.pool} name={pool.name} url={pool.url} />
      <span className={styles.state}>
        <StateMark state={on ? pool.state : 'disabled'} />
        {on && <Since pool={pool} />}
      </span>
      <span className={styles.numbers}>
        <span>
          <VisuallyHidden>{t('workers.pools.latency')}</VisuallyHidden>
          <Quantity value={pool.latencyMs === null ? null : Math.max(1, Math.round(pool.latencyMs))} unit="ms" />
        </span>
        <span>
          <VisuallyHidden>{t('workers.pools.rejects')}</VisuallyHidden>
          <Percent rate={pool.rejectRate} />
        </span>
      </span>
      {mayEdit && (
        <>
          <span className={styles.switch}>
            <Switch
              checked={on}
              loading={enable.isPending}
              aria-label={t('workers.pools.use', { name: pool.name })}
              onChange={(enabled) => enable.mutate({ id: pool.id, enabled })}
            />
          </span>
          <span className={styles.menu}>
            <PoolMenu
              pool={pool}
              index={index}
              count={count}
              onMove={onMove}
              onTest={() => test.mutate({ id: pool.poolConfigId })}
              onEdit={() => onOpen({ id: pool.poolConfigId, algorithm: pool.algo })}
              onTakeOut={() => takeOut.mutate(pool.id)}
            />
          </span>
        </>
      )}
      {(error || !test.isIdle) && (
        <div className={styles.below}>
          {!test.isIdle && <TestResult test={test} />}
          <Problem error={error} />
        </div>
      )}
    </li>
  );
}

/** Since when it is so, or what to do. */
function Since({ pool: { state, lastSwitchAt, lastError } }: { pool: SubAccountPoolConfig }) {
  const { t } = useTranslation();
  const { clock, day } = useFormat();
  const now = useNow();
  if (state === 'auth_failed' || state === 'unreadable')
    return <small title={lastError ?? undefined}>{t(`workers.pools.why.${state}`)}</small>;
  if (lastSwitchAt === null) return <small>{state === 'standby' && t('workers.pools.untried')}</small>;
  const recent = now - lastSwitchAt < 86_400;
  return (
    <small title={lastError ?? undefined}>
      {t(state === 'down' ? 'workers.pools.downSince' : 'workers.pools.since', {
        time: recent ? clock(lastSwitchAt) : day(lastSwitchAt),
      })}
    </small>
  );
}
