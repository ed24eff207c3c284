import type { Worker } from '@pool/shared';
import { Link, useLocation } from '@pool/shared/router';
import styles from './list.module.css';

/** A link that opens a worker; it covers the whole row or card. Filter and sort in the URL stay. `shown`: its name, shortened. */
export function WorkerLink({ worker: { id, name }, shown = name }: { worker: Worker; shown?: string }) {
  const { search } = useLocation();
  return (
    <Link
      className={styles.link}
      to={{ pathname: `../${id}`, search }}
      data-worker={id}
      title={shown === name ? undefined : name}
      aria-label={shown === name ? undefined : name}
    >
      <bdi>{shown}</bdi>
    </Link>
  );
}
