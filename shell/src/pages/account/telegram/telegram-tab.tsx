import { useTranslation } from '@pool/shared/i18n';
import { useQuery } from '@pool/shared/query';
import { useApi } from '@pool/shared/remote';
import { Loading, Panel, QueryError, SkeletonRows } from '@pool/shared/ui/core';
import { ConnectPanel } from './connect-panel';
import { Connection } from './connection';
import { connectionsQuery } from './queries';

/** Telegram chats that hear of this account. */
export default function TelegramTab() {
  const { t } = useTranslation();
  const connections = useQuery(connectionsQuery(useApi()));
  const { data, error } = connections;
  return (
    <>
      <ConnectPanel />
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
      {/* A chat that is not confirmed yet is in the panel above. */}
      {data
        ?.filter(({ status }) => status !== 'pending')
        .map((connection) => (
          <Connection key={connection.id} connection={connection} />
        ))}
    </>
  );
}
