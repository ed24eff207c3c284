import { useMemo, type Key } from 'react';
import { useTranslation } from 'react-i18next';
import type { DataTableProps } from './data-table';
import s from './data-table.module.css';

export type Selection<Row> = {
  isChosen: (row: Row) => boolean;
  canChoose: (row: Row) => boolean;
  choose: (rows: readonly Row[], on: boolean) => void;
  rows: readonly Row[];
};

/** What is chosen of a table's rows; undefined where nothing can be. */
export function useSelection<Row>({
  selection,
  rows,
  rowKey,
}: Pick<DataTableProps<Row>, 'selection' | 'rows' | 'rowKey'>): Selection<Row> | undefined {
  return useMemo(() => {
    if (!selection) return;
    const { keys, onChange, canSelect = () => true } = selection;
    const chosen = new Set<Key>(keys);
    return {
      rows,
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
  }, [selection, rows, rowKey]);
}

export function SelectRow<Row>({ selection, row }: { selection: Selection<Row>; row: Row }) {
  const { t } = useTranslation();
  return (
    <input
      type="checkbox"
      className={s.check}
      checked={selection.isChosen(row)}
      disabled={!selection.canChoose(row)}
      aria-label={t('ui.table.select')}
      onChange={(event) => selection.choose([row], event.target.checked)}
    />
  );
}

export function SelectAll<Row>({ selection }: { selection: Selection<Row> }) {
  const { t } = useTranslation();
  const free = selection.rows.filter(selection.canChoose);
  const chosen = free.filter(selection.isChosen).length;
  return (
    <input
      type="checkbox"
      className={s.check}
      ref={(box) => {
        if (box) box.indeterminate = chosen > 0 && chosen < free.length;
      }}
      checked={chosen > 0 && chosen === free.length}
      disabled={free.length === 0}
      aria-label={t('ui.table.select-all')}
      onChange={(event) => selection.choose(free, event.target.checked)}
    />
  );
}
