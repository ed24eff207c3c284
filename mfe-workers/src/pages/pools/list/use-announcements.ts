import type { SubAccountPoolConfig } from '@pool/shared';
import { useTranslation } from '@pool/shared/i18n';
import type { Announcements, UniqueIdentifier } from '@dnd-kit/core';

/** What a screen reader is told while a pool is moved. */
export function useAnnouncements(pools: readonly SubAccountPoolConfig[]): Announcements {
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
