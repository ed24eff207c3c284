import { ALGORITHMS } from '@pool/shared';
import { useTranslation } from '@pool/shared/i18n';
import { useElsewhere, useSession, useWorkerGroups } from '@pool/shared/remote';
import { Link, useSearchParams } from '@pool/shared/router';
import { ALGORITHM_PARAM } from '@pool/shared/selection';
import { Button, Empty, Panel } from '@pool/shared/ui/core';
import type { StateTab } from './list/list-place';

/** Page without workers of the algorithm: those of another one, else what a miner needs before the first share. */
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

type NoMatchProps = { tab: StateTab; group: string | null; search: string; onReset(): void; onInactive(): void };

export function NoMatch({ tab, group, search, onReset, onInactive }: NoMatchProps) {
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
