import { ApiError } from '@pool/shared';
import { useTranslation } from '@pool/shared/i18n';
import { ErrorPanel, StateGlyph } from '@pool/shared/ui/core';
import styles from './problem.module.css';

/** Why a change was not made, where it was asked for. Codes that these pages know have a text of their own. */
export function Problem({ error }: { error: unknown }) {
  const { t, i18n } = useTranslation();
  const key = error instanceof ApiError ? `workers.error.${error.code}` : '';
  if (!i18n.exists(key)) return <ErrorPanel error={error} />;
  return (
    <p role="alert" className={styles.problem}>
      <StateGlyph state="failed" />
      <span>{t(key)}</span>
    </p>
  );
}
