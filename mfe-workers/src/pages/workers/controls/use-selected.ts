import type { Worker } from '@pool/shared';
import { useAbility } from '@pool/shared/remote';
import { useMemo, useState, type Key } from 'react';

const NONE: readonly Key[] = [];

/** The selected workers of the list, without those that are gone. Nothing can be selected without the permission. */
export function useSelected(workers: readonly Worker[] | undefined) {
  const mayEdit = useAbility().can('manage', 'workers');
  const [keys, setKeys] = useState(NONE);
  const selection = useMemo(() => (mayEdit ? { keys, onChange: setKeys } : undefined), [mayEdit, keys]);
  const selected = useMemo(() => {
    const chosen = new Set(keys);
    return chosen.size > 0 ? (workers ?? []).filter(({ id }) => chosen.has(id)) : [];
  }, [workers, keys]);
  return { selection, selected, clear: () => setKeys(NONE) };
}
