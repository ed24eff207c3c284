import { useTranslation } from 'react-i18next';
import { ApiError } from '../../api/client';
import { useTexts } from '../../i18n/use-texts';

/** The text `ui.error.<code>`, else of `otherwise`. Null without a code, and while the texts of errors load. */
export function useErrorCode(code: string | null, values = {}, otherwise = 'server_error'): string | null {
  const { t, i18n } = useTranslation();
  const key = `ui.error.${code}`;
  const missing = code !== null && !i18n.exists(key);
  const come = useTexts('errors', missing);
  if (code === null) return null;
  if (!missing) return t(key, values);
  return come ? t(`ui.error.${otherwise}`) : null;
}

/** What to say about a failed call: by its code, else that it failed. Null as of `useErrorCode`. */
export function useErrorText(error: unknown, values?: object): string | null {
  const { status, code } = error instanceof ApiError ? error : { status: 500, code: 'unexpected' };
  const said = status === 0 && !navigator.onLine ? 'no_network' : code;
  const otherwise = status === 0 ? 'offline' : status < 500 ? 'invalid_request' : 'server_error';
  return useErrorCode(error ? said : null, values, otherwise);
}
