import { useTranslation } from '@pool/shared/i18n';
import { Button, Empty } from '@pool/shared/ui/core';
import type { StateTab } from './list/list-place';

type Props = { tab: StateTab; group: string | null; search: string; onReset(): void; onInactive(): void };

/** Shown when no worker matches the filter. */
export function NoMatch({ tab, group, search, onReset, onInactive }: Props) {
  const { t } = useTranslation();
  const wanted = search.trim();
  const onlyInactive = tab === 'all' && group === null && !wanted;
  return (
    <Empty
      title={t('workers.none.title')}
      action={
        onlyInactive ? (
          <Button onClick={onInactive}>{t('workers.none.showInactive')}</Button>
        ) : (
          <Button onClick={onReset}>{t('workers.none.reset')}</Button>
        )
      }
    >
      {wanted
        ? t('workers.none.search', { search: wanted })
        : t(group === null ? `workers.none.${tab}` : 'workers.none.group')}
    </Empty>
  );
}
