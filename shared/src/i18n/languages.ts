export const LANGUAGES = ['en', 'ru', 'fr', 'ar'] as const;
export type Language = (typeof LANGUAGES)[number];

/** What a table has for a language; for one that is unknown what it has for English. */
export const ofLanguage = <T>(table: Record<Language, T>, language: string): T =>
  table[Object.hasOwn(table, language) ? (language as Language) : 'en'];

/** Name of each language in that language, for the switcher. */
export const LANGUAGE_NAMES: Record<Language, string> = {
  en: 'English',
  ru: 'Русский',
  fr: 'Français',
  ar: 'العربية',
};

const RIGHT_TO_LEFT: readonly string[] = ['ar'] satisfies Language[];
export const directionOf = (language: string): 'ltr' | 'rtl' => (RIGHT_TO_LEFT.includes(language) ? 'rtl' : 'ltr');
