/** Functions and hooks for remotes. */
export { defineRemote, defineSlot, RemoteCrash } from './define-remote';
export { useElsewhere } from './elsewhere';
export { isMissingFile } from './missing-file';
export {
  btcPriceQuery,
  poolStatisticsQuery,
  SUB_ACCOUNT_FACTS,
  subAccountFactsQuery,
  subAccountIdOf,
  subAccountsQuery,
  useAccountName,
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
export { useApi, useIsOfAll, useServices, useSession } from './services';
/** @public Parts of a remote that an admin turns on for some users. */
export { useFlag } from './services';
export { ServicesProvider } from './remote-root';
export { useAbility } from '@casl/react';
/** @public Tests of remotes that were written for 1.0.0. */
export { AbilityProvider } from '@casl/react';
export { lazyPart } from './lazy-part';
export { isLeaving } from './leaving';
export { PageLink } from './page-link';
export { Slot } from './slot';
export { usePageTitle } from './page-title';
