import { useTranslation } from '@pool/shared/i18n';
import { Link } from '@pool/shared/router';
import { Button, Empty, Panel } from '@pool/shared/ui/core';
import type { StateTab } from './list/list-place';

/** Shown before the first share of the account; links to what a miner needs. */
export function NoWorkers() {
  const { t } = useTranslation();
  return (
    <Panel>
      <Empty title={t('workers.empty.title')} action={<Link to="../connection">{t('workers.empty.connect')}</Link>}>
        {t('workers.empty.what')}
      </Empty>
    </Panel>
  );
}

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
