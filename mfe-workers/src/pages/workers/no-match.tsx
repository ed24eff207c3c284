import { useTranslation } from '@pool/shared/i18n';
import { useWorkerGroups } from '@pool/shared/remote';
import { Button, Empty } from '@pool/shared/ui/core';
import type { StateTab } from './list/list-place';

type Props = { tab: StateTab; group: string | null; search: string; onReset(): void; onInactive(): void };

export function NoMatch({ tab, group, search, onReset, onInactive }: Props) {
  const { t } = useTranslation();
  const groups = useWorkerGroups().data;
  const wanted = search.trim();
  const isGone = Boolean(group && groups && !groups.some(({ name }) => name === group));
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
      {isGone
        ? t('workers.none.noGroup', { group })
        : wanted
          ? t('workers.none.search', { search: wanted })
          : t(group === null ? `workers.none.${tab}` : 'workers.none.group')}
    </Empty>
  );
}
