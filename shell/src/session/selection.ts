import { DEFAULT_ALGORITHM, isAlgorithm, type AlgorithmName, type Settings, type SubAccount } from '@pool/shared';
import { useLocation, useNavigate } from '@pool/shared/router';
import { ACCOUNT_PARAM, ALGORITHM_PARAM, ZONE_PARAM } from './picked';

/** The account to show: the one in the URL if it is the user's, else the primary (named like the user). */
export function selectedAccount(
  search: string,
  userName: string,
  subAccounts: readonly Pick<SubAccount, 'name'>[],
): string {
  const wanted = new URLSearchParams(search).get(ACCOUNT_PARAM);
  return wanted !== null && subAccounts.some((account) => account.name === wanted) ? wanted : userName;
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

/** Writes one choice into the URL's search and keeps the rest; the default value is left out. */
export function searchWith(search: string, name: string, value: string, fallback: string): string {
  const params = new URLSearchParams(search);
  if (value === fallback) params.delete(name);
  else params.set(name, value);
  const text = params.toString();
  return text && `?${text}`;
}

export function useSelection(userName: string, subAccounts: readonly Pick<SubAccount, 'name'>[]) {
  const { pathname, search, hash } = useLocation();
  const navigate = useNavigate();
  const choose = (name: string, value: string, fallback: string) =>
    void navigate({ pathname, search: searchWith(search, name, value, fallback), hash });
  return {
    account: selectedAccount(search, userName, subAccounts),
    algorithm: selectedAlgorithm(search),
    chooseAccount: (name: string) => choose(ACCOUNT_PARAM, name, userName),
    chooseAlgorithm: (name: AlgorithmName) => choose(ALGORITHM_PARAM, name, DEFAULT_ALGORITHM),
  };
}
