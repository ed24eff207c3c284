import type { Webhook } from '@pool/shared/api/contract';
import { useTranslation } from '@pool/shared/i18n';
import { useApi } from '@pool/shared/remote';
import { Button, Notice, Panel, useFormat } from '@pool/shared/ui/core';
import { IfMayEdit, pageHeading } from '@pool/shared/ui/form';
import { ActionButton } from '../parts';
import { Deliveries } from './deliveries';
import { deliveriesQuery, hooksQuery } from './queries';
import styles from '../form.module.css';

export function Hook({ hook, onEdit }: { hook: Webhook; onEdit(): void }) {
  const { t } = useTranslation();
  const { moment, list } = useFormat();
  const api = useApi();
  const { id, url, events, stoppedAt } = hook;
  const chosen = events.map((event) => t(`account.telegram.event.${event}`));
  return (
    <Panel title={url}>
      <div className={styles.stack}>
        {stoppedAt && (
          <Notice tone="warn" state="review">
            {t('account.webhook.stopped', { time: moment(stoppedAt) })}
          </Notice>
        )}
        <p className={styles.hint}>{chosen.length ? list(chosen) : t('account.webhook.noEvents')}</p>
        <IfMayEdit of="webhooks">
          <div className={styles.actions}>
            <ActionButton
              disabled={stoppedAt !== null}
              text={t('account.webhook.test')}
              send={() => api('POST /webhooks/{id}/test', { params: { id } })}
              reads={[deliveriesQuery(api, id).queryKey]}
            />
            <Button onClick={onEdit}>{t('account.webhook.change')}</Button>
            <ActionButton
              type="text"
              text={t('account.webhook.delete')}
              question={{ title: t('account.webhook.deleteTitle'), content: t('account.webhook.deleteText') }}
              send={() => api('DELETE /webhooks/{id}', { params: { id } })}
              said={() => t('account.webhook.deleted')}
              reads={[hooksQuery(api).queryKey]}
              focus={pageHeading}
            />
          </div>
        </IfMayEdit>
        <Deliveries id={id} />
      </div>
    </Panel>
  );
}
