import { useTranslation } from '@pool/shared/i18n';
import { useQuery } from '@pool/shared/query';
import { useApi } from '@pool/shared/remote';
import { Loading, Panel, QueryError, SkeletonRows } from '@pool/shared/ui/core';
import { useMayEdit } from '@pool/shared/ui/form';
import { ConnectPanel } from './connect-panel';
import { Connection } from './connection';
import { connectionsQuery } from './queries';

export default function TelegramTab() {
  const { t } = useTranslation();
  const connections = useQuery(connectionsQuery(useApi()));
  const mayEdit = useMayEdit('person');
  const { data, error } = connections;
  // A chat that is not confirmed yet is in the panel that connects it.
  const chats = data?.filter(({ status }) => status !== 'pending');
  return (
    <>
      {mayEdit && <ConnectPanel />}
      {!data && (
        <Panel title={t('account.telegram.chats')}>
          <QueryError query={connections} />
          {!error && (
            <Loading>
              <SkeletonRows rows={3} />
            </Loading>
          )}
        </Panel>
      )}
      {!mayEdit && chats?.length === 0 && <Panel title={t('account.telegram.chats')}>{t('account.none')}</Panel>}
      {chats?.map((connection) => (
        <Connection key={connection.id} connection={connection} />
      ))}
    </>
  );
}
