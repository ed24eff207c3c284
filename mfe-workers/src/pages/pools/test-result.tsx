import { useTranslation } from '@pool/shared/i18n';
import { StateGlyph } from '@pool/shared/ui/core';
import { Problem } from '@pool/shared/ui/form';
import type { useTestPool } from '../../api/saved-pools';
import styles from './test-result.module.css';

const GLYPHS = { ok: 'final', refused: 'down', timeout: 'down', auth_failed: 'auth_failed' } as const;

/** What a connection test found, in a sentence. */
export function TestResult({ test }: { test: ReturnType<typeof useTestPool> }) {
  const { t } = useTranslation();
  if (test.error) return <Problem error={test.error} />;
  const result = test.data?.result;
  return (
    <p className={styles.result} role="status">
      <StateGlyph state={result ? GLYPHS[result] : 'pending'} />
      <span>{t(`workers.pools.test.${test.isPending ? 'running' : result}`)}</span>
    </p>
  );
}
