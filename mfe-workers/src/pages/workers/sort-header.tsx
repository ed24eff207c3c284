import { firstDirection, type ListPlace, type SortKey } from './list-place';
import styles from './list.module.css';

type Props = {
  sort: SortKey | undefined;
  place: ListPlace;
  className: string | undefined;
  onSort(sort: SortKey): void;
  children: React.ReactNode;
};

/** A column's heading; a button when the column is sortable. */
export function SortHeader({ sort, place, className, onSort, children }: Props) {
  if (!sort)
    return (
      <th scope="col" className={className}>
        {children}
      </th>
    );
  const active = place.sort === sort;
  const direction = active ? place.direction : firstDirection(sort);
  return (
    <th
      scope="col"
      className={className}
      aria-sort={active ? (direction === 'asc' ? 'ascending' : 'descending') : 'none'}
    >
      <button type="button" className={styles.sort} data-active={active || undefined} onClick={() => onSort(sort)}>
        <span>{children}</span>
        <svg className={styles.arrows} width="8" height="12" viewBox="0 0 8 12" aria-hidden="true">
          <path d="M4 0 7.5 5h-7z" data-on={(active && direction === 'asc') || undefined} />
          <path d="M4 12 .5 7h7z" data-on={(active && direction === 'desc') || undefined} />
        </svg>
      </button>
    </th>
  );
}
