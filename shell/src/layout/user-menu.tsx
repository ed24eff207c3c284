import type { Settings, User } from '@pool/shared';
import { LANGUAGE_NAMES, LANGUAGES, useTranslation } from '@pool/shared/i18n';
import { Dropdown, LogOut, type MenuProps } from '@pool/shared/ui/core';
import { MODES } from '../settings/settings';
import { useSettingsStore } from '../settings/settings-context';
import styles from './app-bar.module.css';

export type UserMenuProps = { user: User; onSignOut(): void };

/** `withSwitches`: the app bar has no room for language and theme, they are in the menu. */
type Props = UserMenuProps & { withSwitches: boolean };

/** `north-field` is NF, `demo` is DE. */
function initials(userName: string): string {
  const [first = '', second] = userName.split(/[-_]+/).filter(Boolean);
  return (second ? `${first.charAt(0)}${second.charAt(0)}` : first.slice(0, 2)).toUpperCase();
}

export function UserMenu({ user, onSignOut, withSwitches }: Props) {
  const { t, i18n } = useTranslation();
  const { settings, change } = useSettingsStore();
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
          children: MODES.map((mode) => ({ key: `mode:${mode}`, label: t(`mode.${mode}`) })),
        },
      ]
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
    { key: 'sign-out', label: t('user.signOut'), icon: <LogOut size={16} strokeWidth={1.75} aria-hidden /> },
  ];
  const onClick: MenuProps['onClick'] = ({ key }) => {
    const [kind, value = ''] = key.split(':');
    if (kind === 'sign-out') onSignOut();
    if (kind === 'language') void i18n.changeLanguage(value);
    if (kind === 'mode') change({ mode: value as Settings['mode'] });
  };
  return (
    <Dropdown
      trigger={['click']}
      placement="bottomRight"
      menu={{
        items,
        onClick,
        selectable: true,
        selectedKeys: [`language:${i18n.resolvedLanguage}`, `mode:${settings.mode}`],
      }}
    >
      <button
        type="button"
        className={styles.avatar}
        aria-haspopup="menu"
        aria-label={`${initials(user.userName)}, ${t('user.menu')}: ${user.userName}`}
      >
        {initials(user.userName)}
      </button>
    </Dropdown>
  );
}
