import { hasSignedInMark, readEarlySession } from './early-session';
import { endSession } from './end-session';
import { formUrl, invitationOf, safeRedirect } from './redirect';
import { storedUser, storeUser, userStorage } from './user-storage';
import { waitFor, renderHook, screen } from '@testing-library/react';
import en from '../../../shared/locales/errors.en.json';
import ar from '../../../shared/locales/errors.ar.json';
import fr from '../../../shared/locales/errors.fr.json';
import ru from '../../../shared/locales/errors.ru.json';
import { useClerkTexts } from './forms/clerk-texts';
import { aidForm } from './forms/form-aids';

describe('where a sign-in leads', () => {
  const ORIGIN = 'https://pool.example';
  const go = (wanted: string | null) => safeRedirect(wanted, '/dashboard/', ['/sign-in', '/sign-up'], ORIGIN);

  test.each([
    ['/workers/?algorithm=SCRYPT#top', '/workers/?algorithm=SCRYPT#top'],
    ['https://pool.example/payments/', '/payments/'],
    ['/%2F/evil.example', '/%2F/evil.example'],
    ['workers', '/workers'],
  ])('%s is followed', (wanted, expected) => expect(go(wanted)).toBe(expected));

  test.each([
    null,
    '//evil.example',
    '/\\evil.example',
    'https://pool.example.evil.example/',
    'http://pool.example/',
    'java\nscript:alert(1)',
    '/.//evil.example',
    'https://[',
    '/sign-in/factor-one',
    '/sign-up?redirect_url=/sign-up',
    'blob:https://pool.example/x',
  ])('%j leads to the dashboard', (wanted) => expect(go(wanted)).toBe('/dashboard/'));

  test('the URL of a form contains the page to open afterwards', () => {
    expect(formUrl('/sign-up', '/workers/?a=1', '/dashboard/')).toBe('/sign-up?redirect_url=%2Fworkers%2F%3Fa%3D1');
    expect(formUrl('/sign-up', '/dashboard/', '/dashboard/')).toBe('/sign-up');
  });

  test.each([
    ['?redirect_url=%2Freferral%2F%3Fcode%3DK7PQ4XW2MN', 'K7PQ4XW2MN'],
    ['?redirect_url=%2Fworkers%2F', null],
    ['?redirect_url=https%3A%2F%2F[', null],
    ['?redirect_url=%2Freferral%2F%3Fcode%3DCall%2Bthis%2Bnumber', null],
    ['', null],
  ])('the invitation of %j: %j', (search, code) => expect(invitationOf(search, ORIGIN)).toBe(code));

  describe('the session before clerk-js', () => {
    const NOW = 1_700_000_000_000;
    const token = (claims: object): string =>
      `e30.${btoa(JSON.stringify(claims)).replaceAll('+', '-').replaceAll('/', '_').replaceAll('=', '')}.c2ln`;
    const fresh = { sub: 'user_1', sid: 'sess_1', exp: NOW / 1000 + 50 };
    const cookies = (claims: object, mark = '__client_uat=1700000000'): string =>
      `a=b; ${mark}; __session=${token(claims)}`;

    test.each([
      ['__client_uat=1700000000', true],
      ['x=1; __client_uat_AbC-_9=1700000000; y=2', true],
      ['__client_uat=0', false],
      ['', false],
      ['my__client_uat=1', false],
      ['__client_uat=', false],
    ])('signed-in mark of %j: %s', (text, expected) => expect(hasSignedInMark(text)).toBe(expected));

    test('a fresh token contains the user and the picture', () => {
      const claims = { ...fresh, pic: '/me.png' };
      expect(readEarlySession(cookies(claims), NOW)).toEqual({
        token: token(claims),
        picture: '/me.png',
        userId: 'user_1',
        organizationId: null,
        expiresAt: NOW + 50_000,
      });
    });

    test.each([[{ ...fresh, org_id: 'org_1' }], [{ ...fresh, v: 2, o: { id: 'org_1', rol: 'admin' } }]])(
      'with its organization: %j',
      (claims) => {
        expect(readEarlySession(cookies(claims), NOW)?.organizationId).toBe('org_1');
      },
    );

    test.each<[string, string]>([
      ['about to run out', cookies({ ...fresh, exp: NOW / 1000 + 4 })],
      ['run out', cookies({ ...fresh, exp: NOW / 1000 - 1 })],
      ['of a session that is not finished', cookies({ ...fresh, sts: 'pending' })],
      ['without a user', cookies({ exp: fresh.exp })],
      ['left over from a signed-out browser', cookies(fresh, '__client_uat=0')],
      ['that is no token', '__client_uat=1; __session=undefined'],
      ['with rubbish inside', '__client_uat=1; __session=a.!!!.c'],
      ['with a number inside', `__client_uat=1; __session=a.${btoa('7')}.c`],
      ['missing', '__client_uat=1'],
    ])('no session from a token %s', (_, text) => expect(readEarlySession(text, NOW)).toBeNull());
  });

  test('what the browser keeps of the user goes, what is of the browser stays', async () => {
    const kept = new Set(['saved user_1']);
    globalThis.caches = {
      keys: async () => [...kept],
      delete: async (name: string) => kept.delete(name),
    } as unknown as CacheStorage;
    localStorage.setItem('settings', '{}');
    storeUser('user_1');
    userStorage.write('recentCommands', '[]');
    storeUser('user_1');
    expect(storedUser()).toBe('user_1');
    expect(userStorage.read('recentCommands')).toBe('[]');
    document.title = 'Workers · Mining Pool';
    document.cookie = '__client_uat=1700000000; path=/';
    endSession('#end');
    await waitFor(() => expect(location.hash).toBe('#end'));
    expect(hasSignedInMark(document.cookie)).toBe(false);
    expect([...kept]).toEqual([]);
    expect(Object.keys(localStorage)).toEqual(['settings']);
    expect(document.title).toBe('Mining Pool');
  });

  test('another user, or nobody, takes over nothing', () => {
    for (const next of ['user_2', null]) {
      storeUser('user_1');
      userStorage.write('recentCommands', '[]');
      storeUser(next);
      expect(userStorage.read('recentCommands')).toBeNull();
      expect(storedUser()).toBe(next ?? undefined);
    }
  });
});

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

