import { useTranslation } from '@pool/shared/i18n';
import { Moon, Sun, useMediaQuery } from '@pool/shared/ui/core';
import { useSettingsStore } from '../../settings/settings-context';
import styles from './app-bar.module.css';

/** Light and dark in turn; the settings have all modes. */
export function ModeSwitch() {
  const { t } = useTranslation();
  const {
    settings: { mode },
    change,
  } = useSettingsStore();
  const systemIsDark = useMediaQuery('(prefers-color-scheme: dark)');
  const isDark = mode === 'dark' || (mode === 'system' && systemIsDark);
  const Icon = isDark ? Moon : Sun;
  const label = `${t('mode.choose')}: ${t(`mode.${mode}`)}`;
  return (
    <button
      type="button"
      className={styles.button}
      aria-label={label}
      title={label}
      onClick={() => change({ mode: isDark ? 'light' : 'dark' })}
    >
      <Icon size={18} />
    </button>
  );
}
