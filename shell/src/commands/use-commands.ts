import { ALL_ACCOUNTS, type RemoteManifest, type Settings } from '@pool/shared';
import { LANGUAGE_NAMES, LANGUAGES, useTranslation, type Language } from '@pool/shared/i18n';
import { useQuery } from '@pool/shared/query';
import { useAbility, useApi, useServices, useSession, useWorkerCount } from '@pool/shared/remote';
import { useFormat } from '@pool/shared/ui/core';
import { rulesQuery, walletQuery } from '@pool/shared/ui/payout';
import { useNavigate } from '@pool/shared/router';
import { CALCULATOR_PATH, FAQ_PATH, SETUP_PATH } from '@pool/shared/public-pages';
import { ACCOUNT_TABS, accountPath, SETTINGS_PATH, type AccountTab } from '@pool/shared/shell-pages';
import { allows, type PoolAbility } from '@pool/shared';
import { carry } from '../session/carried-params';
import { CHOICES } from '../settings/settings';
import { useSettingsStore } from '../settings/settings-context';
import type { DialogProps } from './idle-features';

export type Command = {
  id: string;
  group: 'recent' | 'pages' | 'accounts' | 'workers' | 'groups' | 'payouts' | 'users' | 'settings' | 'actions';
  label: string;
  /** Other words that people call it. */
  words?: string;
  /** What is so now, in words. */
  state?: string | undefined;
  /** The server found it by what is typed, whatever its label says. */
  found?: boolean;
  run(): void;
  /** Does not name data of the user: it may be remembered. */
  general: boolean;
};

const SHOWN_WORKERS = 8;
const SHOWN_USERS = 8;
const SHOWN_PAYOUTS = 20;
const FROM_LETTERS = 2;

