import type { Answer } from '@pool/shared';
import type { Webhook } from '@pool/shared/api/contract';
import { useTranslation } from '@pool/shared/i18n';
import { useQuery } from '@pool/shared/query';
import { useApi } from '@pool/shared/remote';
import { Button, CopyField, QueryState, SkeletonRows } from '@pool/shared/ui/core';
import { useMayEdit } from '@pool/shared/ui/form';
import { useState } from 'react';
import { ListSection, ShownOnce } from '../parts';
import { Hook } from './hook';
import { HookDialog } from './hook-dialog';
import { hooksQuery } from './queries';
import styles from '../form.module.css';

/** Addresses that get this account's notifications. */
export function Webhooks() {
  const { t } = useTranslation();
  const hooks = useQuery(hooksQuery(useApi()));
  const mayEdit = useMayEdit('webhooks');
  const [edited, setEdited] = useState<Webhook | 'new' | null>(null);
  const [made, setMade] = useState<Answer<'POST /webhooks'> | null>(null);
  return (
    <ListSection
      title={t('account.webhook.title')}
      extra={mayEdit && <Button onClick={() => setEdited('new')}>{t('account.webhook.new')}</Button>}
    >
      <p className={styles.hint}>{t('account.webhook.what')}</p>
      <QueryState query={hooks}>
        <SkeletonRows rows={3} />
      </QueryState>
      {hooks.data?.map((hook) => (
        <Hook key={hook.id} hook={hook} onEdit={() => setEdited(hook)} />
      ))}
      {edited && (
        <HookDialog hook={edited === 'new' ? null : edited} onMade={setMade} onClose={() => setEdited(null)} />
      )}
      {made && (
        <ShownOnce
          title={t('account.webhook.secret')}
          said={t('account.webhook.once')}
          done={t('account.webhook.done')}
          onClose={() => setMade(null)}
        >
          <CopyField size="large" label={t('account.webhook.secret')} value={made.secret} />
          <p className={styles.hint}>{t('account.webhook.verify')}</p>
        </ShownOnce>
      )}
    </ListSection>
  );
}
