import type { Answer, ApiClient } from '@pool/shared';
import { useTranslation } from '@pool/shared/i18n';
import { queryOptions, useQuery } from '@pool/shared/query';
import { useApi, useServices, useSession } from '@pool/shared/remote';
import { Button, Panel, QueryState, SkeletonRows } from '@pool/shared/ui/core';
import { TextField, useFormMutation } from '@pool/shared/ui/form';
import { FormDialog } from '@pool/shared/ui/overlay';
import { useState } from 'react';
import { useAuthState } from '../../../auth';
import styles from '../form.module.css';

const closingQuery = (api: ApiClient) =>
  queryOptions({
    queryKey: ['account', 'closing'],
    queryFn: ({ signal }) => api('GET /account/closing', { signal }),
  });

/** Says what keeps the account; where nothing does, deletes it after its name was typed. */
export function DeleteAccount() {
  const { t } = useTranslation();
  const closing = useQuery(closingQuery(useApi()));
  const [asked, setAsked] = useState(false);
  const obstacles = closing.data?.obstacles;
  return (
    <Panel title={t('account.close')}>
      <div className={styles.stack}>
        <p className={styles.hint}>{t('account.close.what')}</p>
        <QueryState query={closing}>
          <SkeletonRows rows={1} height={36} />
        </QueryState>
        {obstacles && obstacles.length > 0 && <Obstacles obstacles={obstacles} />}
        {obstacles?.length === 0 && (
          <div className={styles.actions}>
            <Button danger onClick={() => setAsked(true)}>
              {t('account.close')}
            </Button>
          </div>
        )}
      </div>
      {asked && <Confirm onClose={() => setAsked(false)} />}
    </Panel>
  );
}

function Obstacles({ obstacles }: Answer<'GET /account/closing'>) {
  const { t } = useTranslation();
  return (
    <div>
      <p>{t('account.close.obstacles')}</p>
      <ul className={styles.bullets}>
        {obstacles.map(({ account, obstacle }) => (
          <li key={`${account} ${obstacle}`}>
            {account !== null && (
              <>
                <bdi className={styles.strong}>{account}</bdi>
                {': '}
              </>
            )}
            {t(`ui.error.${obstacle}`)}
          </li>
        ))}
      </ul>
    </div>
  );
}

function Confirm({ onClose }: { onClose(): void }) {
  const { t } = useTranslation();
  const { api, queryClient, report } = useServices();
  const { userName } = useSession();
  const { signOut } = useAuthState();
  const [typed, setTyped] = useState('');
  const close = useFormMutation({
    send: (api) => api('DELETE /account'),
    // The sign-in service may already have forgotten the session.
    onDone: () => void signOut().catch(report),
  });
  return (
    <FormDialog
      danger
      title={t('account.close.title', { name: userName })}
      okText={t('account.close')}
      ready={typed === userName && !close.isSuccess}
      change={close}
      onSubmit={() => close.mutate(undefined, { onError: () => queryClient.invalidateQueries(closingQuery(api)) })}
      onCancel={onClose}
    >
      <p>{t('account.close.text')}</p>
      <TextField
        isCode
        label={t('account.close.type', { name: userName })}
        value={typed}
        onChange={(text) => {
          setTyped(text);
          close.reset();
        }}
      />
    </FormDialog>
  );
}
