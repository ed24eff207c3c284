import { useId, useMemo, type Key } from 'react';
import { useTranslation } from 'react-i18next';
import { Check } from './check';
import type { DataTableProps } from './data-table';
import s from './data-table.module.css';

export type Selection<Row> = {
  /** Begins the ids of boxes and of what names their rows. */
  id: string;
  /** Of the box of a row, before the row's name: translated once, not in each row. */
  label: string;
  isEmpty: boolean;
  isChosen: (row: Row) => boolean;
  canChoose: (row: Row) => boolean;
  choose: (rows: readonly Row[], on: boolean) => void;
};

/** What is chosen of a table's rows; undefined where nothing can be. The same object until something is chosen. */
export function useSelection<Row>({
  selection,
  rowKey,
}: Pick<DataTableProps<Row>, 'selection' | 'rowKey'>): Selection<Row> | undefined {
  const { t } = useTranslation();
  const id = useId();
  return useMemo(() => {
    if (!selection) return;
    const { keys, onChange, canSelect = () => true } = selection;
    const chosen = new Set<Key>(keys);
    return {
      id,
      label: t('ui.table.select'),
      isEmpty: chosen.size === 0,
      isChosen: (row) => chosen.has(rowKey(row)),
      canChoose: canSelect,
      choose: (some, on) => {
        const now = new Set(chosen);
        for (const row of some.filter(canSelect)) {
          if (on) now.add(rowKey(row));
          else now.delete(rowKey(row));
        }
        onChange([...now]);
      },
    };
  }, [selection, rowKey, t, id]);
}

/** Id of the element that names the row. */
export const nameIdOf = ({ id }: { id: string }, index: number): string => `${id}-name-${index}`;

export function SelectRow<Row>({ selection, row, index }: { selection: Selection<Row>; row: Row; index: number }) {
  const id = `${selection.id}-${index}`;
  return (
    <label className={s.target}>
      <Check
        id={id}
        checked={selection.isChosen(row)}
        disabled={!selection.canChoose(row)}
        aria-label={selection.label}
        aria-labelledby={`${id} ${nameIdOf(selection, index)}`}
        onChange={(event) => selection.choose([row], event.target.checked)}
      />
    </label>
  );
}

export function SelectAll<Row>({ selection, rows }: { selection: Selection<Row>; rows: readonly Row[] }) {
  const { t } = useTranslation();
  const free = useMemo(() => rows.filter(selection.canChoose), [rows, selection.canChoose]);
  const chosen = selection.isEmpty ? 0 : free.filter(selection.isChosen).length;
  return (
    <label className={s.target}>
      <Check
        ref={(box) => {
          if (box) box.indeterminate = chosen > 0 && chosen < free.length;
        }}
        checked={chosen > 0 && chosen === free.length}
        disabled={free.length === 0}
        aria-label={t('ui.table.select-all')}
        onChange={(event) => selection.choose(free, event.target.checked)}
      />
    </label>
  );
}
