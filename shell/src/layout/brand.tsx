import { Link } from '@pool/shared/router';
import { Mark } from './mark';
import styles from './brand.module.css';

/** `leaves`: the landing page, which is another document, is behind it; who is signed in has the dashboard there. */
export function Brand({ short = false, leaves = false }: { short?: boolean; leaves?: boolean }) {
  return (
    <Link to="/" reloadDocument={leaves} className={styles.brand} aria-label="Mining Pool">
      <Mark />
      {!short && <span className={styles.name}>Mining Pool</span>}
    </Link>
  );
}
