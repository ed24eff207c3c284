/** Orders of the list of workers. */
import type { Worker } from '@pool/shared/api/contract';
import { STATE_ORDER } from '@pool/shared/domain';

const WORKER_SORTS = [
  'name',
  'account',
  'group',
  'state',
  'm5',
  'h1',
  'h24',
  'rejectRate',
  'staleRate',
  'difficulty',
  'lastShareAt',
] as const;
type SortField = (typeof WORKER_SORTS)[number];
export type WorkerSort = { field: SortField; descending: boolean };

/** Parses `name` or `-m5`: a field, with `-` for descending order. Null for an unknown field. */
export function parseSort(text: string): WorkerSort | null {
  const descending = text.startsWith('-');
  const field = WORKER_SORTS.find((name) => name === text.slice(descending ? 1 : 0));
  return field ? { field, descending } : null;
}

const value = (worker: Worker, field: SortField): number | string =>
  field === 'state' ? STATE_ORDER[worker.state] : (worker[field] ?? (field === 'group' ? '' : -1));
export const names = new Intl.Collator('en', { numeric: true });

/** `workers` must be sorted by name; equal values keep that order. */
export function sorted(workers: readonly Worker[], { field, descending }: WorkerSort): Worker[] {
  if (field === 'name') return descending ? workers.toReversed() : [...workers];
  const sign = descending ? -1 : 1;
  return workers.toSorted((a, b) => {
    const [left, right] = [value(a, field), value(b, field)];
    return sign * (typeof left === 'string' ? names.compare(left, String(right)) : left - Number(right));
  });
}
