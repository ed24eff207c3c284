import { DEFAULT_ALGORITHM, type AlgorithmName, type SubAccount } from '@pool/shared';
import { useLocation, useNavigate } from '@pool/shared/router';
import { ACCOUNT_PARAM, ALGORITHM_PARAM, selectedAccount, selectedAlgorithm } from '@pool/shared/selection';

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
  const account = selectedAccount(search, userName, subAccounts);
  const wanted = new URLSearchParams(search).get(ACCOUNT_PARAM);
  return {
    account,
    /** The account that the address names and the user does not have (any more); null: none. */
    missing: wanted === account ? null : wanted,
    algorithm: selectedAlgorithm(search),
    chooseAccount: (name: string) => choose(ACCOUNT_PARAM, name, userName),
    chooseAlgorithm: (name: AlgorithmName) => choose(ALGORITHM_PARAM, name, DEFAULT_ALGORITHM),
  };
}
