import { useEffect, useId, useMemo, useRef, type Key } from 'react';
import { useTranslation } from 'react-i18next';
import { Check } from './check';
import type { DataTableProps } from './props';
import s from './data-table.module.css';

export type Selection<Row> = {
  /** Begins the ids of boxes and of what names their rows. */
  id: string;
  /** Label of a row's box, before the row's name: translated once, not in each row. */
  label: string;
  isEmpty: boolean;
  isChosen: (row: Row) => boolean;
  choose: (rows: readonly Row[], on: boolean) => void;
  /** Chooses a row; `toHere`: and those between it and the one chosen before. */
  chooseRow: (row: Row, on: boolean, toHere: boolean) => void;
};

/** What is chosen of a table's rows; undefined where nothing can be. The same object until something is chosen. */
export function useSelection<Row>({
  selection,
  rows,
  rowKey,
}: Pick<DataTableProps<Row>, 'selection' | 'rows' | 'rowKey'>): Selection<Row> | undefined {
  const { t } = useTranslation();
  const id = useId();
  const shown = useRef(rows);
  useEffect(() => {
    shown.current = rows;
  });
  const before = useRef<Key>(null);
  return useMemo(() => {
    if (!selection) return;
    const { keys, onChange } = selection;
    const chosen = new Set<Key>(keys);
    const choose = (some: readonly Row[], on: boolean) => {
      const now = new Set(chosen);
      for (const row of some) {
        if (on) now.add(rowKey(row));
        else now.delete(rowKey(row));
      }
      onChange([...now]);
    };
    const at = (key: Key | null) => shown.current.findIndex((row) => rowKey(row) === key);
    return {
      id,
      label: t('ui.table.select'),
      isEmpty: chosen.size === 0,
      isChosen: (row) => chosen.has(rowKey(row)),
      choose,
      chooseRow: (row, on, toHere) => {
        const ends = toHere ? [at(before.current), at(rowKey(row))].sort((a, b) => a - b) : [];
        const [from = -1, to = -1] = ends;
        choose(from < 0 ? [row] : shown.current.slice(from, to + 1), on);
        before.current = rowKey(row);
      },
    };
  }, [selection, rowKey, t, id]);
}

/** Id of the element that names the row. */
export const nameIdOf = ({ id }: { id: string }, index: number): string => `${id}-name-${index}`;

export function SelectRow<Row>({ selection, row, index }: { selection: Selection<Row>; row: Row; index: number }) {
  const id = `${selection.id}-${index}`;
  return (
    // A range of rows is not a range of text.
    <label className={s.target} onMouseDown={(event) => event.shiftKey && event.preventDefault()}>
      <Check
        id={id}
        checked={selection.isChosen(row)}
        aria-label={selection.label}
        aria-labelledby={`${id} ${nameIdOf(selection, index)}`}
        onChange={({ target, nativeEvent }) =>
          selection.chooseRow(row, target.checked, nativeEvent instanceof MouseEvent && nativeEvent.shiftKey)
        }
      />
    </label>
  );
}

export function SelectAll<Row>({ selection, rows }: { selection: Selection<Row>; rows: readonly Row[] }) {
  const { t } = useTranslation();
  const chosen = selection.isEmpty ? 0 : rows.filter(selection.isChosen).length;
  return (
    <label className={s.target}>
      <Check
        ref={(box) => {
          if (box) box.indeterminate = chosen > 0 && chosen < rows.length;
        }}
        checked={chosen > 0 && chosen === rows.length}
        aria-label={t('ui.table.select-all')}
        onChange={(event) => selection.choose(rows, event.target.checked)}
      />
    </label>
  );
}
