/** Functions and hooks for remotes. */
export { defineRemote, RemoteCrash } from './define-remote';
export { useElsewhere } from './elsewhere';
export { isMissingFile } from './missing-file';
export {
  btcPriceQuery,
  poolStatisticsQuery,
  SUB_ACCOUNT_FACTS,
  subAccountFactsQuery,
  subAccountIdOf,
  subAccountsQuery,
  userInfoQuery,
  useBalance,
  useBtcPrice,
  useConnectionInfo,
  useServiceQuery,
  useSubAccountId,
  useUpstreams,
  useWorkerCount,
  useWorkerGroups,
  yesterdayOf,
} from './queries';
export { ServicesProvider, useApi, useServices, useSession } from './services';
export { AbilityProvider, useAbility } from '@casl/react';
export { lazyPart } from './lazy-part';
export { isLeaving } from './leaving';
export { PageLink } from './page-link';
export { usePageTitle } from './page-title';
