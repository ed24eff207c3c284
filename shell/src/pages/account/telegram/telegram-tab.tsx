import { useTranslation, LANGUAGE_NAMES, LANGUAGES } from '@pool/shared/i18n';
import { useQuery, useMutation, useQueryClient } from '@pool/shared/query';
import { useApi, subAccountsQuery, useSession } from '@pool/shared/remote';
import { Panel, QueryState, SkeletonRows, Notice, useFormat } from '@pool/shared/ui/core';
import { ActionButton, useMayEdit, Problem, SelectField } from '@pool/shared/ui/form';
import { ConnectPanel } from './connect-panel';
import { connectionsQuery, chatName } from './queries';
import type { TelegramConnection, TelegramSettings } from '@pool/shared/api/contract';
import { TELEGRAM_EVENTS } from '@pool/shared/domain';
import common from '@pool/shared/ui/common.module.css';
import styles from '../form.module.css';
import { Ticks } from '../parts';

export default function TelegramTab() {
  const { t } = useTranslation();
  const connections = useQuery(connectionsQuery(useApi()));
  const mayEdit = useMayEdit('person');
  const { data } = connections;
  // A chat that is not confirmed yet is in the panel that connects it.
  const chats = data?.filter(({ status }) => status !== 'pending');
  return (
    <>
      {mayEdit && <ConnectPanel />}
      {!data && (
        <Panel title={t('account.telegram.chats')}>
          <QueryState query={connections}>
            <SkeletonRows rows={3} />
          </QueryState>
        </Panel>
      )}
      {!mayEdit && chats?.length === 0 && <Panel title={t('account.telegram.chats')}>{t('account.none')}</Panel>}
      {chats?.map((connection) => (
        <Connection key={connection.id} connection={connection} />
      ))}
    </>
  );
}

/** A linked chat: what it hears of. Each change is saved at once. */
function Connection({ connection }: { connection: TelegramConnection }) {
  const { t } = useTranslation();
  const { moment } = useFormat();
  const api = useApi();
  const queryClient = useQueryClient();
  const mayEdit = useMayEdit('person');
  const accounts = useQuery(subAccountsQuery(api, useSession().userId));
  const { id, username, status, linkedAt, events, subAccountIds, language } = connection;
  const name = username === null ? t('account.telegram.noName') : chatName(username);
  const query = connectionsQuery(api);
  const change = useMutation({
    mutationFn: (body: TelegramSettings) => api('PUT /telegram/{id}', { params: { id }, body }),
    onSuccess: (changed) =>
      queryClient.setQueryData(query.queryKey, (all) => all?.map((each) => (each.id === changed.id ? changed : each))),
    onError: () => queryClient.invalidateQueries(query),
  });
  // What was just ticked is shown before the server has answered.
  const shown = { events, subAccountIds, language, ...(change.isPending ? change.variables : {}) };
  return (
    <Panel stacked title={name} extra={linkedAt && t('account.telegram.since', { time: moment(linkedAt) })}>
      {status === 'blocked' && (
        <Notice tone="warn" state="review">
          {t('account.telegram.blocked')}
        </Notice>
      )}
      <Ticks
        label={t('account.telegram.events')}
        inColumns
        options={TELEGRAM_EVENTS}
        chosen={shown.events}
        nameOf={(event) => t(`account.telegram.event.${event}`)}
        disabled={!mayEdit}
        onChange={(chosen) => change.mutate({ events: chosen })}
      />
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
        <div className={common.buttons}>
          <ActionButton
            disabled={status !== 'linked'}
            text={t('account.telegram.test')}
            send={() => api('POST /telegram/{id}/test', { params: { id } })}
            said={() => t('account.telegram.tested')}
          />
          <ActionButton
            type="text"
            text={t('account.telegram.unlink')}
            question={{
              title: t('account.telegram.unlinkTitle', { name }),
              content: t('account.telegram.unlinkText'),
            }}
            send={() => api('DELETE /telegram/{id}', { params: { id } })}
            said={() => t('account.telegram.unlinked', { name })}
            reads={[query.queryKey]}
          />
        </div>
      )}
      <Problem error={change.error} />
    </Panel>
  );
}
