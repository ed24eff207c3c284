import { ALGORITHMS, ACCOUNT_NAME, ownPort } from '@pool/shared';
import { useTranslation } from '@pool/shared/i18n';
import { useQuery } from '@pool/shared/query';
import { subAccountFactsQuery, subAccountsQuery, useApi, useSession, SUB_ACCOUNT_FACTS } from '@pool/shared/remote';
import { AllAccounts, Button, QueryError, useFormat } from '@pool/shared/ui/core';
import { IfMayEdit, TextField, useFormMutation } from '@pool/shared/ui/form';
import { useMemo, useRef, useState } from 'react';
import { FormDialog } from '@pool/shared/ui/overlay';
import common from '@pool/shared/ui/common.module.css';
import styles from '../form.module.css';
import { ListSection } from '../parts';
import { SubAccountList, type Row } from './list';
import { MinerPasswordDialog } from './miner-password-dialog';

/** `focus`: the button that opened it. */
function CreateDialog({ focus, onClose }: { focus(): HTMLElement | null; onClose(): void }) {
  const { t } = useTranslation();
  const [name, setName] = useState('');
  const [malformed, setMalformed] = useState(false);
  const create = useFormMutation({
    send: (api) => api('POST /subAccounts/', { body: { name } }),
    said: (made) => t('account.sub.created', { name: made.name }),
    reads: [['subAccounts'], SUB_ACCOUNT_FACTS],
    onDone: onClose,
    focus,
  });
  const submit = () => {
    const valid = ACCOUNT_NAME.test(name);
    setMalformed(!valid);
    if (valid) create.mutate();
  };
  return (
    <FormDialog
      title={t('account.sub.create')}
      okText={t('account.sub.createButton')}
      ready={name !== ''}
      change={create}
      onSubmit={submit}
      onCancel={onClose}
    >
      <TextField
        isCode
        label={t('account.sub.name')}
        hint={t('account.sub.nameHint')}
        error={malformed && t('account.sub.malformed')}
        maxLength={32}
        value={name}
        onChange={(text) => {
          setName(text);
          setMalformed(false);
        }}
      />
    </FormDialog>
  );
}

export default function SubAccountsTab() {
  const { t } = useTranslation();
  const api = useApi();
  const { userId, userName } = useSession();
  const { list } = useFormat();
  const accounts = useQuery(subAccountsQuery(api, userId));
  const facts = useQuery(subAccountFactsQuery(api));
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
        ports: (pool.data ?? [])
          .map(({ algorithm, port }) => ({ algorithm, own: ownPort(account, algorithm), port }))
          .flatMap(({ algorithm, own, port }) => (own === null || own === port ? [] : [{ algorithm, port: own }])),
      })),
    [accounts.data, facts.data, pool.data, userName],
  );
  // Shown together: what comes later would move the list.
  const loading = [accounts, facts, pool].some(({ isPending }) => isPending);
  return (
    <>
      <ListSection
        title={t('account.tab.sub-accounts')}
        extra={
          <IfMayEdit of="account">
            <Button ref={opener} type="primary" onClick={() => setCreating(true)}>
              {t('account.sub.create')}
            </Button>
          </IfMayEdit>
        }
      >
        <QueryError query={facts} />
        {!loading && pool.data && (
          <p className={common.hint}>
            {t('account.sub.ports', {
              ports: list(pool.data.map(({ algorithm, port }) => `${ALGORITHMS[algorithm].label} ${port}`)),
            })}
          </p>
        )}
        {!loading && facts.data && rows.length > 1 && (
          <p className={styles.row}>
            <strong>{t('ui.allAccounts')}</strong> <AllAccounts facts={facts.data} />
          </p>
        )}
        <SubAccountList rows={loading ? [] : rows} loading={loading} onPassword={setEdited} />
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
