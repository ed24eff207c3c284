import { ALGORITHMS, type AlgorithmName, type NewPoolConfig } from '@pool/shared';
import { useTranslation } from '@pool/shared/i18n';
import { useServices } from '@pool/shared/remote';
import { Button } from '@pool/shared/ui/core';
import { Form, Input, Select } from '@pool/shared/ui/form';
import { Modal } from '@pool/shared/ui/overlay';
import { useAddToList } from '../../api/pool-lists';
import { useSavedPools, useSavePool, useTestPool } from '../../api/saved-pools';
import { Problem } from '../frame/problem';
import styles from './pool-dialog.module.css';
import { TestResult } from './test-result';

/** What the dialog is about: a saved pool, or without an id a new one for the account's list. */
export type Subject = { id?: number; algorithm: AlgorithmName };

/** As the server checks them (upstream-schemas.ts). */
const URL = /^stratum\+(tcp|ssl):\/\/(\[[0-9A-Fa-f:.]+\]|[^\s/?#@[\]:\\]+):[1-9][0-9]{0,4}$/;
const USER = /^[\x21-\x7e]{1,200}$/;

type Fields = { name: string; algorithm: AlgorithmName; url: string; user: string; password?: string };

export function PoolDialog({
  subject,
  algorithms,
  onClose,
}: {
  subject: Subject;
  algorithms: readonly AlgorithmName[];
  onClose(): void;
}) {
  const { t } = useTranslation();
  const { account } = useServices().session;
  const [form] = Form.useForm<Fields>();
  const known = useSavedPools().data?.find(({ id }) => id === subject.id);
  const save = useSavePool();
  const add = useAddToList();
  const test = useTestPool();
  const isNew = subject.id === undefined;

  /** An empty password of a known pool stays as it is. */
  const poolOf = ({ password, ...fields }: Fields): NewPoolConfig => ({ ...fields, ...(password ? { password } : {}) });
  const submit = async (fields: Fields) => {
    const { algorithm, ...change } = poolOf(fields);
    const { id } = await save.mutateAsync({ id: subject.id, pool: isNew ? { ...change, algorithm } : change });
    if (isNew) await add.mutateAsync(id);
    onClose();
  };
  const tryIt = async () => {
    const fields = await form.validateFields(['algorithm', 'url', 'user', 'password']).catch(() => null);
    if (!fields) return;
    // The stored password is sent only to the stored address: an untouched pool is tested by its id.
    const same = known && fields.url === known.url && fields.user === known.user && !fields.password;
    test.mutate(same ? { id: known.id } : { ...fields, password: fields.password || undefined });
  };
  const error = save.error ?? add.error;
  return (
    <Modal
      open
      title={t(isNew ? 'workers.pools.addTitle' : 'workers.pools.editTitle', { account })}
      onCancel={onClose}
      footer={[
        <Button key="test" className={styles.test} onClick={() => void tryIt()} loading={test.isPending}>
          {t('workers.pools.test')}
        </Button>,
        <Button key="cancel" onClick={onClose}>
          {t('workers.pools.cancel')}
        </Button>,
        <Button key="save" type="primary" onClick={() => form.submit()} loading={save.isPending || add.isPending}>
          {t(isNew ? 'workers.pools.add' : 'workers.pools.save')}
        </Button>,
      ]}
    >
      <Form<Fields>
        form={form}
        layout="vertical"
        requiredMark={false}
        autoComplete="off"
        initialValues={known ?? { algorithm: subject.algorithm }}
        onValuesChange={() => test.reset()}
        onFinish={(fields) => void submit(fields).catch(() => undefined)}
      >
        <Form.Item
          name="name"
          label={t('workers.pools.name')}
          rules={[{ required: true, whitespace: true, max: 64, message: t('workers.pools.nameNeeded') }]}
        >
          <Input maxLength={64} autoFocus />
        </Form.Item>
        <Form.Item name="algorithm" label={t('workers.pools.algorithm')} hidden={algorithms.length < 2}>
          <Select<AlgorithmName>
            disabled={!isNew}
            options={algorithms.map((value) => ({ value, label: ALGORITHMS[value].label }))}
          />
        </Form.Item>
        <Form.Item
          name="url"
          label={t('workers.pools.url')}
          rules={[{ required: true, pattern: URL, message: t('workers.pools.urlNeeded') }]}
        >
          <Input dir="ltr" placeholder="stratum+tcp://pool.example:3333" maxLength={300} spellCheck={false} />
        </Form.Item>
        <Form.Item
          name="user"
          label={t('workers.pools.user')}
          rules={[{ required: true, pattern: USER, message: t('workers.pools.userNeeded') }]}
        >
          <Input dir="ltr" maxLength={200} spellCheck={false} autoComplete="off" />
        </Form.Item>
        <Form.Item name="password" label={t('workers.pools.password')} extra={t('workers.pools.passwordHelp')}>
          <Input.Password
            dir="ltr"
            maxLength={200}
            autoComplete="new-password"
            placeholder={known?.passwordSet ? t('workers.pools.passwordKept') : undefined}
          />
        </Form.Item>
        {!test.isIdle && <TestResult test={test} />}
        {error && <Problem error={error} />}
      </Form>
    </Modal>
  );
}
