import type { TelegramConnection, TelegramSettings } from '@pool/shared/api/contract';
import { TELEGRAM_EVENTS } from '@pool/shared/domain';
import { LANGUAGE_NAMES, LANGUAGES, useTranslation } from '@pool/shared/i18n';
import { useMutation, useQuery, useQueryClient } from '@pool/shared/query';
import { subAccountsQuery, useApi, useSession } from '@pool/shared/remote';
import { Button, Notice, Panel, useConfirm, useFormat, useToasts } from '@pool/shared/ui/core';
import { Checkbox, FieldGroup, Problem, SelectField, useMayEdit } from '@pool/shared/ui/form';
import styles from '../form.module.css';
import { chatName, connectionsQuery } from './queries';

/** A linked chat: what it hears of. Each change is saved at once. */
export function Connection({ connection }: { connection: TelegramConnection }) {
  const { t } = useTranslation();
  const { moment } = useFormat();
  const api = useApi();
  const queryClient = useQueryClient();
  const toasts = useToasts();
  const confirm = useConfirm();
  const mayEdit = useMayEdit('person');
  const accounts = useQuery(subAccountsQuery(api, useSession().userId));
  const { id, username, status, linkedAt, events, subAccountIds, language } = connection;
  const name = username === null ? t('account.telegram.noName') : chatName(username);
  const reload = () => queryClient.invalidateQueries(connectionsQuery(api));
  const change = useMutation({
    mutationFn: (body: TelegramSettings) => api('PUT /telegram/{id}', { params: { id }, body }),
    onSuccess: (changed) =>
      queryClient.setQueryData(connectionsQuery(api).queryKey, (all) =>
        all?.map((each) => (each.id === changed.id ? changed : each)),
      ),
    onError: reload,
  });
  const test = useMutation({
    mutationFn: () => api('POST /telegram/{id}/test', { params: { id } }),
    onSuccess: () => toasts.success(t('account.telegram.tested')),
  });
  const unlink = useMutation({
    mutationFn: () => api('DELETE /telegram/{id}', { params: { id } }),
    onSuccess: () => {
      toasts.success(t('account.telegram.unlinked', { name }));
      return reload();
    },
  });
  // What was just ticked is shown before the server has answered.
  const shown = { events, subAccountIds, language, ...(change.isPending ? change.variables : {}) };
  const failed = change.error ?? test.error ?? unlink.error;
  return (
    <Panel title={name} extra={linkedAt && t('account.telegram.since', { time: moment(linkedAt) })}>
      <div className={styles.stack}>
        {status === 'blocked' && (
          <Notice tone="warn" state="review">
            {t('account.telegram.blocked')}
          </Notice>
        )}
        <FieldGroup label={t('account.telegram.events')}>
          <div className={styles.ticks}>
            {TELEGRAM_EVENTS.map((event) => (
              <Checkbox
                key={event}
                disabled={!mayEdit}
                checked={shown.events.includes(event)}
                onChange={({ target }) =>
                  change.mutate({
                    events: TELEGRAM_EVENTS.filter((each) =>
                      each === event ? target.checked : shown.events.includes(each),
                    ),
                  })
                }
              >
                {t(`account.telegram.event.${event}`)}
              </Checkbox>
            ))}
          </div>
        </FieldGroup>
        <div className={styles.form}>
          <SelectField
            label={t('account.telegram.accounts')}
            hint={t('account.telegram.accountsHint')}
            mode="multiple"
            disabled={!mayEdit}
            value={shown.subAccountIds}
            placeholder={t('account.telegram.allAccounts')}
            options={(accounts.data?.subAccounts ?? []).map((account) => ({ value: account.id, label: account.name }))}
            onChange={(subAccountIds) => change.mutate({ subAccountIds })}
          />
          <SelectField
            label={t('account.telegram.language')}
            disabled={!mayEdit}
            value={shown.language}
            options={LANGUAGES.map((code) => ({ value: code, label: LANGUAGE_NAMES[code] }))}
            onChange={(language) => change.mutate({ language })}
          />
        </div>
        {mayEdit && (
          <div className={styles.actions}>
            <Button loading={test.isPending} disabled={status !== 'linked'} onClick={() => test.mutate()}>
              {t('account.telegram.test')}
            </Button>
            <Button
              type="text"
              loading={unlink.isPending}
              onClick={() =>
                confirm({
                  title: t('account.telegram.unlinkTitle', { name }),
                  content: t('account.telegram.unlinkText'),
                  okText: t('account.telegram.unlink'),
                  onOk: () => unlink.mutate(),
                })
              }
            >
              {t('account.telegram.unlink')}
            </Button>
          </div>
        )}
        <Problem error={failed} />
      </div>
    </Panel>
  );
}