/** Everything the palette offers; workers and users by what is typed. */
export function useCommands(search: string, props: DialogProps): Command[] {
  const { links, remotes, carried, subAccounts, chooseAccount, onSignOut, onShow } = props;
  const { t, i18n } = useTranslation();
  const api = useApi();
  const { account, algorithm } = useSession();
  const ability = useAbility<PoolAbility>();
  const navigate = useNavigate();
  const { change } = useSettingsStore();
  const { btc, count, day } = useFormat();
  const wanted = search.trim();
  const names = new Intl.DisplayNames(i18n.language, { type: 'language' });
  /** Language with its name in the page's language: people who do not write its letters find it too. */
  const languageName = (code: Language) => {
    const [own, here = ''] = [LANGUAGE_NAMES[code], names.of(code)];
    return own.toLowerCase() === here.toLowerCase() ? own : `${own} · ${here}`;
  };
  const allowed = remotes.filter(({ requires }) => allows(ability, requires));
  const opens: NonNullable<RemoteManifest['opens']> = Object.assign({}, ...allowed.map((remote) => remote.opens));
  const workers = useQuery({
    queryKey: ['workers', 'palette', { account, algorithm }, wanted],
    queryFn: ({ signal }) =>
      api('GET /liveWorkers/', {
        query: { userName: account, algorithm, search: wanted, limit: SHOWN_WORKERS },
        signal,
      }),
    enabled: wanted.length >= FROM_LETTERS && opens.worker !== undefined,
    placeholderData: (before) => before,
  });
  const users = useQuery({
    queryKey: ['admin', 'users', 'palette', wanted],
    queryFn: ({ signal }) => api('GET /users/', { query: { search: wanted, limit: SHOWN_USERS }, signal }),
    enabled: wanted.length >= FROM_LETTERS && opens.user !== undefined,
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
  const payoutSettings = useServices().pages['payments.settings'];
  const mayPay = payoutSettings !== undefined && ability.can('read', 'account') && account !== ALL_ACCOUNTS;
  const { data: wallet } = useQuery({ ...walletQuery(api, account), enabled: mayPay });
  const { data: rules } = useQuery({ ...rulesQuery(api, account), enabled: mayPay });
  const list = useServices().pages['workers.list'];
  const counts = useWorkerCount().data;
  const go = (path: string) => () => void navigate(carry<string>(path, carried) as string);
  const goTo = (path: string | undefined, id: number | string) =>
    go(path?.replace('{id}', encodeURIComponent(id)) ?? '');
  /** A page's label behind those of what it is in. */
  const trail = (keys: readonly string[]) => keys.map((key) => t(key)).join(' › ');
  const general = (group: Command['group'], id: string, label: string, run: () => void): Command => ({
    id,
    group,
    label,
    run,
    general: true,
  });
  /** What people call the thing of a label besides; empty: nothing else. */
  const wordsOf = (label: string) => t(`commands.words.${label}`, { defaultValue: '' });
  /** Names data of the user. */
  const own = (group: Command['group'], id: number | string, label: string, run: () => void): Command => ({
    ...general(group, `${group} ${id}`, label, run),
    general: false,
  });
  const page = (path: string, label: string, key = label): Command => ({
    ...general('pages', path, label, go(path)),
    words: wordsOf(key),
  });
  const tabs = (Object.keys(ACCOUNT_TABS) as AccountTab[]).filter(
    (tab) => tab !== 'profile' && allows(ability, ACCOUNT_TABS[tab]),
  );
  const accounts = ability.can('read', 'sub-account-list') ? subAccounts : [];
  const history = payouts.data?.kind === 'payouts' ? payouts.data.rows : [];
  return [
    ...links.map(({ path, label, group = [] }) => page(path, trail([group, label].flat()), label)),
    ...allowed.flatMap(({ nav, commands = [] }) =>
      commands
        .filter(({ requires }) => allows(ability, requires))
        .map(({ path, label }) => page(path, trail([nav[0]?.label ?? [], label].flat()), label)),
    ),
    ...tabs.map((tab) => page(accountPath(tab), `${t('account.nav')} › ${t(`commands.tab.${tab}`)}`, `tab.${tab}`)),
    page(SETTINGS_PATH, t('settings.nav')),
    page(CALCULATOR_PATH, t('public.calculator')),
    page(FAQ_PATH, t('public.faq')),
    page(SETUP_PATH, t('public.setup')),
    ...(accounts.length > 1
      ? [general('accounts', ALL_ACCOUNTS, t('ui.allAccounts'), () => chooseAccount(ALL_ACCOUNTS))]
      : []),
    ...accounts.map(({ name }) => own('accounts', name, name, () => chooseAccount(name))),
    ...(list
      ? (['offline', 'low'] as const).map((state): Command => ({
          ...page(`${list}?state=${state}`, trail(['workers.nav', `ui.state.${state}`]), state),
          state: counts && count(counts[state]),
        }))
      : []),
    ...(mayPay && wallet?.btcAddress
      ? [
          {
            ...own('accounts', 'address', `${account} · ${wallet.btcAddress}`, go(payoutSettings)),
            words: wordsOf('address'),
          },
        ]
      : []),
    ...(mayPay && rules
      ? [
          {
            ...own('settings', 'threshold', t('commands.threshold'), go(payoutSettings)),
            words: wordsOf('threshold'),
            state: `${btc(rules.thresholdSat, 'set')} BTC`,
          },
        ]
      : []),
    ...(wanted.length >= FROM_LETTERS ? (workers.data?.workers ?? []) : []).map(({ id, name, group, state }) => ({
      ...own('workers', id, name, goTo(opens.worker, id)),
      state: [group, t(`ui.state.${state}`)].filter(Boolean).join(' · '),
      found: true,
    })),
    ...(groups.data ?? [])
      .filter(({ subAccountId }) => subAccounts.find(({ id }) => id === subAccountId)?.name === account)
      .map(({ id, name }) => own('groups', id, name, goTo(opens.group, name))),
    ...(wanted.length >= FROM_LETTERS ? (users.data?.rows ?? []) : []).map(({ id, userName, email }) =>
      own('users', id, `${userName} · ${email}`, goTo(opens.user, userName)),
    ),
    ...history.map(({ id, amountSat, createdAt, txid }) => ({
      ...own('payouts', id, `${day(createdAt, true)} · ${btc(amountSat)} BTC`, goTo(opens.payout, id)),
      words: txid ?? '',
    })),
    ...LANGUAGES.map((code) =>
      general('settings', `language ${code}`, `${t('language.choose')}: ${languageName(code)}`, () => {
        void i18n.changeLanguage(code);
      }),
    ),
    ...CHOICES.mode.map((mode: Settings['mode']) =>
      general('settings', `mode ${mode}`, `${t('mode.choose')}: ${t(`mode.${mode}`)}`, () => change({ mode })),
    ),
    general('actions', 'help', t('commands.help'), () => onShow('help')),
    ...(onSignOut ? [own('actions', 'sign-out', t('user.signOut'), onSignOut)] : []),
  ];
}
