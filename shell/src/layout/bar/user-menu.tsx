import type { User } from '@pool/shared';
import { LANGUAGE_NAMES, LANGUAGES, useTranslation } from '@pool/shared/i18n';
import { CircleUser, Dropdown, LogOut, Settings2, type MenuProps } from '@pool/shared/ui/core';
import { useNavigate } from '@pool/shared/router';
import { CALCULATOR_PATH, FAQ_PATH } from '@pool/shared/public-pages';
import { accountPath, SETTINGS_PATH } from '@pool/shared/shell-pages';
import type { ReactNode } from 'react';
import { CHOICES } from '../../settings/settings';
import { Avatar, initials } from '../../session/avatar';
import { PlaceName, type Place } from '../../session/place';
import { useSettingsStore } from '../../settings/settings-context';
import styles from './app-bar.module.css';

/** `onSignOut` and `picture`: absent where it is not this user who is signed in. */
export type UserMenuProps = { person: User; place?: Place | null; picture?: string | null; onSignOut?(): void };

/** `withSwitches`: the app bar has no room for language and theme, they are in the menu. */
type Props = UserMenuProps & { withSwitches: boolean };

export function UserMenu({ person: { userName, email }, place = null, picture, onSignOut, withSwitches }: Props) {
  const { t, i18n } = useTranslation();
  const { settings, change } = useSettingsStore();
  const navigate = useNavigate();
  const page = (path: string, text: string, icon?: ReactNode) => ({
    key: path,
    label: t(text),
    icon,
    onClick: () => void navigate(path),
  });
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
            onClick: () => void i18n.changeLanguage(code),
          })),
        },
        { type: 'divider' },
        {
          key: 'mode',
          type: 'group',
          label: t('mode.choose'),
          children: CHOICES.mode.map((mode) => ({
            key: `mode:${mode}`,
            label: t(`mode.${mode}`),
            onClick: () => change({ mode }),
          })),
        },
      ]
    : [];
  const signOut: MenuProps['items'] = onSignOut
    ? [{ type: 'divider' }, { key: 'sign-out', label: t('user.signOut'), icon: <LogOut />, onClick: onSignOut }]
    : [];
  const items: MenuProps['items'] = [
    {
      key: 'who',
      type: 'group',
      label: (
        <>
          <bdi>{userName}</bdi>
          {email && (
            <>
              <br />
              <bdi>{email}</bdi>
            </>
          )}
          {place && (
            <>
              <br />
              <PlaceName place={place} />
            </>
          )}
        </>
      ),
    },
    ...switches,
    { type: 'divider' },
    page(accountPath('profile'), 'account.nav', <CircleUser />),
    page(SETTINGS_PATH, 'settings.nav', <Settings2 />),
    { type: 'divider' },
    page(CALCULATOR_PATH, 'public.calculator'),
    page(FAQ_PATH, 'public.faq'),
    ...signOut,
  ];
  return (
    <Dropdown
      placement="bottomRight"
      menu={{
        items,
        selectedKeys: [`language:${i18n.resolvedLanguage}`, `mode:${settings.mode}`],
      }}
    >
      <button
        type="button"
        className={styles.avatar}
        aria-label={`${initials(userName)}, ${t('user.menu')}: ${userName}`}
      >
        <Avatar userName={userName} picture={picture} size={30} />
      </button>
    </Dropdown>
  );
}
