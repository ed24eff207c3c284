import type { Settings } from '@pool/shared';
import { useTranslation } from '@pool/shared/i18n';
import { Dropdown, Monitor, Moon, PanelLeft, Sun } from '@pool/shared/ui/core';
import { CHOICES } from '../../settings/settings';
import { useSettingsStore } from '../../settings/settings-context';
import styles from './app-bar.module.css';

const ICONS = { light: Sun, dark: Moon, 'semi-dark': PanelLeft, system: Monitor };

export function ModeSwitch() {
  const { t } = useTranslation();
  const {
    settings: { mode },
    change,
  } = useSettingsStore();
  const Icon = mode === 'semi-dark' ? Sun : ICONS[mode];
  const items = CHOICES.mode.map((name) => {
    const ItemIcon = ICONS[name];
    return { key: name, label: t(`mode.${name}`), icon: <ItemIcon /> };
  });
  return (
    <Dropdown
      menu={{
        items,
        selectedKeys: [mode],
        onClick: ({ key }) => change({ mode: key as Settings['mode'] }),
      }}
    >
      <button
        type="button"
        className={styles.button}
        aria-haspopup="menu"
        aria-label={`${t('mode.choose')}: ${t(`mode.${mode}`)}`}
      >
        <Icon size={18} />
      </button>
    </Dropdown>
  );
}
