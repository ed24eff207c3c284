import type { Answer, PoolAbility } from '@pool/shared';
import { useTranslation } from '@pool/shared/i18n';
import { useQuery } from '@pool/shared/query';
import {
  poolStatisticsQuery,
  subAccountFactsQuery,
  subAccountsQuery,
  useAbility,
  useServices,
} from '@pool/shared/remote';
import { AllAccounts, Facts, Panel, useFormat } from '@pool/shared/ui/core';
import styles from './upstream-card.module.css';

/** What stands around the chosen account: all sub-accounts together, where there are several, and the network. */
export function AroundCard() {
  const { t } = useTranslation();
  const { api, session } = useServices();
  const ability = useAbility<PoolAbility>();
  const mayRead = ability.can('read', 'account') && ability.can('read', 'sub-account-list');
  const { data: own } = useQuery({ ...subAccountsQuery(api, session.userId), enabled: mayRead });
  const isOneOfMany = mayRead && own !== undefined && own.subAccounts.length > 1;
  const { data: facts } = useQuery({ ...subAccountFactsQuery(api), enabled: isOneOfMany });
  const { data: pool } = useQuery(poolStatisticsQuery(api));
  const network = pool?.find(({ algo }) => algo === session.algorithm)?.network;
  const rows = [
    ...(isOneOfMany && facts ? [{ label: t('ui.allAccounts'), value: <AllAccounts facts={facts} /> }] : []),
    ...(network ? [{ label: t('dashboard.network'), value: <Network network={network} /> }] : []),
  ];
  return rows.length > 0 ? (
    <Panel className={styles.around}>
      <Facts rows={rows} />
    </Panel>
  ) : null;
}

type Said = NonNullable<Answer<'GET /getPoolStatistics'>[number]['network']>;

function Network({ network: { difficulty, changePercent, changeAt } }: { network: Said }) {
  const { t } = useTranslation();
  const format = useFormat();
  return (
    <span>
      {t('dashboard.network.difficulty', { difficulty: format.difficulty(difficulty) })}
      {' · '}
      {t('dashboard.network.next', { change: format.change(changePercent / 100, 2), day: format.day(changeAt) })}
    </span>
  );
}
