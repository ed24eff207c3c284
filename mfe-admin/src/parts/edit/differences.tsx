import { useTranslation } from '@pool/shared/i18n';
import { DASH } from '@pool/shared/ui/core';
import { PlainTable } from '@pool/shared/ui/table';
import { labelOf, type Difference } from './fields';
import styles from './edit.module.css';

/** What would change, before anything does. */
export function Differences<Row extends { id: number }>({
  differences,
  nameOf,
}: {
  differences: readonly Difference<Row>[];
  nameOf: (row: Row) => string;
}) {
  const { t } = useTranslation();
  const title = (key: string) => ({ key, title: t(`admin.edit.${key}`) });
  return (
    <div className={styles.scroll}>
      <PlainTable
        label={t('admin.edit.differences')}
        columns={[
          { ...title('row'), render: ({ row }) => nameOf(row) },
          { ...title('field'), render: ({ field }) => field.title },
          {
            ...title('before'),
            render: ({ field, before }) => <bdi className={styles.before}>{labelOf(field, before) || DASH}</bdi>,
          },
          {
            ...title('after'),
            render: ({ field, after, valid }) => (
              <div className={valid ? undefined : styles.bad}>
                <bdi>{labelOf(field, after) || DASH}</bdi>
                {!valid && <div>{field.rule}</div>}
              </div>
            ),
          },
        ]}
        rows={differences}
        rowKey={({ row, field }) => `${row.id} ${field.key}`}
      />
    </div>
  );
}
