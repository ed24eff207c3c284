/** How the sign-in forms begin. They exist in two languages, which both read from left to right. */
export const FORM_TEXTS = {
  'sign-in': {
    en: { title: 'Sign in', subtitle: 'Welcome back. Enter your details to continue.' },
    ru: { title: 'Вход', subtitle: 'С возвращением. Введите свои данные, чтобы продолжить.' },
  },
  'sign-up': {
    en: { title: 'Create an account', subtitle: 'Point a miner at the pool a minute from now.' },
    ru: { title: 'Создание аккаунта', subtitle: 'Через минуту можно направить майнер на пул.' },
  },
} as const;

export type FormName = keyof typeof FORM_TEXTS;
