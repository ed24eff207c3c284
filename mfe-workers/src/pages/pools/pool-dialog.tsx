import { ApiError, type AlgorithmName } from '@pool/shared';
import { useTranslation } from '@pool/shared/i18n';
import { useServices } from '@pool/shared/remote';
import { Button, useErrorText } from '@pool/shared/ui/core';
import { AlgorithmField, TextField } from '@pool/shared/ui/form';
import { FormDialog } from '@pool/shared/ui/overlay';
import { useState } from 'react';
import { useAddToList } from '../../api/pool-lists';
import { useSavedPools, useSavePool, useTestPool } from '../../api/saved-pools';
import styles from './pool-dialog.module.css';
import { TestResult } from './test-result';

/** What the dialog is about: a saved pool, or without an id a new one for the account's list. */
export type Subject = { id?: number; algorithm: AlgorithmName };

/** Rules as the server checks them (upstream-schemas.ts). */
const RULES = {
  name: /\S/,
  url: /^\s*stratum\+(tcp|ssl):\/\/(\[[0-9A-Fa-f:.]+\]|[^\s/?#@[\]:\\]+):[1-9][0-9]{0,4}\/?(#xnsub)?\s*$/,
  user: /^[\x21-\x7e]{1,200}$/,
};
type Checked = keyof typeof RULES;
/** Whose fault an error of the server is. */
const FIELD_OF: Record<string, Checked> = { upstream_not_allowed: 'url', pool_name_taken: 'name' };
/** What the proxy replaces in the user (upstream-target.ts). */
const PLACEHOLDERS = { worker: '{worker}', account: '{account}', example: 'wallet.{worker}' };

type Props = { subject: Subject; algorithms: readonly AlgorithmName[]; onClose(): void };

export function PoolDialog({ subject, algorithms, onClose }: Props) {
  const { t } = useTranslation();
  const { account } = useServices().session;
  const known = useSavedPools().data?.find((one) => one.id === subject.id);
  const save = useSavePool();
  const add = useAddToList();
  const test = useTestPool();
  const isNew = subject.id === undefined;
  /** A new one is saved before it is put into the list, which may be refused. */
  const [id, setId] = useState(subject.id);
  const { name: oldName = '', url: oldUrl = '', user: oldUser = '' } = known ?? {};
  const [algorithm, setAlgorithm] = useState(subject.algorithm);
  const [fields, setFields] = useState({ name: oldName, url: oldUrl, user: oldUser, password: '' });
  const [checked, setChecked] = useState<readonly Checked[]>([]);
  const edit = (part: Partial<typeof fields>) => {
    setFields({ ...fields, ...part });
    test.reset();
  };
  const check = (...names: Checked[]): boolean => {
    setChecked([...checked, ...names]);
    return names.every((name) => RULES[name].test(fields[name]));
  };
  const error = save.error ?? add.error ?? test.error;
  const refused = error instanceof ApiError ? FIELD_OF[error.code] : undefined;
  const why = useErrorText(error);
  const faultOf = (name: Checked) =>
    checked.includes(name) && !RULES[name].test(fields[name])
      ? t(`workers.pools.${name}Needed`)
      : refused === name && why;

  const { url, user } = fields;
  /** An empty password of a known pool stays as it is. */
  const password = fields.password || undefined;
  const submit = async () => {
    if (!check('name', 'url', 'user')) return;
    test.reset();
    const pool = { name: fields.name.trim(), url, user, ...(password && { password }) };
    const saved = await save.mutateAsync({ id, pool: isNew ? { ...pool, algorithm } : pool });
    setId(saved.id);
    if (isNew) await add.mutateAsync(saved.id);
    onClose();
  };
  const tryIt = () => {
    if (!check('url', 'user')) return;
    // The stored password is sent only to the stored address: an untouched pool is tested by its id.
    const same = known && url === oldUrl && user === oldUser && !password;
    test.mutate(same ? { id: known.id } : { algorithm, url, user, password });
  };
  return (
    <FormDialog
      title={t(isNew ? 'workers.pools.addTitle' : 'workers.pools.editTitle', { account })}
      okText={t(isNew ? 'workers.pools.add' : 'workers.pools.save')}
      change={{
        isPending: save.isPending || add.isPending,
        error: refused ? null : (save.error ?? add.error),
        reset: save.reset,
      }}
      other={
        <Button className={styles.test} onClick={tryIt} loading={test.isPending}>
          {t('workers.pools.test')}
        </Button>
      }
      onSubmit={() => void submit().catch(() => undefined)}
      onCancel={onClose}
    >
      <TextField
        label={t('workers.pools.name')}
        error={faultOf('name')}
        maxLength={64}
        value={fields.name}
        onChange={(name) => edit({ name })}
      />
      {algorithms.length > 1 && (
        <AlgorithmField
          label={t('workers.pools.algorithm')}
          disabled={!isNew}
          algorithms={algorithms}
          value={algorithm}
          onChange={setAlgorithm}
        />
      )}
      <TextField
        isCode
        label={t('workers.pools.url')}
        error={faultOf('url')}
        placeholder="stratum+tcp://pool.example:3333"
        maxLength={300}
        value={url}
        onChange={(next) => edit({ url: next })}
      />
      <TextField
        isCode
        label={t('workers.pools.user')}
        hint={t('workers.pools.userHelp', PLACEHOLDERS)}
        error={faultOf('user')}
        maxLength={200}
        value={user}
        onChange={(next) => edit({ user: next })}
      />
      <TextField
        isSecret
        dir="ltr"
        label={t('workers.pools.password')}
        hint={t('workers.pools.passwordHelp')}
        maxLength={200}
        autoComplete="new-password"
        placeholder={known?.passwordSet ? t('workers.pools.passwordKept') : undefined}
        value={fields.password}
        onChange={(next) => edit({ password: next })}
      />
      {!test.isIdle && !refused && <TestResult test={test} />}
    </FormDialog>
  );
}
