/** Texts in four languages: one instance for the shell and all remotes. */
export { I18nextProvider, Trans, useTranslation } from 'react-i18next';
export type { i18n, TFunction } from 'i18next';
export { createI18n, LANGUAGE_KEY, type I18nConfig } from './create';
export { directionOf, isLanguage, LANGUAGE_NAMES, LANGUAGES, type Language } from './languages';
