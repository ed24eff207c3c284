import { LANGUAGE_NAMES, LANGUAGES, useTranslation } from '@pool/shared/i18n';
import { Dropdown, Languages } from '@pool/shared/ui/core';
import styles from './app-bar.module.css';

export function LanguageSwitch() {
  const { t, i18n } = useTranslation();
  const language = i18n.resolvedLanguage ?? 'en';
  const items = LANGUAGES.map((code) => ({ key: code, label: <span lang={code}>{LANGUAGE_NAMES[code]}</span> }));
  return (
    <Dropdown menu={{ items, selectedKeys: [language], onClick: ({ key }) => void i18n.changeLanguage(key) }}>
      <button
        type="button"
        className={`${styles.button} ${styles.language}`}
        aria-label={`${t('language.choose')}: ${language.toUpperCase()}`}
      >
        <Languages size={18} /> {language.toUpperCase()}
      </button>
    </Dropdown>
  );
}
