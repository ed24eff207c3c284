import { useTranslation } from '@pool/shared/i18n';
import { DASH } from '@pool/shared/ui/core';
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
  return (
    <div className={styles.scroll}>
      <table className={styles.differences} aria-label={t('admin.edit.differences')}>
        <thead>
          <tr>
            <th scope="col">{t('admin.edit.row')}</th>
            <th scope="col">{t('admin.edit.field')}</th>
            <th scope="col">{t('admin.edit.before')}</th>
            <th scope="col">{t('admin.edit.after')}</th>
          </tr>
        </thead>
        <tbody>
          {differences.map(({ row, field, before, after, valid }) => (
            <tr key={`${row.id} ${field.key}`}>
              <td>
                <bdi>{nameOf(row)}</bdi>
              </td>
              <td>{field.title}</td>
              <td className={styles.before}>
                <bdi>{labelOf(field, before) || DASH}</bdi>
              </td>
              <td className={valid ? undefined : styles.bad}>
                <bdi>{labelOf(field, after) || DASH}</bdi>
                {!valid && <div>{field.rule}</div>}
              </td>
            </tr>
          ))}
        </tbody>
      </table>
    </div>
  );
}
