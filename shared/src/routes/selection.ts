/** What the URL selects: `?account=&algorithm=&tz=`. */
import type { SubAccount } from '../api/schemas';
import type { Settings } from '../contract';
import { ALL_ACCOUNTS, DEFAULT_ALGORITHM, isAlgorithm, type AlgorithmName } from '../domain';

export const ACCOUNT_PARAM = 'account';
export const ALGORITHM_PARAM = 'algorithm';
export const ZONE_PARAM = 'tz';

/** The account to show: that of the URL if it is the user's, all where there are several, else the primary (named like the user). */
export function selectedAccount(
  search: string,
  userName: string,
  subAccounts: readonly Pick<SubAccount, 'name'>[],
): string {
  const wanted = new URLSearchParams(search).get(ACCOUNT_PARAM);
  const isOwn = wanted === ALL_ACCOUNTS ? subAccounts.length > 1 : subAccounts.some(({ name }) => name === wanted);
  return wanted !== null && isOwn ? wanted : userName;
}

export function selectedAlgorithm(search: string): AlgorithmName {
  const wanted = new URLSearchParams(search).get(ALGORITHM_PARAM);
  return isAlgorithm(wanted) ? wanted : DEFAULT_ALGORITHM;
}

/** The zone times are shown in: the one in the URL, else the setting. */
export function selectedZone(search: string, setting: Settings['timeZone']): Settings['timeZone'] {
  const wanted = new URLSearchParams(search).get(ZONE_PARAM);
  return wanted === 'utc' || wanted === 'local' ? wanted : setting;
}
