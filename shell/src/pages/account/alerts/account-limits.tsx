import { ALGORITHMS, DEFAULT_ALGORITHM, parseHashrate, type AlgorithmName } from '@pool/shared';
import type { AccountLimit } from '@pool/shared/api/contract';
import { useTranslation } from '@pool/shared/i18n';
import { useQuery } from '@pool/shared/query';
import { subAccountsQuery, useApi, useSession } from '@pool/shared/remote';
import { Button, Panel, QueryError, useFormat } from '@pool/shared/ui/core';
import {
  AlgorithmField,
  Form,
  Problem,
  SelectField,
  TextField,
  useFormMutation,
  useMayEdit,
} from '@pool/shared/ui/form';
import { useState } from 'react';
import common from '@pool/shared/ui/common.module.css';
import styles from '../form.module.css';
import { limitsQuery } from './queries';

type Change = { account: string; algorithm: AlgorithmName; hashrate: number | null };

/** Hashrates below which a whole account is told of. */
export function AccountLimits() {
  const { t } = useTranslation();
  const api = useApi();
  const mayEdit = useMayEdit('workers');
  const { hashrateText } = useFormat();
  const limits = useQuery(limitsQuery(api));
  const save = useFormMutation({
    send: (call, body: Change) => call('PUT /accountLimits', { body }),
    reads: [limitsQuery(api).queryKey],
  });
  const nameOf = ({ account, algorithm }: AccountLimit) => `${account} · ${ALGORITHMS[algorithm].label}`;
  return (
    <Panel stacked title={t('account.limit.title')}>
      <p className={common.hint}>{t('account.limit.what')}</p>
      <QueryError query={limits} />
      {limits.data?.map((limit) => (
        <div key={nameOf(limit)} className={styles.row}>
          <span>
            <bdi>{nameOf(limit)}</bdi>: <bdi>{hashrateText(limit.hashrate)}</bdi>
          </span>
          {mayEdit && (
            <Button
              size="small"
              aria-label={`${t('account.limit.end')}: ${nameOf(limit)}`}
              onClick={() => save.mutate({ ...limit, hashrate: null })}
            >
              {t('account.limit.end')}
            </Button>
          )}
        </div>
      ))}
      {mayEdit && <NewLimit saving={save.isPending} onSave={save.mutate} />}
      <Problem error={save.error} />
    </Panel>
  );
}

function NewLimit({ saving, onSave }: { saving: boolean; onSave(change: Change): void }) {
  const { t } = useTranslation();
  const api = useApi();
  const { userId, account: shown } = useSession();
  const accounts = useQuery(subAccountsQuery(api, userId)).data?.subAccounts ?? [];
  const [account, setAccount] = useState(shown);
  const [algorithm, setAlgorithm] = useState<AlgorithmName>(DEFAULT_ALGORITHM);
  const [text, setText] = useState('');
  const hashrate = parseHashrate(text);
  return (
    <Form
      className={styles.filters}
      onSubmit={() => {
        onSave({ account, algorithm, hashrate });
        setText('');
      }}
    >
      <SelectField
        label={t('account.limit.account')}
        value={account}
        onChange={setAccount}
        options={accounts.map(({ name }) => ({ value: name, label: name }))}
      />
      <AlgorithmField label={t('account.limit.algorithm')} value={algorithm} onChange={setAlgorithm} />
      <TextField label={t('account.limit.hashrate')} value={text} onChange={setText} isCode placeholder="90 TH/s" />
      <Button htmlType="submit" loading={saving} disabled={!hashrate}>
        {t('account.limit.set')}
      </Button>
    </Form>
  );
}
