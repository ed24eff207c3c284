import type { Worker } from '@pool/shared';
import { Link, useLocation } from '@pool/shared/router';
import { BellOff } from '@pool/shared/ui/core';
import styles from './list.module.css';

/** A link that opens a worker; it covers the whole row or card. Filter and sort in the URL stay. */
export function WorkerLink({ worker: { id, name, muted } }: { worker: Worker }) {
  const { search } = useLocation();
  return (
    <>
      <Link className={styles.link} to={{ pathname: `../${id}`, search }} data-worker={id}>
        <bdi>{name}</bdi>
      </Link>
      {muted && <BellOff className={styles.muted} size={14} />}
    </>
  );
}
