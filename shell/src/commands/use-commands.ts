import { ALL_ACCOUNTS, allows, type PoolAbility, type RemoteManifest, type Settings } from '@pool/shared';
import { LANGUAGE_NAMES, LANGUAGES, useTranslation, type Language } from '@pool/shared/i18n';
import { useQuery } from '@pool/shared/query';
import { useAbility, useApi, useServices, useSession, useWorkerCount } from '@pool/shared/remote';
import { useFormat } from '@pool/shared/ui/core';
import { rulesQuery, walletQuery } from '@pool/shared/ui/payout';
import { CALCULATOR_PATH, FAQ_PATH, SETUP_PATH } from '@pool/shared/public-pages';
import { ACCOUNT_TABS, accountParts, accountPath, SETTINGS_PATH, type AccountTab } from '@pool/shared/shell-pages';
import { CHOICES } from '../settings/settings';
import { useSettingsStore } from '../settings/settings-context';
import type { DialogProps } from './idle-features';
import { useMakers, type Command, type Makers } from './make-commands';
import { useFound } from './use-found';

/** Everything the palette offers; workers and users by what is typed. */
export function useCommands(search: string, props: DialogProps): Command[] {
  const ability = useAbility<PoolAbility>();
  const make = useMakers(props.carried);
  const remotes = props.remotes.filter(({ requires }) => allows(ability, requires));
  const opens: NonNullable<RemoteManifest['opens']> = Object.assign({}, ...remotes.map((remote) => remote.opens));
  return [
    ...usePages({ ...props, remotes }, make),
    ...useAccounts(props, make),
    ...usePayoutSettings(make),
    ...useFound({ ...props, search, opens, make }),
    ...useChoices(props, make),
  ];
}

/** Pages and their tabs, and the workers that are off or low. */
function usePages({ links, remotes }: DialogProps, { page, trail }: Makers): Command[] {
  const { t } = useTranslation();
  const ability = useAbility<PoolAbility>();
  const { count } = useFormat();
  const list = useServices().pages['workers.list'];
  const counts = useWorkerCount().data;
  const tabs = (Object.keys(ACCOUNT_TABS) as AccountTab[]).filter(
    (tab) => tab !== 'profile' && allows(ability, ACCOUNT_TABS[tab]),
  );
  return [
    ...links.map(({ path, label, group = [] }) => page(path, trail([group, label].flat()), label)),
    ...remotes.flatMap(({ nav, commands = [] }) =>
      commands
        .filter(({ requires }) => allows(ability, requires))
        .map(({ path, label }) => page(path, trail([nav[0]?.label ?? [], label].flat()), label)),
    ),
    ...tabs.map((tab) => page(accountPath(tab), `${t('account.nav')} › ${t(`commands.tab.${tab}`)}`, `tab.${tab}`)),
    ...accountParts(remotes, ability).map(({ path, offer }) =>
      page(path, `${t('account.nav')} › ${t(offer.label)}`, offer.label),
    ),
    page(SETTINGS_PATH, t('settings.nav')),
    page(CALCULATOR_PATH, t('public.calculator')),
    page(FAQ_PATH, t('public.faq')),
    page(SETUP_PATH, t('public.setup')),
    ...(list
      ? (['offline', 'low'] as const).map((state): Command => ({
          ...page(`${list}?state=${state}`, trail(['workers.nav', `ui.state.${state}`]), state),
          state: counts && count(counts[state]),
        }))
      : []),
  ];
}

function useAccounts({ subAccounts, chooseAccount }: DialogProps, { general, own }: Makers): Command[] {
  const { t } = useTranslation();
  const accounts = useAbility<PoolAbility>().can('read', 'sub-account-list') ? subAccounts : [];
  const all = general('accounts', ALL_ACCOUNTS, t('ui.allAccounts'), () => chooseAccount(ALL_ACCOUNTS));
  return [
    ...(accounts.length > 1 ? [all] : []),
    ...accounts.map(({ name }) => own('accounts', name, name, () => chooseAccount(name))),
  ];
}

/** Payout address and threshold of the chosen account. */
function usePayoutSettings({ own, go, wordsOf }: Makers): Command[] {
  const { t } = useTranslation();
  const api = useApi();
  const { account } = useSession();
  const { btc } = useFormat();
  const settings = useServices().pages['payments.settings'];
  const mayRead = useAbility<PoolAbility>().can('read', 'account') && account !== ALL_ACCOUNTS;
  const enabled = settings !== undefined && mayRead;
  const { data: wallet } = useQuery({ ...walletQuery(api, account), enabled });
  const { data: rules } = useQuery({ ...rulesQuery(api, account), enabled });
  if (!enabled) return [];
  const open = go(settings);
  return [
    ...(wallet?.btcAddress
      ? [{ ...own('accounts', 'address', `${account} · ${wallet.btcAddress}`, open), words: wordsOf('address') }]
      : []),
    ...(rules
      ? [
          {
            ...own('settings', 'threshold', t('commands.threshold'), open),
            words: wordsOf('threshold'),
            state: `${btc(rules.thresholdSat, 'set')} BTC`,
          },
        ]
      : []),
  ];
}

/** Languages, colour modes, help and signing out. */
function useChoices({ onShow, onSignOut }: DialogProps, { general, own }: Makers): Command[] {
  const { t, i18n } = useTranslation();
  const { change } = useSettingsStore();
  const names = new Intl.DisplayNames(i18n.language, { type: 'language' });
  /** Language with its name in the page's language: people who do not write its letters find it too. */
  const languageName = (code: Language) => {
    const [theirs, here = ''] = [LANGUAGE_NAMES[code], names.of(code)];
    return theirs.toLowerCase() === here.toLowerCase() ? theirs : `${theirs} · ${here}`;
  };
  return [
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
