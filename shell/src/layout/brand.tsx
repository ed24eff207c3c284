import { Link } from '@pool/shared/router';
import { Mark } from './mark';
import styles from './brand.module.css';

export function Brand({ short = false }: { short?: boolean }) {
  return (
    <Link to="/" reloadDocument className={styles.brand} aria-label="Mining Pool">
      <Mark />
      {!short && <span className={styles.name}>Mining Pool</span>}
    </Link>
  );
}
