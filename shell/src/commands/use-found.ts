import { ALL_ACCOUNTS, type RemoteManifest } from '@pool/shared';
import { useTranslation } from '@pool/shared/i18n';
import { useQuery } from '@pool/shared/query';
import { useApi, useSession } from '@pool/shared/remote';
import { useFormat } from '@pool/shared/ui/core';
import type { DialogProps } from './idle-features';
import type { Command, Makers } from './make-commands';

const SHOWN_WORKERS = 8;
const SHOWN_USERS = 8;
const SHOWN_PAYOUTS = 20;
const FROM_LETTERS = 2;

type Opens = NonNullable<RemoteManifest['opens']>;
type Found = Pick<DialogProps, 'subAccounts'> & {
  search: string;
  /** Addresses of the pages of one thing, as far as the user has them. */
  opens: Opens;
  make: Makers;
};

/** Workers and users by what is typed; groups and the latest payouts. */
export function useFound({ search, opens, subAccounts, make: { own, goTo } }: Found): Command[] {
  const { t } = useTranslation();
  const { btc, day } = useFormat();
  const { account } = useSession();
  const { workers, users, groups, payouts } = useAnswers(search.trim(), opens);
  const accountsShown = subAccounts.filter(({ name }) => account === ALL_ACCOUNTS || name === account);
  return [
    ...workers.map(({ id, name, group, state }) => ({
      ...own('workers', id, name, goTo(opens.worker, id)),
      state: [group, t(`ui.state.${state}`)].filter(Boolean).join(' · '),
      found: true,
    })),
    ...groups
      .filter(({ subAccountId }) => accountsShown.some(({ id }) => id === subAccountId))
      .map(({ id, name }) => own('groups', id, name, goTo(opens.group, name))),
    ...users.map(({ id, userName, email }) => own('users', id, `${userName} · ${email}`, goTo(opens.user, userName))),
    ...payouts.map(({ id, amountSat, createdAt, txid }) => ({
      ...own('payouts', id, `${day(createdAt, true)} · ${btc(amountSat)} BTC`, goTo(opens.payout, id)),
      words: txid ?? '',
    })),
  ];
}

function useAnswers(wanted: string, opens: Opens) {
  const api = useApi();
  const { account, algorithm } = useSession();
  const isTyped = wanted.length >= FROM_LETTERS;
  const workers = useQuery({
    queryKey: ['workers', 'palette', { account, algorithm }, wanted],
    queryFn: ({ signal }) =>
      api('GET /liveWorkers/', {
        query: { userName: account, algorithm, search: wanted, limit: SHOWN_WORKERS },
        signal,
      }),
    enabled: isTyped && opens.worker !== undefined,
    placeholderData: (before) => before,
  });
  const users = useQuery({
    queryKey: ['admin', 'users', 'palette', wanted],
    queryFn: ({ signal }) => api('GET /users/', { query: { search: wanted, limit: SHOWN_USERS }, signal }),
    enabled: isTyped && opens.user !== undefined,
    placeholderData: (before) => before,
  });
  const groups = useQuery({
    queryKey: ['workers', 'groups', 'palette'],
    queryFn: ({ signal }) => api('GET /workerGroups/', { signal }),
    enabled: opens.group !== undefined,
  });
  const payouts = useQuery({
    queryKey: ['payments', 'palette', { account }],
    queryFn: ({ signal }) =>
      api('GET /paymentsHistory/', { query: { accountName: account, kind: 'payouts', limit: SHOWN_PAYOUTS }, signal }),
    enabled: opens.payout !== undefined,
  });
  return {
    workers: (isTyped && workers.data?.workers) || [],
    users: (isTyped && users.data?.rows) || [],
    groups: groups.data ?? [],
    payouts: payouts.data?.kind === 'payouts' ? payouts.data.rows : [],
  };
}
