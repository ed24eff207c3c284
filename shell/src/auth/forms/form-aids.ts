/** What Clerk's forms leave out for password managers and the keyboard, and have no setting for. */
import { westernDigits } from '@pool/shared';
import type { FormSlot } from '../auth-store';

/** What a field takes, by its name. */
const AUTOCOMPLETE: Record<FormSlot['form'], Readonly<Record<string, AutoFill>>> = {
  'sign-in': { identifier: 'username', password: 'current-password', code: 'one-time-code' },
  'sign-up': { username: 'username', emailAddress: 'email', password: 'new-password' },
  security: { password: 'current-password' },
};

/** The buttons below new backup codes are icons without a name. */
const CODE_BUTTONS = { en: ['Download', 'Print', 'Copy'], ru: ['Скачать', 'Печать', 'Копировать'] };

function nameButtons(place: HTMLElement): void {
  const names = place.lang === 'ru' ? CODE_BUTTONS.ru : CODE_BUTTONS.en;
  const nameless = [...place.querySelectorAll('button:not([aria-label])')].filter((button) => !button.textContent);
  if (nameless.length === names.length)
    nameless.forEach((button, index) => button.setAttribute('aria-label', names[index] ?? ''));
}

/** Clerk's field of a code drops what is more than Latin digits: spaces, as apps show codes, or Arabic digits. */
function typeDigits(event: InputEvent | ClipboardEvent): void {
  const field = event.target as HTMLInputElement;
  const text = ('data' in event ? event.data : event.clipboardData?.getData('text')) ?? '';
  const digits = westernDigits(text).replace(/\D/g, '');
  if (field.inputMode !== 'numeric' || digits === '' || digits === text) return;
  event.preventDefault();
  event.stopPropagation();
  document.execCommand('insertText', false, digits);
}

/**
 * Sets the form's `autocomplete`, makes codes of what is typed, turns the browser's messages off, and restores a lost
 * focus. Returns its end.
 */
export function aidForm(form: FormSlot['form'], place: HTMLElement): () => void {
  let sentFrom: Element | null = null;
  const follow = () => {
    for (const [name, takes] of Object.entries(AUTOCOMPLETE[form]))
      for (const field of place.querySelectorAll<HTMLInputElement>(`input[name="${name}"]`))
        if (field.autocomplete !== takes) field.autocomplete = takes;
    // The service names what is wrong with each field; the browser's bubbles are in its own language, one at a time.
    for (const drawn of place.querySelectorAll('form')) drawn.noValidate = true;
    if (form === 'security') nameButtons(place);
    const { activeElement } = document;
    if (!sentFrom || (activeElement !== document.body && activeElement !== sentFrom)) return;
    const target = place.querySelector('[aria-invalid="true"]') ?? sentFrom;
    if (!(target instanceof HTMLElement) || !place.contains(target)) return;
    target.focus();
    // A field above may be refused a moment later.
    sentFrom = target;
  };
  const remember = () => {
    sentFrom = document.activeElement;
  };
  // The user has gone on typing: the focus is left alone.
  const forget = () => {
    sentFrom = null;
  };
  const observer = new MutationObserver(follow);
  observer.observe(place, { childList: true, subtree: true, attributeFilter: ['aria-invalid', 'disabled'] });
  place.addEventListener('submit', remember, true);
  place.addEventListener('input', forget, true);
  place.addEventListener('beforeinput', typeDigits, true);
  place.addEventListener('paste', typeDigits, true);
  follow();
  return () => {
    observer.disconnect();
    place.removeEventListener('submit', remember, true);
    place.removeEventListener('input', forget, true);
    place.removeEventListener('beforeinput', typeDigits, true);
    place.removeEventListener('paste', typeDigits, true);
  };
}
