/** Texts in four languages: one instance for the shell and all remotes. */
export { I18nextProvider, useTranslation } from 'react-i18next';
export type { i18n } from 'i18next';
export { createI18n, reloadTexts } from './create';
export { useTexts } from './use-texts';
export { directionOf, LANGUAGE_NAMES, LANGUAGES, type Language } from './languages';