describe('aids for forms', () => {
  /** A form as Clerk draws it: nothing for password managers, and its button is disabled while it waits. */
  function draw(form: Parameters<typeof aidForm>[0], names: readonly string[]) {
    document.body.innerHTML = `<div id="place"></div>`;
    const place = document.getElementById('place') as HTMLElement;
    const stop = aidForm(form, place);
    const fields = names.map((name) => `<input name="${name}" aria-label="${name}" aria-invalid="false">`);
    place.innerHTML = `<form>${fields.join('')}<button>Continue</button></form>`;
    place.querySelector('form')?.addEventListener('submit', (event) => event.preventDefault());
    return {
      stop,
      button: screen.getByRole<HTMLButtonElement>('button'),
      field: screen.getByLabelText<HTMLInputElement>,
    };
  }

  test.each([
    ['sign-in', { identifier: 'username', password: 'current-password' }],
    ['sign-up', { username: 'username', emailAddress: 'email', password: 'new-password' }],
  ] as const)('fields of %s say what they take as soon as they are drawn', async (form, expected) => {
    const { field } = draw(form, Object.keys(expected));
    for (const [name, takes] of Object.entries(expected))
      await waitFor(() => expect(field(name)).toHaveAttribute('autocomplete', takes));
  });

  test('after a refusal the focus is in the field that was refused', async () => {
    const { button, field } = draw('sign-in', ['identifier', 'password']);
    button.focus();
    button.click();
    button.blur();
    button.disabled = true;
    button.disabled = false;
    field('password').setAttribute('aria-invalid', 'true');
    await waitFor(() => expect(field('password')).toHaveFocus());
  });

  test('of several refused fields the first has it, whichever is refused first', async () => {
    const { button, field } = draw('sign-up', ['username', 'password']);
    button.focus();
    button.click();
    button.blur();
    field('password').setAttribute('aria-invalid', 'true');
    await waitFor(() => expect(field('password')).toHaveFocus());
    field('username').setAttribute('aria-invalid', 'true');
    await waitFor(() => expect(field('username')).toHaveFocus());
  });

  test('after a refusal of no field it is where it was', async () => {
    const { button } = draw('sign-in', ['identifier', 'password']);
    button.focus();
    button.click();
    button.blur();
    button.disabled = true;
    button.disabled = false;
    await waitFor(() => expect(button).toHaveFocus());
  });

  test('whoever is typing elsewhere meanwhile is left there', async () => {
    const { button, field } = draw('sign-in', ['identifier', 'password']);
    button.focus();
    button.click();
    field('identifier').focus();
    field('password').setAttribute('aria-invalid', 'true');
    await waitFor(() => expect(field('password')).toHaveAttribute('autocomplete'));
    expect(field('identifier')).toHaveFocus();
  });

  test('the three buttons below backup codes get names', async () => {
    const place = document.createElement('div');
    place.lang = 'ru';
    document.body.append(place);
    const stop = aidForm('security', place);
    place.innerHTML =
      '<button aria-label="Open menu"></button><button>a</button>' + '<button><svg></svg></button>'.repeat(3);
    await Promise.resolve();
    const names = [...place.querySelectorAll('button')].map((button) => button.getAttribute('aria-label'));
    expect(names).toEqual(['Open menu', null, 'Скачать', 'Печать', 'Копировать']);
    stop();
    place.remove();
  });
});
