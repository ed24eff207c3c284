import { useTranslation } from '@pool/shared/i18n';
import { StateGlyph } from '@pool/shared/ui/core';
import { Problem } from '@pool/shared/ui/form';
import type { useTestPool } from '../../api/saved-pools';
import styles from './test-result.module.css';

const STEPS = ['reached', 'subscribed', 'authorized', 'work'] as const;
/**
 * How many steps were done. Of a pool that is not reached the server does not say how far the connection came
 * (docs/security.md).
 */
const DONE = { ok: STEPS.length, auth_failed: 2, refused: 0, timeout: 0 } as const;

export function TestResult({ test }: { test: ReturnType<typeof useTestPool> }) {
  const { t } = useTranslation();
  if (test.error) return <Problem error={test.error} />;
  const result = test.isPending ? undefined : test.data?.result;
  return (
    <ul className={styles.result} role="status">
      {STEPS.slice(0, result ? DONE[result] : 0).map((step) => (
        <li key={step}>
          <StateGlyph state="final" />
          {t(`workers.pools.test.step.${step}`)}
        </li>
      ))}
      {result !== 'ok' && (
        <li>
          <StateGlyph state={result === undefined ? 'pending' : result === 'auth_failed' ? 'auth_failed' : 'down'} />
          {t(`workers.pools.test.${result ?? 'running'}`)}
        </li>
      )}
    </ul>
  );
}
