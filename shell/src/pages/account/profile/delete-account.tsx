import type { Answer, ApiClient } from '@pool/shared';
import { useTranslation } from '@pool/shared/i18n';
import { queryOptions, useQuery } from '@pool/shared/query';
import { useApi, useServices, useSession } from '@pool/shared/remote';
import { Button, Panel, QueryState, SkeletonRows } from '@pool/shared/ui/core';
import { TextField, useFormMutation } from '@pool/shared/ui/form';
import { FormDialog } from '@pool/shared/ui/overlay';
import { useState } from 'react';
import { useAuthState } from '../../../auth';
import { useActIn } from '../../../auth/use-act-in';
import common from '@pool/shared/ui/common.module.css';
import styles from '../form.module.css';

const closingQuery = (api: ApiClient) =>
  queryOptions({
    queryKey: ['account', 'closing'],
    queryFn: ({ signal }) => api('GET /account/closing', { signal }),
  });

const TEXTS = {
  person: { title: 'account.close', what: 'account.close.what', text: 'account.close.text' },
  organization: { title: 'account.org.close', what: 'account.org.close.what', text: 'account.org.close.text' },
} as const;
type Of = keyof typeof TEXTS;

/** Says what keeps the account of the person or the organization; where nothing does, deletes it by its typed name. */
export function DeleteAccount({ of = 'person' }: { of?: Of }) {
  const { t } = useTranslation();
  const texts = TEXTS[of];
  const closing = useQuery(closingQuery(useApi()));
  const [asked, setAsked] = useState(false);
  const obstacles = closing.data?.obstacles;
  return (
    <Panel stacked title={t(texts.title)}>
      <p className={common.hint}>{t(texts.what)}</p>
      <QueryState query={closing}>
        <SkeletonRows rows={1} height={36} />
      </QueryState>
      {obstacles && obstacles.length > 0 && <Obstacles obstacles={obstacles} />}
      {obstacles?.length === 0 && (
        <div className={common.buttons}>
          <Button danger onClick={() => setAsked(true)}>
            {t(texts.title)}
          </Button>
        </div>
      )}
      {asked && <Confirm of={of} onClose={() => setAsked(false)} />}
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
                <bdi className={common.strong}>{account}</bdi>
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

function Confirm({ of, onClose }: { of: Of; onClose(): void }) {
  const { t } = useTranslation();
  const texts = TEXTS[of];
  const { api, queryClient, report } = useServices();
  const { userName } = useSession();
  const { signOut } = useAuthState();
  const actIn = useActIn();
  const [typed, setTyped] = useState('');
  const close = useFormMutation({
    send: (api) => api('DELETE /account'),
    // The sign-in service may already have forgotten the session of a person.
    onDone: () => (of === 'person' ? void signOut().catch(report) : actIn(null)),
  });
  return (
    <FormDialog
      danger
      title={t('account.close.title', { name: userName })}
      okText={t(texts.title)}
      ready={typed === userName && !close.isSuccess}
      change={close}
      onSubmit={() => close.mutate(undefined, { onError: () => queryClient.invalidateQueries(closingQuery(api)) })}
      onCancel={onClose}
    >
      <p>{t(texts.text)}</p>
      <TextField isCode label={t('account.close.type', { name: userName })} value={typed} onChange={setTyped} />
    </FormDialog>
  );
}
