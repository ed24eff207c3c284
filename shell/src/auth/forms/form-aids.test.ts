import { screen, waitFor } from '@testing-library/react';
import { aidForm } from './form-aids';

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
