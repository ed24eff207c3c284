import { useTranslation } from 'react-i18next';
import { LIST_LIMITS } from '../../domain';
import s from './lists.module.css';

/** Says below a list that is as long as its answer may be that older entries are not in it. */
export function Newest({ of, rows }: { of: keyof typeof LIST_LIMITS; rows: readonly unknown[] | undefined }) {
  const { t } = useTranslation();
  const most = LIST_LIMITS[of];
  return rows && rows.length >= most ? <p className={s.newest}>{t('ui.table.newest', { count: most })}</p> : null;
}
