import type { Settings, User } from '@pool/shared';
import { LANGUAGE_NAMES, LANGUAGES, useTranslation } from '@pool/shared/i18n';
import { CircleUser, Dropdown, LogOut, Settings2, SlidersHorizontal, type MenuProps } from '@pool/shared/ui/core';
import { useNavigate } from '@pool/shared/router';
import { CALCULATOR_PATH, FAQ_PATH } from '@pool/shared/public-pages';
import { lazyPart } from '@pool/shared/remote';
import { accountPath, SETTINGS_PATH } from '@pool/shared/shell-pages';
import { useState } from 'react';
import { CHOICES } from '../../settings/settings';
import { Avatar, initials } from '../../session/avatar';
import { useSettingsStore } from '../../settings/settings-context';
import styles from './app-bar.module.css';

/** The drawer with all settings. */
const Customizer = lazyPart(
  'settings',
  () => import(/* webpackChunkName: "settings" */ '../../pages/settings/settings-drawer'),
  null,
);

/** Pages of the menu. */
const PATHS: Record<string, string> = {
  account: accountPath('profile'),
  settings: SETTINGS_PATH,
  calculator: CALCULATOR_PATH,
  faq: FAQ_PATH,
};

/** `onSignOut` and `picture`: absent where it is not this user who is signed in. */
export type UserMenuProps = { user: User; picture?: string | null; onSignOut?(): void };

/** `withSwitches`: the app bar has no room for language and theme, they are in the menu. */
type Props = UserMenuProps & { withSwitches: boolean };

export function UserMenu({ user, picture, onSignOut, withSwitches }: Props) {
  const { t, i18n } = useTranslation();
  const { settings, change } = useSettingsStore();
  const navigate = useNavigate();
  const [customizing, setCustomizing] = useState(false);
  const switches: MenuProps['items'] = withSwitches
    ? [
        { type: 'divider' },
        {
          key: 'language',
          type: 'group',
          label: t('language.choose'),
          children: LANGUAGES.map((code) => ({
            key: `language:${code}`,
            label: <span lang={code}>{LANGUAGE_NAMES[code]}</span>,
          })),
        },
        { type: 'divider' },
        {
          key: 'mode',
          type: 'group',
          label: t('mode.choose'),
          children: CHOICES.mode.map((mode) => ({ key: `mode:${mode}`, label: t(`mode.${mode}`) })),
        },
      ]
    : [];
  const signOut: MenuProps['items'] = onSignOut
    ? [{ type: 'divider' }, { key: 'sign-out', label: t('user.signOut'), icon: <LogOut /> }]
    : [];
  const items: MenuProps['items'] = [
    {
      key: 'who',
      type: 'group',
      label: (
        <>
          <bdi>{user.userName}</bdi>
          {user.email && (
            <>
              <br />
              <bdi>{user.email}</bdi>
            </>
          )}
        </>
      ),
    },
    ...switches,
    { type: 'divider' },
    { key: 'account', label: t('account.nav'), icon: <CircleUser /> },
    { key: 'settings', label: t('settings.nav'), icon: <Settings2 /> },
    {
      key: 'customize',
      label: t('settings.customize'),
      icon: <SlidersHorizontal />,
    },
    { type: 'divider' },
    { key: 'calculator', label: t('public.calculator') },
    { key: 'faq', label: t('public.faq') },
    ...signOut,
  ];
  const onClick: MenuProps['onClick'] = ({ key }) => {
    const [kind, value = ''] = key.split(':');
    if (kind === 'sign-out') onSignOut?.();
    const path = PATHS[kind ?? ''];
    if (path) void navigate(path);
    if (kind === 'customize') setCustomizing(true);
    if (kind === 'language') void i18n.changeLanguage(value);
    if (kind === 'mode') change({ mode: value as Settings['mode'] });
  };
  return (
    <>
      <Dropdown
        placement="bottomRight"
        menu={{
          items,
          onClick,
          selectedKeys: [`language:${i18n.resolvedLanguage}`, `mode:${settings.mode}`],
        }}
      >
        <button
          type="button"
          className={styles.avatar}
          aria-haspopup="menu"
          aria-label={`${initials(user.userName)}, ${t('user.menu')}: ${user.userName}`}
        >
          <Avatar userName={user.userName} picture={picture} size={30} />
        </button>
      </Dropdown>
      {customizing && <Customizer onClose={() => setCustomizing(false)} />}
    </>
  );
}
