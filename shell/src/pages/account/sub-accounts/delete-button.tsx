import { useTranslation } from '@pool/shared/i18n';
import { useMutation, useQueryClient } from '@pool/shared/query';
import { useApi } from '@pool/shared/remote';
import { App, Button, Hint } from '@pool/shared/ui/core';
import { useProblemText } from '@pool/shared/ui/form';
import styles from '../form.module.css';
import { factsQuery } from '../queries';
import type { Row } from './list';

/** Deletes after a confirmation; says instead what keeps the sub-account, where something does. */
export function DeleteButton({ row: { id, name, facts } }: { row: Pick<Row, 'id' | 'name' | 'facts'> }) {
  const { t } = useTranslation();
  const api = useApi();
  const queryClient = useQueryClient();
  const { message, modal } = App.useApp();
  const say = useProblemText();
  const remove = useMutation({
    mutationFn: () => api('DELETE /subAccounts/{id}', { params: { id } }),
    onSuccess: () => message.success(t('account.sub.deleted', { name })),
    // What stands in the way may have changed too.
    onSettled: () =>
      Promise.all([
        queryClient.invalidateQueries({ queryKey: ['subAccounts'] }),
        queryClient.invalidateQueries(factsQuery(api)),
      ]),
  });
  if (facts?.obstacle) return <Hint text={t(`ui.error.${facts.obstacle}`)}>{t('account.sub.stays')}</Hint>;
  return (
    <>
      <Button
        size="small"
        type="text"
        loading={remove.isPending}
        aria-label={`${t('account.sub.delete')}: ${name}`}
        onClick={() =>
          modal.confirm({
            title: t('account.sub.deleteTitle', { name }),
            content: t('account.sub.deleteText'),
            okText: t('account.sub.delete'),
            cancelText: t('account.cancel'),
            onOk: () => remove.mutate(),
          })
        }
      >
        {t('account.sub.delete')}
      </Button>
      {remove.error && (
        <span role="alert" className={styles.error}>
          {say(remove.error)}
        </span>
      )}
    </>
  );
}
