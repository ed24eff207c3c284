import { useTranslation } from '@pool/shared/i18n';
import { SUB_ACCOUNT_FACTS } from '@pool/shared/remote';
import { Button, useConfirm } from '@pool/shared/ui/core';
import { pageHeading, Problem, useFormMutation } from '@pool/shared/ui/form';
import type { Row } from './list';

/** Deletes after a confirmation, which says what has to be done first where something does. */
export function DeleteButton({ row: { id, name, facts } }: { row: Pick<Row, 'id' | 'name' | 'facts'> }) {
  const { t } = useTranslation();
  const confirm = useConfirm();
  const remove = useFormMutation({
    send: (api) => api('DELETE /subAccounts/{id}', { params: { id } }),
    said: () => t('account.sub.deleted', { name }),
    // What stands in the way may have changed too.
    reads: [['subAccounts'], SUB_ACCOUNT_FACTS],
    focus: pageHeading,
  });
  return (
    <>
      <Button
        size="small"
        type="text"
        loading={remove.isPending}
        aria-label={`${t('account.sub.delete')}: ${name}`}
        onClick={() =>
          confirm({
            title: t('account.sub.deleteTitle', { name }),
            content: t(facts?.obstacle ? `ui.error.${facts.obstacle}` : 'account.sub.deleteText'),
            okText: t('account.sub.delete'),
            onOk: () => remove.mutate(),
          })
        }
      >
        {t('account.sub.delete')}
      </Button>
      <Problem error={remove.error} />
    </>
  );
}
