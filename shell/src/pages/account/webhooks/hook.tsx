import type { Webhook } from '@pool/shared/api/contract';
import { useTranslation } from '@pool/shared/i18n';
import { useApi } from '@pool/shared/remote';
import { Button, Notice, Panel, useConfirm, useFormat } from '@pool/shared/ui/core';
import { IfMayEdit, pageHeading, Problem, useFormMutation } from '@pool/shared/ui/form';
import { Deliveries } from './deliveries';
import { deliveriesQuery, hooksQuery } from './queries';
import styles from '../form.module.css';

export function Hook({ hook, onEdit }: { hook: Webhook; onEdit(): void }) {
  const { t } = useTranslation();
  const { moment, list } = useFormat();
  const confirm = useConfirm();
  const api = useApi();
  const { id, url, events, stoppedAt } = hook;
  const test = useFormMutation({
    send: () => api('POST /webhooks/{id}/test', { params: { id } }),
    reads: [deliveriesQuery(api, id).queryKey],
  });
  const remove = useFormMutation({
    send: () => api('DELETE /webhooks/{id}', { params: { id } }),
    said: () => t('account.webhook.deleted'),
    reads: [hooksQuery(api).queryKey],
    focus: pageHeading,
  });
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
            <Button loading={test.isPending} disabled={stoppedAt !== null} onClick={() => test.mutate()}>
              {t('account.webhook.test')}
            </Button>
            <Button onClick={onEdit}>{t('account.webhook.change')}</Button>
            <Button
              type="text"
              loading={remove.isPending}
              onClick={() =>
                confirm({
                  title: t('account.webhook.deleteTitle'),
                  content: t('account.webhook.deleteText'),
                  okText: t('account.webhook.delete'),
                  onOk: () => remove.mutate(),
                })
              }
            >
              {t('account.webhook.delete')}
            </Button>
          </div>
        </IfMayEdit>
        <Problem error={test.error ?? remove.error} />
        <Deliveries id={id} />
      </div>
    </Panel>
  );
}
