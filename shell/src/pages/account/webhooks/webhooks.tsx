import type { Answer } from '@pool/shared';
import type { Webhook } from '@pool/shared/api/contract';
import { useTranslation } from '@pool/shared/i18n';
import { useQuery } from '@pool/shared/query';
import { useApi } from '@pool/shared/remote';
import { Button, CopyField, QueryState, SkeletonRows, Notice, Panel, useFormat } from '@pool/shared/ui/core';
import { ActionButton, useMayEdit, IfMayEdit, pageHeading } from '@pool/shared/ui/form';
import { useState } from 'react';
import { ListSection, MadeBy, ShownOnce } from '../parts';
import { HookDialog } from './hook-dialog';
import { hooksQuery, deliveriesQuery } from './queries';
import common from '@pool/shared/ui/common.module.css';
import { Deliveries } from './deliveries';

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
      <p className={common.hint}>{t('account.webhook.what')}</p>
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
          <p className={common.hint}>{t('account.webhook.verify')}</p>
        </ShownOnce>
      )}
    </ListSection>
  );
}

function Hook({ hook, onEdit }: { hook: Webhook; onEdit(): void }) {
  const { t } = useTranslation();
  const { moment, list } = useFormat();
  const api = useApi();
  const { id, by, url, events, stoppedAt } = hook;
  const chosen = events.map((event) => t(`account.telegram.event.${event}`));
  return (
    <Panel stacked title={url}>
      {stoppedAt && (
        <Notice tone="warn" state="review">
          {t('account.webhook.stopped', { time: moment(stoppedAt) })}
        </Notice>
      )}
      <p className={common.hint}>
        {chosen.length ? list(chosen) : t('account.webhook.noEvents')}
        {by !== undefined && <MadeBy name={by} />}
      </p>
      <IfMayEdit of="webhooks">
        <div className={common.buttons}>
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
    </Panel>
  );
}
