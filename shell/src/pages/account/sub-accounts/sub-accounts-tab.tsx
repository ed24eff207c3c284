import { useTranslation } from '@pool/shared/i18n';
import { useQuery } from '@pool/shared/query';
import { subAccountsQuery, useApi, useSession } from '@pool/shared/remote';
import { Button, QueryError } from '@pool/shared/ui/core';
import { IfMayEdit } from '@pool/shared/ui/form';
import { useMemo, useRef, useState } from 'react';
import { ListSection } from '../list-section';
import { factsQuery } from '../queries';
import { CreateDialog } from './create-dialog';
import { SubAccountList, type Row } from './list';
import { MinerPasswordDialog } from './miner-password-dialog';

export default function SubAccountsTab() {
  const { t } = useTranslation();
  const api = useApi();
  const { userId, userName } = useSession();
  const accounts = useQuery(subAccountsQuery(api, userId));
  const facts = useQuery(factsQuery(api));
  const pool = useQuery({
    queryKey: ['poolConnection'],
    queryFn: ({ signal }) => api('GET /poolConnection', { signal }),
    staleTime: Infinity,
  });
  const opener = useRef<HTMLButtonElement>(null);
  const [creating, setCreating] = useState(false);
  const [edited, setEdited] = useState<Row | null>(null);
  const rows = useMemo(
    () =>
      (accounts.data?.subAccounts ?? []).map((account): Row => ({
        ...account,
        primary: account.name === userName,
        facts: facts.data?.find(({ id }) => id === account.id),
        ports: (pool.data ?? []).map(({ algorithm, port }) => ({
          algorithm,
          port: account.ports[algorithm] ?? account.proxyPort ?? port,
        })),
      })),
    [accounts.data, facts.data, pool.data, userName],
  );
  return (
    <>
      <ListSection
        title={t('account.tab.sub-accounts')}
        extra={
          <IfMayEdit>
            <Button ref={opener} type="primary" onClick={() => setCreating(true)}>
              {t('account.sub.create')}
            </Button>
          </IfMayEdit>
        }
      >
        <QueryError query={facts} />
        <SubAccountList rows={rows} loading={accounts.isPending} onPassword={setEdited} />
      </ListSection>
      {creating && <CreateDialog focus={() => opener.current} onClose={() => setCreating(false)} />}
      {edited && (
        <MinerPasswordDialog
          account={edited.name}
          isSet={edited.facts?.minerPasswordSet ?? false}
          onClose={() => setEdited(null)}
        />
      )}
    </>
  );
}
