import { ALGORITHMS, type PoolConfig, type SubAccountPoolConfig } from '@pool/shared';
import { useTranslation } from '@pool/shared/i18n';
import { Button, Panel, QueryState, Skeleton, useConfirm } from '@pool/shared/ui/core';
import { IfMayEdit, Problem } from '@pool/shared/ui/form';
import { Pencil, Plus, Trash2 } from '@pool/shared/ui/icons';
import { useAddToList } from '../../api/pool-lists';
import { useDeletePool, useSavedPools } from '../../api/saved-pools';
import type { Subject } from './pool-dialog';
import styles from './saved-pools.module.css';

type Props = {
  /** The account's lists, to know which pools are in one; undefined while unknown. */
  lists: readonly SubAccountPoolConfig[] | undefined;
  onOpen(subject: Subject): void;
};

/** The user's library, where it has any: pools saved once, used in the lists of any sub-account. */
export function SavedPools({ lists, onOpen }: Props) {
  const { t } = useTranslation();
  const saved = useSavedPools();
  if (saved.data?.length === 0) return null;
  const used = new Set(lists?.map(({ poolConfigId }) => poolConfigId));
  return (
    <Panel title={t('workers.pools.saved')}>
      <QueryState query={saved}>
        <Skeleton height={88} />
      </QueryState>
      <ul className={styles.list}>
        {saved.data?.map((pool) => (
          <Saved key={pool.id} pool={pool} isListed={!lists || used.has(pool.id)} onOpen={onOpen} />
        ))}
      </ul>
    </Panel>
  );
}

type SavedProps = { pool: PoolConfig; isListed: boolean; onOpen(subject: Subject): void };

function Saved({ pool, isListed, onOpen }: SavedProps) {
  const { t } = useTranslation();
  const confirm = useConfirm();
  const add = useAddToList();
  const remove = useDeletePool();
  const error = add.error ?? remove.error;
  const button = (key: string, icon: React.ReactNode, onClick: () => void, loading = false) => (
    <Button
      type="text"
      size="small"
      icon={icon}
      loading={loading}
      aria-label={t(`workers.pools.${key}`, { name: pool.name })}
      title={t(`workers.pools.${key}`, { name: pool.name })}
      onClick={onClick}
    />
  );
  return (
    <li className={styles.pool}>
      <span className={styles.words}>
        <bdi className={styles.name}>{pool.name}</bdi>
        <small>
          {ALGORITHMS[pool.algorithm].label} · {t('workers.pools.uses', { count: pool.uses })}
        </small>
      </span>
      <IfMayEdit of="pools">
        <span className={styles.buttons}>
          {!isListed && button('addSaved', <Plus />, () => add.mutate(pool.id), add.isPending)}
          {button('editSaved', <Pencil />, () => onOpen({ id: pool.id, algorithm: pool.algorithm }))}
          {pool.uses === 0 &&
            button(
              'deleteSaved',
              <Trash2 />,
              () =>
                confirm({
                  title: t('workers.pools.deleteSaved', { name: pool.name }),
                  content: t('workers.pools.deleteWhat'),
                  okText: t('workers.pools.delete'),
                  onOk: () => remove.mutate(pool.id),
                }),
              remove.isPending,
            )}
        </span>
      </IfMayEdit>
      <Problem error={error} />
    </li>
  );
}
