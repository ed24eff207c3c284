import { useTranslation } from '@pool/shared/i18n';
import { Form, Input } from '@pool/shared/ui/form';
import { Modal } from '@pool/shared/ui/overlay';
import { useMakeGroup, useRenameGroup } from '../../api/worker-groups';
import { Problem } from '../frame/problem';

/** Makes a group, or renames the one named `name`. */
export function GroupDialog({ name, onClose }: { name: string | null; onClose(): void }) {
  const { t } = useTranslation();
  const [form] = Form.useForm<{ name: string }>();
  const make = useMakeGroup();
  const rename = useRenameGroup();
  const error = make.error ?? rename.error;
  const submit = (given: string) => {
    const next = given.trim();
    const done = { onSuccess: onClose };
    if (name === null) make.mutate(next, done);
    else rename.mutate({ name, next }, done);
  };
  return (
    <Modal
      open
      title={name === null ? t('workers.groups.new') : t('workers.groups.renameTitle', { name })}
      okText={t(name === null ? 'workers.groups.make' : 'workers.groups.rename')}
      cancelText={t('workers.groups.cancel')}
      confirmLoading={make.isPending || rename.isPending}
      onOk={() => form.submit()}
      onCancel={onClose}
    >
      <Form
        form={form}
        layout="vertical"
        requiredMark={false}
        initialValues={{ name: name ?? '' }}
        onFinish={(fields) => submit(fields.name)}
      >
        <Form.Item
          name="name"
          label={t('workers.groups.name')}
          rules={[{ required: true, whitespace: true, message: t('workers.groups.nameNeeded') }]}
        >
          <Input maxLength={64} autoFocus autoComplete="off" />
        </Form.Item>
        {error && <Problem error={error} />}
      </Form>
    </Modal>
  );
}
