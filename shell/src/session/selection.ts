import { ALL_ACCOUNTS, DEFAULT_ALGORITHM, type AlgorithmName, type SubAccount } from '@pool/shared';
import { changeParams, useLocation, useNavigate } from '@pool/shared/router';
import { ACCOUNT_PARAM, ALGORITHM_PARAM, selectedAccount, selectedAlgorithm } from '@pool/shared/selection';

export function useSelection(userName: string, subAccounts: readonly Pick<SubAccount, 'name'>[]) {
  const { pathname, search, hash } = useLocation();
  const navigate = useNavigate();
  /** Keeps the rest of the URL; the default value is left out. */
  const choose = (name: string, value: string, usual: string) => {
    const params = changeParams(new URLSearchParams(search), { [name]: value === usual ? null : value });
    void navigate({ pathname, search: params.toString(), hash });
  };
  const account = selectedAccount(search, userName, subAccounts);
  const wanted = new URLSearchParams(search).get(ACCOUNT_PARAM);
  return {
    account,
    /** The account that the address names and the user does not have (any more); null: none. */
    missing: wanted === account || wanted === ALL_ACCOUNTS ? null : wanted,
    algorithm: selectedAlgorithm(search),
    chooseAccount: (name: string) => choose(ACCOUNT_PARAM, name, userName),
    chooseAlgorithm: (name: AlgorithmName) => choose(ALGORITHM_PARAM, name, DEFAULT_ALGORITHM),
  };
}
