import { ALGORITHMS } from '@pool/shared';
import { useTranslation } from '@pool/shared/i18n';
import { useElsewhere, useSession } from '@pool/shared/remote';
import { Link, useSearchParams } from '@pool/shared/router';
import { ALGORITHM_PARAM } from '@pool/shared/selection';
import { Button, Empty, Panel } from '@pool/shared/ui/core';
import type { StateTab } from './list/list-place';

/** Without workers of the algorithm: those of another one, else what a miner needs before the first share. */
export function NoWorkers() {
  const { t } = useTranslation();
  const { algorithm } = useSession();
  const elsewhere = useElsewhere();
  const [params] = useSearchParams();
  if (elsewhere) {
    const there = new URLSearchParams(params);
    there.set(ALGORITHM_PARAM, elsewhere.algorithm);
    const other = ALGORITHMS[elsewhere.algorithm].label;
    return (
      <Panel>
        <Empty
          title={t('workers.empty.elsewhere', { algorithm: ALGORITHMS[algorithm].label })}
          action={<Link to={{ search: there.toString() }}>{t('workers.empty.show', { algorithm: other })}</Link>}
        >
          {t('workers.empty.there', { count: elsewhere.total, algorithm: other })}
        </Empty>
      </Panel>
    );
  }
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
