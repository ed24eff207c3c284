export const LANGUAGES = ['en', 'ru', 'fr', 'ar'] as const;
export type Language = (typeof LANGUAGES)[number];

/** Name of each language in that language, for the switcher. */
export const LANGUAGE_NAMES: Record<Language, string> = {
  en: 'English',
  ru: 'Русский',
  fr: 'Français',
  ar: 'العربية',
};

const RIGHT_TO_LEFT: readonly string[] = ['ar'] satisfies Language[];
export const directionOf = (language: string): 'ltr' | 'rtl' => (RIGHT_TO_LEFT.includes(language) ? 'rtl' : 'ltr');
