import { renderHook, waitFor } from '@testing-library/react';
import en from '../../../../shared/locales/errors.en.json';
import ar from '../../../../shared/locales/errors.ar.json';
import fr from '../../../../shared/locales/errors.fr.json';
import ru from '../../../../shared/locales/errors.ru.json';
import { useClerkTexts } from './clerk-texts';

/** The messages of the specification's catalogue (section 8), by the codes of the sign-in service. */
const CATALOGUE = [
  'form_identifier_exists__email_address',
  'form_identifier_exists__phone_number',
  'form_identifier_exists__username',
  'identification_deletion_failed',
  'form_password_pwned',
  'form_password_not_strong_enough',
  'form_password_size_in_bytes_exceeded',
  'captcha_invalid',
  'captcha_unavailable',
  'form_param_format_invalid__email_address',
];
/** What else the embedded service says to a form (api/src/identity/errors.ts); its own words are English. */
const EMBEDDED = [
  'form_param_nil',
  'form_param_format_invalid__username',
  'form_param_max_length_exceeded',
  'form_password_incorrect',
  'form_password_or_identifier_incorrect',
  'form_password_length_too_short',
  'form_password_length_too_long',
  'form_new_password_matches_current',
  'form_code_incorrect',
  'verification_expired',
  'sign_in_over',
  'passkey_refused',
  'passkey_limit',
  'user_disabled',
  'session_exists',
  'operator_code_used',
  'too_many_requests',
  'service_unavailable',
  'mail_unavailable',
  'internal_error',
];

test('every message of the sign-in service is Russian in a Russian form', async () => {
  const { result } = renderHook(() => useClerkTexts('ru'));
  await waitFor(() => expect(result.current).not.toBeNull());
  const texts = (result.current?.unstable__errors ?? {}) as Record<string, unknown>;
  const missing = [...CATALOGUE, ...EMBEDDED].filter((code) => !/[а-яё]{3}/i.test(String(texts[code])));
  expect(missing).toEqual([]);
});

test.each(Object.entries({ en, ru, fr, ar }))('what the own form for a password can meet is said in %s', (_, texts) => {
  const codes = [
    'form_password_incorrect',
    'form_password_pwned',
    'form_password_not_strong_enough',
    'form_password_length_too_short',
    'form_password_length_too_long',
    'form_password_size_in_bytes_exceeded',
    'form_new_password_matches_current',
    'form_code_incorrect',
    'verification_expired',
    'mail_unavailable',
    'passkey_refused',
  ];
  expect(codes.filter((code) => !(`ui.error.${code}` in texts))).toEqual([]);
});
