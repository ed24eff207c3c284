import { useTranslation } from '@pool/shared/i18n';
import { Hashrate, useFormat } from '@pool/shared/ui/core';
import { GroupLink, GroupMenu, StateCount } from './group-parts';
import type { GroupTotals } from './group-totals';
import styles from './groups-page.module.css';

/** A group where there is no room for columns. */
export function GroupCard({
  group,
  mayEdit,
  satsPerHs,
  onRename,
}: {
  group: GroupTotals;
  /** What an H/s earns a day; undefined: not known. */
  satsPerHs: number | undefined;
  mayEdit: boolean;
  onRename(group: { name: string }): void;
}) {
  const { t } = useTranslation();
  const { count } = useFormat();
  const lost = Math.round(group.lost * (satsPerHs ?? 0));
  return (
    <div className={styles.card}>
      <div className={styles.cardHead}>
        <GroupLink name={group.name} />
        {mayEdit && <GroupMenu group={group} onRename={onRename} />}
      </div>
      <div className={styles.cardFacts}>
        <span>
          {t('ui.state.online')}{' '}
          <bdi dir="ltr">
            {count(group.online)} / {count(group.total)}
          </bdi>
        </span>
        {(['low', 'offline', 'inactive'] as const).map(
          (state) => group[state] > 0 && <StateCount key={state} state={state} value={group[state]} />,
        )}
        <Hashrate hs={group.total > 0 ? group.h1 : null} />
        {lost > 0 && <span className={styles.quiet}>{t('workers.lostTotal', { sats: count(lost) })}</span>}
      </div>
    </div>
  );
}
