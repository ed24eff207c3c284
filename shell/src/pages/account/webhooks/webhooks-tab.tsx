import type { Answer } from '@pool/shared';
import type { Webhook } from '@pool/shared/api/contract';
import { useTranslation } from '@pool/shared/i18n';
import { useQuery } from '@pool/shared/query';
import { useApi } from '@pool/shared/remote';
import { Button, CopyField, Empty, Notice, Panel, QueryState, SkeletonRows } from '@pool/shared/ui/core';
import { useMayEdit } from '@pool/shared/ui/form';
import { Modal } from '@pool/shared/ui/overlay';
import { useState } from 'react';
import styles from '../form.module.css';
import { Hook } from './hook';
import { HookDialog } from './hook-dialog';
import { hooksQuery } from './queries';

/** Addresses that get this account's notifications. */
export default function WebhooksTab() {
  const { t } = useTranslation();
  const hooks = useQuery(hooksQuery(useApi()));
  const mayEdit = useMayEdit();
  const [edited, setEdited] = useState<Webhook | 'new' | null>(null);
  const [made, setMade] = useState<Answer<'POST /webhooks'> | null>(null);
  const { data } = hooks;
  const add = mayEdit && (
    <Button type="primary" onClick={() => setEdited('new')}>
      {t('account.webhook.new')}
    </Button>
  );
  return (
    <>
      {!data?.length && (
        <Panel title={t('account.tab.webhooks')}>
          <QueryState query={hooks}>
            <SkeletonRows rows={3} />
          </QueryState>
          {data && (
            <Empty title={t('account.webhook.empty')} action={add}>
              {t('account.webhook.what')}
            </Empty>
          )}
        </Panel>
      )}
      {data && data.length > 0 && (
        <div className={styles.cardHead}>
          <p className={styles.hint}>{t('account.webhook.what')}</p>
          {add}
        </div>
      )}
      {data?.map((hook) => (
        <Hook key={hook.id} hook={hook} onEdit={() => setEdited(hook)} />
      ))}
      {edited && (
        <HookDialog hook={edited === 'new' ? null : edited} onMade={setMade} onClose={() => setEdited(null)} />
      )}
      {made && (
        // It is shown this once: a click beside the dialog does not close it.
        <Modal
          open
          centered
          mask={{ closable: false }}
          title={t('account.webhook.secret')}
          footer={<Button onClick={() => setMade(null)}>{t('account.webhook.done')}</Button>}
          onCancel={() => setMade(null)}
        >
          <div className={styles.stack}>
            <div role="status">
              <Notice tone="info" state="final">
                {t('account.webhook.once')}
              </Notice>
            </div>
            <CopyField size="large" label={t('account.webhook.secret')} value={made.secret} />
            <p className={styles.hint}>{t('account.webhook.verify')}</p>
          </div>
        </Modal>
      )}
    </>
  );
}
