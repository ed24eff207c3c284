/** Texts of Clerk's forms. Russian is fetched only when needed. */
import type { ClerkProviderProps } from '@clerk/clerk-react';
import { FORM_TEXTS } from '@pool/shared/form-texts';
import { useEffect, useState } from 'react';

type ClerkTexts = NonNullable<ClerkProviderProps['localization']>;
type Errors = ClerkTexts['unstable__errors'];

/** Russian when the interface is Russian, otherwise English. Both read from left to right. */
export const formLanguage = (language: string | undefined): 'ru' | 'en' => (language === 'ru' ? 'ru' : 'en');

/** English is built into clerk-js; these are the changed sentences. */
const ENGLISH: ClerkTexts = {
  signIn: {
    start: {
      ...FORM_TEXTS['sign-in'].en,
      actionLink__use_passkey: 'Sign in with a passkey',
      actionText: 'New here?',
      actionLink: 'Create an account',
    },
    password: { title: 'Enter your password', subtitle: 'The password of your account' },
  },
  signUp: {
    start: {
      ...FORM_TEXTS['sign-up'].en,
      actionText: 'Have an account?',
      actionLink: 'Sign in',
    },
  },
  formFieldLabel__emailAddress: 'E-mail address',
  formFieldLabel__emailAddress_username: 'E-mail address or user name',
  formFieldLabel__username: 'User name',
  formFieldInputPlaceholder__emailAddress: 'you@example.com',
  formFieldInputPlaceholder__emailAddress_username: '',
  formFieldInputPlaceholder__username: 'a-z, 0-9, - and _',
  formFieldInputPlaceholder__password: '',
  // `ownWords` is a suggestion of the embedded service, beside zxcvbn's (api/src/identity/factors/passwords.ts).
  unstable__errors: {
    zxcvbn: {
      goodPassword: 'Long enough, and not a common one.',
      suggestions: { ownWords: 'Leave out your own name and address, and words such as miner or bitcoin.' },
    },
  } as Errors,
};

async function russian(): Promise<ClerkTexts> {
  const { ruRU } = await import('@clerk/localizations/ru-RU');
  return {
    ...ENGLISH,
    ...ruRU,
    formFieldInputPlaceholder__emailAddress: ENGLISH.formFieldInputPlaceholder__emailAddress,
    // The label says it, and the package's sentence is longer than the field.
    formFieldInputPlaceholder__emailAddress_username: '',
    formFieldInputPlaceholder__username: 'a-z, 0-9, - и _',
    signIn: {
      ...ruRU.signIn,
      start: {
        ...ruRU.signIn?.start,
        ...FORM_TEXTS['sign-in'].ru,
        actionLink__use_passkey: 'Войти с ключом доступа',
        actionText: 'Впервые здесь?',
        actionLink: 'Создать аккаунт',
      },
      password: { ...ruRU.signIn?.password, subtitle: 'Пароль вашего аккаунта' },
    },
    signUp: {
      ...ruRU.signUp,
      start: {
        ...ruRU.signUp?.start,
        ...FORM_TEXTS['sign-up'].ru,
        actionText: 'Уже есть аккаунт?',
        actionLink: 'Войти',
      },
    },
    reverification: {
      ...ruRU.reverification,
      alternativeMethods: {
        ...ruRU.reverification?.alternativeMethods,
        blockButton__passkey: 'Использовать ключ доступа',
      },
      passkey: {
        title: 'Используйте ключ доступа',
        subtitle: 'Устройство может запросить отпечаток пальца, лицо или код блокировки.',
        blockButton__passkey: 'Использовать ключ доступа',
      },
    },
    userProfile: {
      ...ruRU.userProfile,
      start: {
        ...ruRU.userProfile?.start,
        passkeysSection: { ...ruRU.userProfile?.start?.passkeysSection, primaryButton: 'Добавить ключ доступа' },
      },
    },
    // Errors of the service that the package has no Russian text for.
    unstable__errors: {
      ...ruRU.unstable__errors,
      form_password_incorrect: 'Неверный пароль. Попробуйте ещё раз.',
      form_password_or_identifier_incorrect: 'Неверное имя, почта или пароль. Попробуйте ещё раз.',
      form_param_nil: 'Введите значение.',
      form_param_format_invalid__username: 'Имя пользователя: от 3 до 32 символов a-z, 0-9, - и _, первая — буква.',
      form_password_length_too_short: 'Пароль должен содержать не менее 8 символов.',
      form_password_length_too_long: 'Пароль должен содержать не более 72 символов.',
      form_new_password_matches_current: 'Новый пароль не должен совпадать с текущим.',
      user_disabled: 'Этот аккаунт отключён. Обратитесь в поддержку пула.',
      form_code_incorrect: 'Неверный код. Каждый код действует один раз.',
      verification_expired: 'Этот код больше не действует. Запросите новый.',
      passkey_refused: 'Ключ доступа не принят. Попробуйте ещё раз или войдите с паролем.',
      passkey_limit: 'Больше ключей доступа добавить нельзя. Сначала удалите один.',
      sign_in_over: 'Вход занял слишком много времени. Вернитесь и начните снова.',
      too_many_requests: 'Слишком много попыток. Подождите минуту и попробуйте снова.',
      form_param_max_length_exceeded: 'Это слишком длинно.',
      operator_code_used: 'Этот код больше никого не делает администратором.',
      service_unavailable: 'Сервер занят. Попробуйте ещё раз чуть позже.',
      mail_unavailable: 'Сейчас письма не отправляются. Запросите код ещё раз через несколько минут.',
      internal_error: 'Что-то пошло не так. Попробуйте ещё раз чуть позже.',
      zxcvbn: {
        ...ruRU.unstable__errors?.zxcvbn,
        goodPassword: 'Длины достаточно, и он не из частых.',
        suggestions: {
          ...ruRU.unstable__errors?.zxcvbn?.suggestions,
          ownWords: 'Не берите своё имя, адрес и слова вроде miner и bitcoin.',
        },
      },
    } as Errors,
  };
}

/** Null while they load; English when the Russian texts cannot be loaded. */
export function useClerkTexts(language: string): ClerkTexts | null {
  const [loaded, setLoaded] = useState<ClerkTexts | null>(null);
  const wanted = formLanguage(language) === 'ru';
  useEffect(() => {
    if (wanted)
      void russian()
        .catch(() => ENGLISH)
        .then(setLoaded);
  }, [wanted]);
  return wanted ? loaded : ENGLISH;
}
