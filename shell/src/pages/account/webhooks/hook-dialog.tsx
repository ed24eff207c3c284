import { ApiError, type Answer } from '@pool/shared';
import type { TelegramEvent, Webhook } from '@pool/shared/api/contract';
import { TELEGRAM_EVENTS } from '@pool/shared/domain';
import { useTranslation } from '@pool/shared/i18n';
import { useApi } from '@pool/shared/remote';
import { TextField, useFormMutation, useMayEdit } from '@pool/shared/ui/form';
import { FormDialog } from '@pool/shared/ui/overlay';
import { useState } from 'react';
import { Ticks } from '../parts';
import { hooksQuery } from './queries';

const DEFAULTS: readonly TelegramEvent[] = ['offline', 'recovered', 'wallet'];
/** What a member chooses who sees money and changes no machines. */
const OF_MONEY: readonly TelegramEvent[] = ['payment', 'wallet', 'digest'];

type Props = { hook: Webhook | null; onMade(made: Answer<'POST /webhooks'>): void; onClose(): void };

/** Makes a webhook, or changes `hook`. */
export function HookDialog({ hook, onMade, onClose }: Props) {
  const { t } = useTranslation();
  const reads = [hooksQuery(useApi()).queryKey];
  const [url, setUrl] = useState(hook?.url ?? '');
  const offered = useMayEdit('workers') ? TELEGRAM_EVENTS : OF_MONEY;
  const [events, setEvents] = useState<readonly TelegramEvent[]>(
    hook?.events ?? DEFAULTS.filter((event) => offered.includes(event)),
  );
  const body = { url: url.trim(), events: [...events] };
  const change = useFormMutation({
    send: async (api) => {
      if (!hook) return api('POST /webhooks', { body });
      await api('PUT /webhooks/{id}', { params: { id: hook.id }, body });
      return null;
    },
    reads,
    onDone: (made) => {
      onClose();
      if (made) onMade(made);
    },
  });
  // An address that is not allowed is said where it is typed.
  const isUrl = change.error instanceof ApiError && change.error.status === 422;
  return (
    <FormDialog
      title={t(hook ? 'account.webhook.change' : 'account.webhook.new')}
      okText={t(hook ? 'account.save' : 'account.webhook.make')}
      ready={URL.canParse(body.url)}
      change={isUrl ? { ...change, error: null } : change}
      onSubmit={() => change.mutate()}
      onCancel={onClose}
    >
      <TextField
        label={t('account.webhook.url')}
        hint={t('account.webhook.urlHint')}
        error={isUrl && change.text}
        isCode
        type="url"
        placeholder="https://"
        maxLength={500}
        value={url}
        onChange={setUrl}
      />
      <Ticks
        label={t('account.webhook.events')}
        inColumns
        options={offered}
        chosen={events}
        nameOf={(event) => t(`account.telegram.event.${event}`)}
        onChange={setEvents}
      />
    </FormDialog>
  );
}
