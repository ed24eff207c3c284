import type { Answer } from '@pool/shared';
import { useTranslation } from '@pool/shared/i18n';
import { useQuery } from '@pool/shared/query';
import { poolStatisticsQuery, useServices } from '@pool/shared/remote';
import { Dot, Dotted, Facts, Panel, useFormat } from '@pool/shared/ui/core';
import styles from './upstream-card.module.css';

/** What stands around the account: the network. */
export function AroundCard() {
  const { t } = useTranslation();
  const { api, session } = useServices();
  const { data: pool } = useQuery(poolStatisticsQuery(api));
  const network = pool?.find(({ algo }) => algo === session.algorithm)?.network;
  return network ? (
    <Panel className={styles.around}>
      <Facts rows={[{ label: t('dashboard.network'), value: <Network network={network} /> }]} />
    </Panel>
  ) : null;
}

type Said = NonNullable<Answer<'GET /getPoolStatistics'>[number]['network']>;

function Network({ network: { difficulty, changePercent, changeAt } }: { network: Said }) {
  const { t } = useTranslation();
  const format = useFormat();
  return (
    <Dotted>
      <span>{t('dashboard.network.difficulty', { difficulty: format.difficulty(difficulty) })}</span>
      <span>
        <Dot />
        {t('dashboard.network.next', { change: format.change(changePercent / 100, 2), day: format.day(changeAt) })}
      </span>
    </Dotted>
  );
}
