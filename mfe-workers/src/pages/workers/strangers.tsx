import type { Worker } from '@pool/shared';
import { useTranslation } from '@pool/shared/i18n';
import { Button, ErrorPanel, Notice, useToasts } from '@pool/shared/ui/core';
import { useBulk } from '../../api/worker-groups';
import styles from './strangers.module.css';

const MAX_NAMES = 10;

/** Names that many miners have used within a day: the owner removes them, or says that they are theirs. */
export function Strangers({ workers }: { workers: readonly Worker[] }) {
  const { t } = useTranslation();
  const toasts = useToasts();
  const bulk = useBulk();
  const run = (action: 'confirm' | 'delete') =>
    bulk.mutate(
      { ids: workers.map(({ id }) => id), action },
      { onSuccess: (count) => toasts.success(t(`workers.strange.${action}Done`, { count })) },
    );
  const names = workers.slice(0, MAX_NAMES).map(({ name }) => name);
  return (
    <div className={styles.strangers}>
      <Notice tone="warn" state="review">
        <strong>{t('workers.strange', { count: workers.length })}</strong>{' '}
        <bdi>{names.join(', ') + (workers.length > MAX_NAMES ? ', …' : '.')}</bdi> {t('workers.strange.what')}
        <div className={styles.actions}>
          <Button danger disabled={bulk.isPending} onClick={() => run('delete')}>
            {t('workers.strange.delete')}
          </Button>
          <Button disabled={bulk.isPending} onClick={() => run('confirm')}>
            {t('workers.strange.confirm')}
          </Button>
        </div>
      </Notice>
      {bulk.error && <ErrorPanel error={bulk.error} />}
    </div>
  );
}
