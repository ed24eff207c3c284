/** Which columns the list shows, in which order, and how high its rows are: remembered in this browser. */
import { useCallback, useState } from 'react';

/** All columns in their usual order. The name stands first and stays. */
export const COLUMN_KEYS = [
  'name',
  'account',
  'group',
  'trouble',
  'spark',
  'm5',
  'h1',
  'h24',
  'rejectRate',
  'staleRate',
  'lost',
  'difficulty',
  'lastShareAt',
  'address',
  'software',
  'connectedAt',
  'port',
] as const;
export type ColumnKey = (typeof COLUMN_KEYS)[number];

export type View = { order: readonly ColumnKey[]; hidden: readonly ColumnKey[]; dense: boolean };
export const USUAL: View = { order: COLUMN_KEYS, hidden: [], dense: false };
/** Height of a row, px; undefined: the usual. */
export const rowHeightOf = ({ dense }: View): number | undefined => (dense ? 36 : undefined);

const isColumn = (value: unknown): value is ColumnKey => COLUMN_KEYS.some((key) => key === value);
const columnsIn = (value: unknown): ColumnKey[] =>
  Array.isArray(value) ? [...new Set(value.filter(isColumn))].filter((key) => key !== 'name') : [];

/** What was stored, by this version or another: unknown columns are left out, new ones follow. */
export function parseView(text: string | null): View {
  let stored: unknown;
  try {
    stored = JSON.parse(text ?? '');
  } catch {
    return USUAL;
  }
  if (typeof stored !== 'object' || stored === null) return USUAL;
  const { order, hidden, dense } = stored as Record<string, unknown>;
  const known = columnsIn(order);
  return {
    order: ['name', ...known, ...COLUMN_KEYS.filter((key) => key !== 'name' && !known.includes(key))],
    hidden: columnsIn(hidden),
    dense: dense === true,
  };
}

/** A copy with a column one place up or down; the first place is the name's. */
export function moved(view: View, key: ColumnKey, by: 1 | -1): View {
  const order = [...view.order];
  const from = order.indexOf(key);
  const to = from + by;
  if (from < 1 || to < 1 || to >= order.length) return view;
  [order[from], order[to]] = [order[to]!, order[from]!];
  return { ...view, order };
}

export const shownIn = (view: View): ColumnKey[] => view.order.filter((key) => !view.hidden.includes(key));

const STORED_AS = 'workers.view';
/** Without a storage (a private window) the choice holds until the page is left. */
const storage = (): Storage | null => {
  try {
    return localStorage;
  } catch {
    return null;
  }
};

export function useView() {
  const [view, setView] = useState(() => parseView(storage()?.getItem(STORED_AS) ?? null));
  const change = useCallback((next: View) => {
    setView(next);
    if (next === USUAL) storage()?.removeItem(STORED_AS);
    else storage()?.setItem(STORED_AS, JSON.stringify(next));
  }, []);
  return { view, change };
}
